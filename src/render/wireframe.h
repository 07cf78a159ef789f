#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/image.h"
#include "render/camera.h"
#include "render/picture.h"

namespace thigmo {

// The skeletons as lines with a dot at every joint, coloured by their values where they have them,
// else by branching order. Far lines are drawn first.
Image draw_wireframe(std::span<const PosedPlant> plants, const Camera& camera,
                     const RenderOptions& options = {});

// Pictures of one size in rows, each with its label below.
struct SheetTile {
  Image picture;
  std::string label;
};
Image contact_sheet(std::span<const SheetTile> tiles, int columns);

}  // namespace thigmo
