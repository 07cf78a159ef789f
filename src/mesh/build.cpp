#include "mesh/build.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/assert.h"
#include "base/random.h"
#include "mesh/mesh_size.h"
#include "mesh/organ.h"
#include "mesh/palette.h"
#include "mesh/prune.h"
#include "mesh/strap.h"
#include "mesh/tube.h"
#include "mesh/weld.h"

namespace thigmo {
namespace {

void add_part(Surface surface, std::size_t first_index, SkinnedMesh& mesh) {
  const std::size_t count = mesh.indices.size() - first_index;
  if (count == 0) return;
  mesh.parts.push_back({.surface = surface,
                        .first_index = static_cast<std::uint32_t>(first_index),
                        .index_count = static_cast<std::uint32_t>(count)});
}

// A large tree's vectors would be copied, and held twice, each time they grow. A tube has a ring's
// vertices for each ring, its dome's shoulder and its disc; collars of welded ones are a little more.
void reserve_for(const std::vector<TubeShape>& shapes, const MeshSize& organs, SkinnedMesh& mesh) {
  auto vertices = static_cast<std::size_t>(organs.vertices),
       corners = static_cast<std::size_t>(organs.corners),
       groups = static_cast<std::size_t>(organs.groups);
  for (const TubeShape& shape : shapes) {
    const auto around = static_cast<std::size_t>(shape.rectangle ? 8 : shape.sides + 1);
    const std::size_t rings = shape.rings.size() + 2;
    vertices += rings * around + 2;
    corners += 6 * rings * around;
    groups += rings + 2;
  }
  mesh.positions.reserve(vertices);
  mesh.normals.reserve(vertices);
  mesh.tangents.reserve(vertices);
  mesh.uvs.reserve(vertices);
  mesh.colours.reserve(vertices);
  mesh.indices.reserve(corners);
  mesh.groups.reserve(groups);
}

void add_tubes(const Plant& plant, std::vector<TubeShape>& shapes, SkinnedMesh& mesh) {
  for (TubeShape& shape : shapes) {
    draw_tube(plant, shapes, shape, mesh);
    const Index parent = at(plant.segments, shape.first_segment).parent;
    if (parent != no_index) ++(shape.stitch ? mesh.welded : mesh.standing);
  }
  add_part(Surface::bark, 0, mesh);
}

// Flowers and fruits are what a plant is known by: only leaves are thinned.
bool is_thinned(const Organ& organ) { return organ_surface(organ.kind) == Surface::leaf; }

// Fewer leaves, each larger: n a² stays.
Organ grown_for_share(Organ organ, const MeshOptions& options) {
  if (!is_thinned(organ)) return organ;
  const auto factor = static_cast<float>(1.0 / std::sqrt(options.leaf_share));
  organ.length *= factor;
  organ.width *= factor;
  return organ;
}

// What varies an organ's colour. Needles and blades are pieces of one leaf along an axis: they must
// look alike.
Index tint_number(const Plant& plant, std::size_t organ) {
  const Organ& o = plant.organs[organ];
  return is_narrow_leaf(o) ? at(plant.segments, o.segment).axis : static_cast<Index>(organ);
}

// Leaves that are drawn piece by piece become one sheet each; which organs that leaves out. Of a share
// of the leaves those are kept whose first piece is, and they are wider: they cannot be longer.
std::vector<char> add_straps(const Plant& plant, std::span<const Tube> tubes,
                             const MeshOptions& options, SkinnedMesh& mesh) {
  std::vector<char> done(plant.organs.size(), 0);
  const std::vector<char> drawn = drawn_tubes(plant, tubes, options);
  std::vector<char> bears(plant.segments.size(), 0);
  for (std::size_t t = 0; t < tubes.size(); ++t) {
    for (const Index s : tubes[t].segments) at(bears, s) = drawn[t];
  }
  for (const Strap& strap : find_straps(plant, tubes, options)) {
    for (const Index piece : strap.pieces) at(done, piece) = 1;
    const auto first = as_size(strap.pieces.front());
    if (!organ_is_drawn(plant.organs[first], first, options)) continue;
    // Without its midrib a leaf stands on what bears it, if it begins there.
    const Index foot = plant.organs[first].segment;
    const Index below = at(plant.segments, foot).parent;
    const bool held = at(bears, foot) != 0 || below == no_index || at(bears, below) != 0;
    if (!held) continue;
    add_strap(plant, tubes[strap.tube], strap, 1.0 / options.leaf_share, tint_number(plant, first),
              mesh);
  }
  return done;
}

}  // namespace

bool organ_is_drawn(const Organ& organ, std::size_t number, const MeshOptions& options) {
  if (!(organ.length > 0) || !(organ.width > 0)) return false;
  return !is_thinned(organ) || unit_from_bits(mix_bits(number, 0x1eaf)) < options.leaf_share;
}

SkinnedMesh build_mesh(const Plant& plant, const MeshOptions& options, const PlantFrame& stands) {
  THIGMO_ASSERT(options.sides_min >= 3 && options.sides_max >= options.sides_min);
  THIGMO_ASSERT(options.leaf_rows >= 2);
  SkinnedMesh mesh;
  mesh.rest = rest_pose(plant, stands);
  std::vector<TubeShape> shapes;
  if (options.tubes) shapes = tube_shapes(plant, mesh.rest, options);
  reserve_for(shapes, options.organs ? largest_organs(plant, options) : MeshSize{}, mesh);
  add_tubes(plant, shapes, mesh);
  shapes = {};
  if (!options.organs) return mesh;
  const double reach = plant_reach(plant, mesh.rest);
  const std::vector<Tube> tubes = find_tubes(plant, options);
  std::vector<Organ> seated;
  if (options.min_radius > 0) seated = seated_organs(plant, mesh.rest, tubes, options);
  const std::vector<Organ>& organs = seated.empty() ? plant.organs : seated;
  std::vector<char> done;
  for (const Surface surface : all_surfaces) {
    const std::size_t first_index = mesh.indices.size();
    if (surface == Surface::leaf) done = add_straps(plant, tubes, options, mesh);
    for (std::size_t i = 0; i < organs.size(); ++i) {
      const Organ& organ = organs[i];
      if (organ.segment == no_index) continue;
      if (organ_surface(organ.kind) != surface || !organ_is_drawn(organ, i, options)) continue;
      if (surface == Surface::leaf && done[i] != 0) continue;
      const OrganLook look{.organ = static_cast<Index>(i),
                           .number = tint_number(plant, i),
                           .rows = organ_rows(organ, reach, options)};
      add_organ(grown_for_share(organ, options), look, options, mesh);
    }
    add_part(surface, first_index, mesh);
  }
  return mesh;
}

}  // namespace thigmo
