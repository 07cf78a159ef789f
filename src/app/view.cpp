#include "app/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/common.h"
#include "app/surface.h"
#include "mesh/mesh_size.h"
#include "plant/sizes.h"
#include "render/colour_map.h"
#include "render/wireframe.h"

namespace thigmo {
namespace {

constexpr double widest_angle = 179;    // [degrees]
constexpr double smallest_view = 1e-9;  // [m]

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// How finely leaves are drawn, by how many pixels long they are on average: outlines of small ones
// cannot be seen, and their triangles cost more than the light.
int leaf_rows_for(std::span<const Sitter> sitters, const Camera& camera, int height) {
  double sum = 0;
  std::size_t count = 0;
  for (const Sitter& s : sitters) {
    for (const Organ& organ : s.posed.plant->organs) sum += organ.length;
    count += s.posed.plant->organs.size();
  }
  if (count == 0) return coarsest_leaf_rows;
  const double distance = length(camera.target_world - camera.eye_world);
  const double view_m = 2 * distance * std::tan(radians(0.5 * camera.vertical_angle_deg));
  const double pixels = sum / static_cast<double>(count) / view_m * height;
  return pixels > 40 ? 14 : pixels > 12 ? 5 : 3;
}

// Whether single precision holds where the camera stands, and tells apart what it sees there.
Result<Done> check_camera(const View& view, const Camera& camera) {
  const auto far = [](const Vec3& p) {
    return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  };
  const double farthest = std::max(far(camera.eye_world), far(camera.target_world));
  const double largest = 10 * largest_size(Precision::single);  // it stands away from what it sees
  if (!(farthest <= largest)) {
    return error(fmt::format("the camera stands or looks {:.3g} m from the origin; pictures hold "
                             "at most {:.3g} m",
                             farthest, largest),
                 "move the eye and the target nearer");
  }
  if (!(camera.vertical_angle_deg <= widest_angle)) {
    return error(fmt::format("a zoom of {} leaves {:.4g} degrees of view", view.zoom,
                             camera.vertical_angle_deg),
                 fmt::format("{} degrees at most can be drawn", widest_angle));
  }
  const double height = 2 * length(camera.target_world - camera.eye_world) *
                        std::tan(radians(0.5 * camera.vertical_angle_deg));
  if (!(height >= smallest_view) || !holds(Precision::single, height, farthest)) {
    return error(fmt::format("the camera sees {:.3g} m of what it looks at, {:.3g} m from the "
                             "origin, where pictures hold nothing finer than {:.2g} m",
                             height, farthest,
                             std::max(rounding(Precision::single, farthest), smallest_view)),
                 "give a smaller zoom, or move the camera and the plant nearer to the origin");
  }
  if (!(camera.aperture <= largest) || !(camera.focus_distance <= largest)) {
    return error(fmt::format("a lens of {:.3g} m that is sharp at {:.3g} m cannot be drawn with",
                             camera.aperture, camera.focus_distance),
                 fmt::format("at most {:.3g} m can", largest));
  }
  return Done{};
}

SegmentValues values_of(const View& view, const Sitter& s) {
  return segment_values(view.colour, *s.posed.plant, *s.mechanism, *s.posed.pose,
                        {.gravity_world = s.gravity_world, .points = s.points});
}

}  // namespace

Result<Done> check_view(const View& view) {
  if (!view.colour.empty()) {
    if (Result<Done> known = check_value(view.colour); !known) return known;
  }
  if (!(view.elevation > -90 && view.elevation < 90) || !std::isfinite(view.azimuth)) {
    return error(
        fmt::format("the camera cannot stand at {} and {} degrees", view.azimuth, view.elevation),
        "the elevation lies between -90 and 90 degrees");
  }
  if (!(view.zoom > 0 && std::isfinite(view.zoom))) {
    return error(fmt::format("a zoom of {} is not possible", view.zoom), "it is above 0");
  }
  if (!(view.field_of_view >= 1 && view.field_of_view <= 120)) {
    return error(fmt::format("a field of view of {} degrees is not possible", view.field_of_view),
                 "1 to 120 are");
  }
  if (view.target && !view.eye) {
    return error("a target needs an eye that looks at it", "give both, or neither");
  }
  if (view.eye && view.target && *view.eye == *view.target) {
    return error("the camera stands where it looks at", "move the eye away from the target");
  }
  if (!(view.aperture >= 0) || (view.focus && !(*view.focus > 0))) {
    return error("the aperture is 0 or more, and the focus above 0");
  }
  return Done{};
}

View view_of(const OutputSource& output, const std::vector<OrganMesh>& organs) {
  View view;
  if (output.azimuth) view.azimuth = *output.azimuth;
  if (output.elevation) view.elevation = *output.elevation;
  view.zoom = output.zoom;
  if (output.eye) view.eye = numbers(*output.eye);
  if (output.target) view.target = numbers(*output.target);
  view.field_of_view = output.field_of_view;
  view.aperture = output.aperture;
  view.focus = output.focus;
  view.ground = output.ground;
  view.wireframe = output.wireframe;
  view.colour = output.colour;
  view.surface = surface_detail(output, organs);
  return view;
}

Result<Camera> camera_of(const View& view, std::span<const MovingPlant> plants,
                         double width_per_height) {
  if (const Result<Done> done = check_sizes(plants, Precision::single); !done)
    return done.diagnostics();
  const double across = std::cos(radians(view.elevation));
  const Vec3 from_plants{across * std::sin(radians(view.azimuth)),
                         std::sin(radians(view.elevation)),
                         across * std::cos(radians(view.azimuth))};
  Camera camera = frame_camera(
      plants, width_per_height,
      {.view_direction_world = -from_plants, .vertical_angle_deg = view.field_of_view});
  if (view.eye) {
    camera.eye_world = vector(*view.eye);
    if (view.target) camera.target_world = vector(*view.target);
  }
  const double slope = std::tan(radians(0.5 * camera.vertical_angle_deg)) / view.zoom;
  camera.vertical_angle_deg = 2 * std::atan(slope) * 180 / std::numbers::pi;
  camera.aperture = view.aperture;
  camera.focus_distance = view.focus.value_or(0);
  if (const Result<Done> done = check_camera(view, camera); !done) return done.diagnostics();
  return camera;
}

ValueRange joined_range(const View& view, std::span<const Sitter> sitters,
                        const std::optional<ValueRange>& range) {
  if (view.colour.empty()) return {};
  std::optional<ValueRange> joined = range;
  for (const Sitter& s : sitters) {
    for (const double v : values_of(view, s).values) {
      if (!joined) joined = ValueRange{v, v};
      joined = ValueRange{std::min(joined->low, v), std::max(joined->high, v)};
    }
  }
  return joined.value_or(ValueRange{});
}

Result<Image> draw_view(const View& view, std::span<const Sitter> sitters, const Camera& camera,
                        const RenderOptions& given) {
  RenderOptions options = given;
  options.leaf_rows = leaf_rows_for(sitters, camera, options.height);
  if (!view.wireframe) {
    std::vector<MovingPlant> plants;
    for (const Sitter& s : sitters) plants.push_back({.plant = s.posed.plant});
    MeshOptions surface = options.surface;
    surface.leaf_rows = options.leaf_rows;
    if (const Result<Done> done = check_mesh(plants, surface, MeshUse::picture); !done)
      return done.diagnostics();
  }
  std::vector<PosedPlant> posed;
  std::vector<SegmentValues> values;
  for (const Sitter& s : sitters) {
    posed.push_back(s.posed);
    if (!view.colour.empty()) values.push_back(values_of(view, s));
  }
  std::vector<SegmentNumbers> of_plants;
  for (const SegmentValues& of_plant : values) of_plants.emplace_back(of_plant.values);
  options.values = of_plants;
  Image image = view.wireframe ? draw_wireframe(posed, camera, options)
                               : render_picture(posed, camera, options);
  if (!values.empty()) {
    draw_legend(
        {.title = values.front().title, .low = options.range.low, .high = options.range.high},
        image);
  }
  return image;
}

}  // namespace thigmo
