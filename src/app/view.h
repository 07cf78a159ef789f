#pragma once

#include <span>
#include <vector>

#include "app/values.h"
#include "base/image.h"
#include "base/result.h"
#include "render/picture.h"
#include "scenario/scenario.h"
#include "thigmo/render.h"

namespace thigmo {

// A plant in a pose, with the mechanism that holds it there.
struct Sitter {
  PosedPlant posed;
  const Mechanism* mechanism = nullptr;
  Vec3 gravity_world = {0, -9.81, 0};  // [m/s²]
  std::vector<PointLoad> points = {};
};

// Whether the numbers and names of a view make sense.
Result<Done> check_view(const View& view);

// The view of a scenario's picture or video.
View view_of(const OutputSource& output, const std::vector<OrganMesh>& organs);

// A camera that sees the plants. Refused where single precision holds neither them nor what it sees.
Result<Camera> camera_of(const View& view, std::span<const MovingPlant> plants,
                         double width_per_height);

// The range of the view's values over these plants joined to `range`.
ValueRange joined_range(const View& view, std::span<const Sitter> sitters,
                        const std::optional<ValueRange>& range);

// How few rows a leaf may be drawn with.
inline constexpr int coarsest_leaf_rows = 2;

// The picture, with a legend where segments are coloured by a value. `options` hold its size, the
// surface's detail and the range of the colours. Refused where its leaves would not fit the memory.
Result<Image> draw_view(const View& view, std::span<const Sitter> sitters, const Camera& camera,
                        const RenderOptions& options);

}  // namespace thigmo
