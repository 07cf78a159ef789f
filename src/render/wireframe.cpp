#include "render/wireframe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "render/canvas.h"
#include "render/colour_map.h"

namespace thigmo {
namespace {

constexpr Colour ground{252, 252, 250}, lettering{40, 44, 52};
// By branching order, repeated.
constexpr std::array<Colour, 5> order_colours{
    {{60, 50, 45}, {0, 114, 178}, {0, 158, 115}, {213, 94, 0}, {204, 121, 167}}};

struct Stroke {
  double depth;
  Point2 from, to;
  Colour colour;
};

// From the world to pixels.
struct Projection {
  CameraAxes axes;
  Vec3 eye;
  double pixels;  // a unit of slope
  double centre_x, centre_y;

  double depth(const Vec3& p) const { return dot(eye - p, axes.back); }
  Point2 place(const Vec3& p) const {
    const Vec3 r = p - eye;
    const double z = -dot(r, axes.back);
    return {centre_x + pixels * dot(r, axes.right) / z, centre_y - pixels * dot(r, axes.up) / z};
  }
};

void add_strokes(const PosedPlant& posed, const Projection& view, SegmentNumbers values,
                 const ValueRange& range, std::vector<Stroke>& strokes) {
  const Plant& plant = *posed.plant;
  Pose scratch;
  const Pose& pose = pose_of(posed, scratch);
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Vec3 a = point_on_segment(plant, pose, i, 0), b = point_on_segment(plant, pose, i, 1);
    // Behind the eye nothing is drawn.
    if (view.depth(a) < 1e-6 || view.depth(b) < 1e-6) continue;
    const auto order = static_cast<std::size_t>(at(plant.segments, i).order);
    const Colour colour = values.empty() ? order_colours[order % order_colours.size()]
                                         : map_colour_bytes(range_part(range, at(values, i)));
    strokes.push_back(
        {0.5 * (view.depth(a) + view.depth(b)), view.place(a), view.place(b), colour});
  }
}

}  // namespace

Image draw_wireframe(std::span<const PosedPlant> plants, const Camera& camera,
                     const RenderOptions& options) {
  const double slope = std::tan(0.5 * camera.vertical_angle_deg * std::numbers::pi / 180);
  const Projection view{.axes = camera_axes(camera),
                        .eye = camera.eye_world,
                        .pixels = 0.5 * options.height / slope,
                        .centre_x = 0.5 * options.width,
                        .centre_y = 0.5 * options.height};
  std::vector<Stroke> strokes;
  for (std::size_t i = 0; i < plants.size(); ++i) {
    add_strokes(plants[i], view, values_of(options.values, i), options.range, strokes);
  }
  std::stable_sort(strokes.begin(), strokes.end(),
                   [](const Stroke& a, const Stroke& b) { return a.depth > b.depth; });
  Canvas canvas(options.width, options.height, ground);
  for (const Stroke& s : strokes) {
    canvas.polyline(std::array{s.from, s.to}, 1.3, s.colour);
    canvas.polyline(std::array{s.from, s.from}, 2.6, s.colour);
  }
  return std::move(canvas.image());
}

Image contact_sheet(std::span<const SheetTile> tiles, int columns) {
  THIGMO_ASSERT(!tiles.empty() && columns > 0);
  constexpr int gap = 12, label_height = 26;
  const int width = tiles[0].picture.width, height = tiles[0].picture.height;
  const int count = static_cast<int>(tiles.size());
  const int across = std::min(columns, count), rows = (count + across - 1) / across;
  Canvas canvas(gap + across * (width + gap), gap + rows * (height + label_height + gap), ground);
  for (int i = 0; i < count; ++i) {
    const SheetTile& tile = at(tiles, i);
    THIGMO_ASSERT(tile.picture.width == width && tile.picture.height == height);
    const int left = gap + i % across * (width + gap);
    const int top = gap + i / across * (height + label_height + gap);
    for (int y = 0; y < height; ++y) {
      const std::uint8_t* row = pixel_at(tile.picture, 0, y);
      std::copy(row, row + 3 * width, pixel_at(canvas.image(), left, top + y));
    }
    canvas.text({left + 0.5 * width, top + height + 18.0}, tile.label, lettering,
                {.anchor_x = 0.5});
  }
  return std::move(canvas.image());
}

}  // namespace thigmo
