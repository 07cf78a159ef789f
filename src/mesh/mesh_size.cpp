#include "mesh/mesh_size.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "base/budget.h"
#include "mesh/build.h"
#include "mesh/organ.h"
#include "mesh/prune.h"
#include "mesh/strap.h"
#include "mesh/tube.h"
#include "mesh/weld.h"

namespace thigmo {
namespace {

// With the positions and normals of a frame beside those at rest.
constexpr double bytes_of_vertex = 5 * sizeof(Vec3f) + sizeof(Vec4f) + sizeof(Vec2f);
constexpr double bytes_of_corner = sizeof(std::uint32_t);
constexpr double bytes_of_group = sizeof(SkinGroup) + sizeof(Ring) + sizeof(Vec3);

// Of tube_rings: a joint has five at most, three where it turns by less than 12°; a side branch begins with
// one, a corner and a collar's four; a tip has four; a dome and a disc are two more. A hole that a branch is
// stitched to takes some of its parent's wall, and rings at its ends.
constexpr double rings_of_joint = 5, rings_of_straight_joint = 3, rings_of_ends = 16,
                 rings_of_hole = 8;
// Rows of a strap beyond its tip.
constexpr double rows_of_tip = 6, columns_of_strap = 5;

constexpr double straight_cosine = 0.979;  // of 11.8°, so that rounding does not matter

void add_tube_size(const Plant& plant, const Tube& tube, double around, MeshSize& size) {
  double rings = rings_of_ends;
  for (std::size_t k = 1; k < tube.segments.size(); ++k) {
    const Segment& s = at(plant.segments, tube.segments[k]);
    const bool follows = s.parent == tube.segments[k - 1];
    const double cosine = rotate(s.parent_from_segment, Vec3{0, 1, 0}).y;
    rings += follows && cosine > straight_cosine ? rings_of_straight_joint : rings_of_joint;
  }
  size.vertices += rings * around + 2;
  size.corners += 6 * rings * around;
  size.groups += rings + 2;
}

double around_of(const Plant& plant, const Tube& tube, int sides) {
  const auto first = as_size(tube.segments.front());
  return is_rectangle(plant.segments[first]) ? 8.0 : sides + 1.0;
}

MeshSize flat_tubes(const Plant& plant, const MeshOptions& options) {
  MeshSize size;
  for (const Tube& tube : find_tubes(plant, options)) {
    if (is_flat(plant, tube))
      add_tube_size(plant, tube, around_of(plant, tube, options.sides_max), size);
  }
  return size;
}

void add(const MeshSize& more, MeshSize& size) {
  size.vertices += more.vertices;
  size.corners += more.corners;
  size.groups += more.groups;
}

}  // namespace

MeshSize largest_tubes(const Plant& plant, const MeshOptions& options) {
  MeshSize size;
  const std::vector<Tube> tubes = find_tubes(plant, options);
  const std::vector<int> sides = sides_of_tubes(plant, tubes, options);
  const std::vector<char> drawn = drawn_tubes(plant, tubes, options);
  for (std::size_t t = 0; t < tubes.size(); ++t) {
    if (drawn[t] == 0) continue;
    add_tube_size(plant, tubes[t], around_of(plant, tubes[t], sides[t]), size);
    if (!options.weld) continue;
    const double wall = rings_of_hole * (options.sides_max + 1.0);
    add({.vertices = wall, .corners = 6 * wall, .groups = rings_of_hole}, size);
  }
  return size;
}

MeshSize largest_organs(const Plant& plant, const MeshOptions& options) {
  MeshSize size;
  std::vector<char> done(plant.organs.size(), 0);
  if (std::any_of(plant.organs.begin(), plant.organs.end(), is_narrow_leaf)) {
    for (const Strap& strap : find_straps(plant, find_tubes(plant, options), options)) {
      const double rows =
          rings_of_ends + rows_of_tip + rings_of_joint * static_cast<double>(strap.pieces.size());
      for (const Index piece : strap.pieces) at(done, piece) = 1;
      add({.vertices = columns_of_strap * rows,
           .corners = 6 * columns_of_strap * rows,
           .groups = rows},
          size);
    }
  }
  const double reach = plant.organs.empty() ? 0 : plant_reach(plant, rest_pose(plant));
  // Those of one kind, outline and fineness are of one size.
  std::map<std::tuple<OrganKind, std::int16_t, int>, MeshSize> sizes;
  for (std::size_t i = 0; i < plant.organs.size(); ++i) {
    const Organ& organ = plant.organs[i];
    if (done[i] != 0 || !organ_is_drawn(organ, i, options)) continue;
    const int rows = organ_rows(organ, reach, options);
    const auto [found, is_new] = sizes.try_emplace({organ.kind, organ.shape, rows});
    if (is_new) {
      const OrganSurface shape = drawn_organ(organ, {.rows = rows}, options);
      found->second = {.vertices = static_cast<double>(shape.positions.size()),
                       .corners = static_cast<double>(shape.indices.size()),
                       .groups = 1};
    }
    add(found->second, size);
  }
  return size;
}

Result<Done> check_mesh(std::span<const MovingPlant> plants, const MeshOptions& options,
                        MeshUse use) {
  MeshSize all;
  for (const MovingPlant& moving : plants) {
    const Plant& plant = *moving.plant;
    if (use == MeshUse::picture) {
      add(flat_tubes(plant, options), all);
    } else if (options.tubes) {
      add(largest_tubes(plant, options), all);
    }
    if (options.organs) add(largest_organs(plant, options), all);
  }
  Budget budget;
  for (const auto& [count, bytes, what] :
       {std::tuple{all.vertices, bytes_of_vertex, "vertices of the mesh"},
        {all.corners, bytes_of_corner, "corners of the mesh's triangles"},
        {all.groups, bytes_of_group, "rings and organs of the mesh"}}) {
    if (const Result<Done> done = spend(budget, count, bytes, what); !done) {
      Diagnostic wrong = done.diagnostics().front();
      wrong.hint =
          "keep a part of the leaves (--leaf-share 0.1), give stems fewer sides (--sides 5), "
          "leave thin ones out (--min-radius 0.002), or give organs a simpler mesh";
      return wrong;
    }
  }
  return Done{};
}

}  // namespace thigmo
