#include "io/textures/pivot_textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/textures/exr.h"
#include "io/textures/half.h"
#include "mesh/build.h"
#include "mesh/prune.h"
#include "mesh/tube.h"

namespace thigmo {
namespace {

constexpr Index most_elements = 30'000;
constexpr int most_levels = 4;

// Our y up, right-handed metres to z up with y mirrored, in centimetres: (x, y, z) -> (x, z, y).
Vec3 engine_axes(const Vec3& v) { return {v.x, v.z, v.y}; }

struct Element {
  Vec3 pivot_world, direction_world;
  double extent = 0;  // [m]
  Index parent = no_index;
  int level = 1;
};

struct Elements {
  std::vector<Element> all;
  std::vector<Index> of_segment, of_organ;
};

// An element for each tube up to the third level, so that organs can be the fourth.
void add_tubes(const Plant& plant, const Pose& rest, const MeshOptions& options,
               Elements& elements) {
  elements.of_segment.assign(plant.segments.size(), no_index);
  for (const Tube& tube : find_tubes(plant, options)) {
    const Index first = tube.segments.front();
    const Index parent_segment = at(plant.segments, first).parent;
    const Index parent =
        parent_segment == no_index ? no_index : at(elements.of_segment, parent_segment);
    const int level = parent == no_index ? 1 : at(elements.all, parent).level + 1;
    Index own = parent;
    if (level < most_levels) {
      own = static_cast<Index>(elements.all.size());
      const Vec3 base = at(rest.base_world, first);
      const Vec3 chord = point_on_segment(plant, rest, tube.segments.back(), 1.0) - base;
      elements.all.push_back({.pivot_world = base,
                              .direction_world = normalized(chord),
                              .extent = length(chord),
                              .parent = parent,
                              .level = level});
    }
    for (const Index s : tube.segments) at(elements.of_segment, s) = own;
  }
}

void add_organs(const Plant& plant, const Pose& rest, const MeshOptions& options,
                Elements& elements) {
  const std::vector<Organ> seated = seated_organs(plant, rest, find_tubes(plant, options), options);
  for (std::size_t i = 0; i < seated.size(); ++i) {
    // One that is not drawn keeps its number.
    const Organ& organ = seated[i].segment == no_index ? plant.organs[i] : seated[i];
    const auto s = as_size(organ.segment);
    const Quat turn = rest.world_from_segment[s] * segment_from_organ(organ);
    const Index parent = elements.of_segment[s];
    elements.of_organ.push_back(static_cast<Index>(elements.all.size()));
    elements.all.push_back({.pivot_world = rest.base_world[s] + rotate(rest.world_from_segment[s],
                                                                       base_in_segment(organ)),
                            .direction_world = rotate(turn, {0, 1, 0}),
                            .extent = organ.length,
                            .parent = parent,
                            .level = at(elements.all, parent).level + 1});
  }
}

std::uint16_t half(double value) { return half_from_float(static_cast<float>(value)); }

}  // namespace

Result<PivotTextures> pivot_textures(const Plant& plant, const MeshOptions& options,
                                     const PlantFrame& stands) {
  const Pose rest = rest_pose(plant, stands);
  Elements elements;
  add_tubes(plant, rest, options, elements);
  add_organs(plant, rest, options, elements);
  const auto count = static_cast<Index>(elements.all.size());
  if (count > most_elements || count == 0) {
    return error(fmt::format("plant '{}' has {} axes and organs; pivot textures hold 1 to {}",
                             plant.name, count, most_elements),
                 "leave organs out or keep a share of them");
  }
  PivotTextures textures;
  textures.elements = count;
  textures.width = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count))));
  textures.height = (count + textures.width - 1) / textures.width;
  HalfImage pivots{.width = textures.width, .height = textures.height, .rgba = {}}, axes = pivots;
  pivots.rgba.resize(static_cast<std::size_t>(textures.width * textures.height));
  axes.rgba.resize(pivots.rgba.size());
  for (std::size_t i = 0; i < elements.all.size(); ++i) {
    const Element& e = elements.all[i];
    const Vec3 p = engine_axes(e.pivot_world) * 100.0, d = engine_axes(e.direction_world);
    const auto parent = static_cast<std::uint16_t>(
        (e.parent == no_index ? static_cast<Index>(i) : e.parent) + 1024);
    pivots.rgba[i] = {half(p.x), half(p.y), half(p.z), parent};
    axes.rgba[i] = {half(0.5 * d.x + 0.5), half(0.5 * d.y + 0.5), half(0.5 * d.z + 0.5),
                    half(100.0 * e.extent)};
  }
  textures.pivots_exr = exr_bytes(pivots);
  textures.axes_exr = exr_bytes(axes);

  // A vertex belongs to the tube of the segment that moves it most, an organ's to the organ.
  const SkinnedMesh mesh = build_mesh(plant, options);
  for (const SkinGroup& group : mesh.groups) {
    const std::size_t joint = group.weight[1] > group.weight[0] ? 1 : 0;
    const Index element = group.organ == no_index ? at(elements.of_segment, group.joint[joint])
                                                  : at(elements.of_organ, group.organ);
    const Vec2f uv{
        (static_cast<float>(element % textures.width) + 0.5f) / static_cast<float>(textures.width),
        (static_cast<float>(element / textures.width) + 0.5f) /
            static_cast<float>(textures.height)};
    textures.uvs.insert(textures.uvs.end(), group.vertex_count, uv);
  }
  return textures;
}

}  // namespace thigmo
