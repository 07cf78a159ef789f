#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "math/lanes.h"
#include "math/vector.h"

namespace thigmo {

// Eight numbers for six, so that a node is read and weighted as one vector.
struct alignas(32) AirNode {
  float x = 0, y = 0, z = 0, unused = 0;  // velocity [m/s], world
  // What of it neighbours across the wind do not share: the interpolation makes up for what it loses.
  float ragged_x = 0, ragged_y = 0, ragged_z = 0, ragged_unused = 0;  // [m/s], world
};

inline AirNode air_node(const Vec3& velocity_world, const Vec3& ragged_world = {}) {
  return {.x = static_cast<float>(velocity_world.x),
          .y = static_cast<float>(velocity_world.y),
          .z = static_cast<float>(velocity_world.z),
          .ragged_x = static_cast<float>(ragged_world.x),
          .ragged_y = static_cast<float>(ragged_world.y),
          .ragged_z = static_cast<float>(ragged_world.z)};
}

// Air velocity around a plant at one moment, on a lattice along, across and up the wind; outside it the
// nearest edge value holds. One node means the same velocity everywhere; else there are two or more
// along each axis. The nodes along the wind are a ring, so that a lattice can move with the air and only
// its newest nodes are written.
struct AirLattice {
  std::array<Vec3, 3> axes_world{Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 1, 0}};  // unit vectors
  std::array<double, 3> first{};                 // node, along them [m]
  double spacing_along = 1, spacing_across = 1;  // [m]; that up is the one across
  int nodes_along = 1, nodes_across = 1, nodes_up = 1;
  int ring_start = 0;  // place of the first node in its ring
  // Along the wind fastest, then across, then up. A ring ends with a copy of its first place.
  std::vector<AirNode> velocity_world;
};

// A weighted mean of two values that have nothing in common has the variance a² + b² of its weights,
// here 1 - 2t with t = a b. 1/√(1 - 2t) for t up to 1/4, to 0.2 %.
template <class Real>
[[gnu::always_inline]] inline Real restoring_factor(const Real& part) {
  const Real one(1.0), t = part * (one - part);
  return one + t * (one + t * (Real(1.17426) + t * Real(5.81266)));
}

// A lattice as packs of points read it.
struct AirView {
  struct Axis {
    Vec3 cells_per_m;  // along x, y, z [1/m]
    double first = 0;  // node [cells]
    double last_cell = 0, last_node = 0;
  };
  std::array<Axis, 3> axes;  // along, across, up
  double places = 1, ring_start = 0, ring = 2, nodes_across = 1;
  const AirNode* nodes = nullptr;
  int nodes_to_across = 0, nodes_to_up = 0;  // from a node to the next
  bool uniform = true;                       // one node
};

inline AirView view_of(const AirLattice& air) {
  const auto axis = [&air](std::size_t i, double spacing, int nodes) {
    return AirView::Axis{.cells_per_m = air.axes_world[i] / spacing,
                         .first = air.first[i] / spacing,
                         .last_cell = static_cast<double>(std::max(nodes - 2, 0)),
                         .last_node = static_cast<double>(nodes - 1)};
  };
  const int ring = air.nodes_along + 1;
  return {.axes = {axis(0, air.spacing_along, air.nodes_along),
                   axis(1, air.spacing_across, air.nodes_across),
                   axis(2, air.spacing_across, air.nodes_up)},
          .places = static_cast<double>(air.nodes_along),
          .ring_start = static_cast<double>(air.ring_start),
          .ring = static_cast<double>(ring),
          .nodes_across = static_cast<double>(air.nodes_across),
          .nodes = air.velocity_world.data(),
          .nodes_to_across = ring,
          .nodes_to_up = ring * air.nodes_across,
          .uniform = air.velocity_world.size() == 1};
}

// Asks for all of a lattice's memory, in order: a plant's bodies would ask for it here and there, one after
// the other, where other plants have driven it out of the caches since the last step.
inline void fetch(const AirLattice& air) {
  constexpr std::size_t nodes_a_line = 64 / sizeof(AirNode);
  for (std::size_t i = 0; i < air.velocity_world.size(); i += nodes_a_line)
    __builtin_prefetch(&air.velocity_world[i], 0, 2);
}

// The nodes around a point, and how much each of them counts.
struct AirCorner {
  int first;  // of the eight nodes: the lowest along, across and up
  float along_high;
  float low_low, high_low, low_high, high_high;  // across and up
  float raise;                                   // of the ragged part, beyond one
};

typedef float FourFloats __attribute__((vector_size(16), may_alias));

// Linear between the eight nodes around a point, the ragged part raised to the variance it has at nodes:
// x, y, z and a number of no use.
[[gnu::always_inline]] inline FourFloats air_between(const AirView& air, const AirCorner& corner) {
  // Two nodes beside each other along the wind are 16 floats, in vectors that the processor has.
#ifdef __AVX__
  constexpr int floats = 8;
#else
  constexpr int floats = 4;
#endif
  typedef float Vector __attribute__((vector_size(4 * floats), may_alias));
  constexpr int a_node = 8 / floats, a_pair = 2 * a_node;
  const int step_across = a_node * air.nodes_to_across, step_up = a_node * air.nodes_to_up;
  const auto* row = reinterpret_cast<const Vector*>(air.nodes + corner.first);
  const Vector *row_across = row + step_across, *row_up = row + step_up,
               *row_both = row_up + step_across;
  alignas(32) Vector pair[a_pair];
  for (int i = 0; i < a_pair; ++i) {
    pair[i] = row[i] * corner.low_low + row_across[i] * corner.high_low +
              (row_up[i] * corner.low_high + row_both[i] * corner.high_high);
  }
  for (int i = 0; i < a_node; ++i) pair[i] += (pair[a_node + i] - pair[i]) * corner.along_high;
  const auto* parts = reinterpret_cast<const FourFloats*>(pair);
  return parts[0] + parts[1] * corner.raise;
}

// The first three numbers of four rows, by columns.
struct ThreeColumns {
  FourFloats x, y, z;
};
[[gnu::always_inline]] inline ThreeColumns columns_of(const FourFloats* row) {
  const FourFloats xy01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
                   xy23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5),
                   z01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
                   z23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  return {__builtin_shufflevector(xy01, xy23, 0, 1, 4, 5),
          __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7),
          __builtin_shufflevector(z01, z23, 0, 1, 4, 5)};
}

// As lanes, one row each.
template <class Target>
[[gnu::always_inline]] inline Vec3T<Lanes<Target, 4>> lanes_of_rows(
    const FourFloats* row, const Lanes<Target, 4>& /*kind*/) {
  const ThreeColumns c = columns_of(row);
  const auto wide = [](const FourFloats& column) { return Lanes<Target, 4>(widened(column)); };
  return {wide(c.x), wide(c.y), wide(c.z)};
}
template <class Target>
[[gnu::always_inline]] inline Vec3T<Lanes<Target, 8>> lanes_of_rows(
    const FourFloats* row, const Lanes<Target, 8>& /*kind*/) {
  const ThreeColumns c = columns_of(row), d = columns_of(row + 4);
  const auto wide = [](const FourFloats& low, const FourFloats& high) {
    return Lanes<Target, 8>(widened(__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7)));
  };
  return {wide(c.x, d.x), wide(c.y, d.y), wide(c.z, d.z)};
}
template <class Target>
inline Vec3T<Single<Target>> lanes_of_rows(const FourFloats* row, const Single<Target>& /*kind*/) {
  return {(*row)[0], (*row)[1], (*row)[2]};
}

// At each of a pack's points. A coordinate that is not a number counts as the first node's.
template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> air_velocity(const AirView& air,
                                                       const Vec3T<Real>& point_world) {
  struct Cells {
    Real low, part;  // of the high node
  };
  const Real zero(0.0), one(1.0);
  const auto cells = [&](const AirView::Axis& axis) {
    const Vec3& unit = axis.cells_per_m;
    const Real coordinate = point_world.x * Real(unit.x) + point_world.y * Real(unit.y) +
                            point_world.z * Real(unit.z) - Real(axis.first);
    const Real inside = lane_min(lane_max(coordinate, zero), Real(axis.last_node));
    const Real low = lane_whole(lane_min(inside, Real(axis.last_cell)));
    return Cells{low, inside - low};
  };
  const Cells along = cells(air.axes[0]), across = cells(air.axes[1]), up = cells(air.axes[2]);
  const Real in_ring = along.low + Real(air.ring_start);
  const Real place = in_ring - Real(air.places) * lane_step(in_ring - Real(air.places) + Real(0.5));
  const Real first = (up.low * Real(air.nodes_across) + across.low) * Real(air.ring) + place;
  const Real both = across.part * up.part, across_only = across.part - both,
             up_only = up.part - both;
  const Short<Real> low_low(one - up.part - across_only), high_low(across_only), low_high(up_only),
      high_high(both), along_high(along.part),
      raise(restoring_factor(across.part) * restoring_factor(up.part) - one);
  FourFloats rows[Real::width];
  for (int l = 0; l < Real::width; ++l) {
    rows[l] = air_between(air, {.first = static_cast<int>(first[l]),
                                .along_high = along_high.short_lane(l),
                                .low_low = low_low.short_lane(l),
                                .high_low = high_low.short_lane(l),
                                .low_high = low_high.short_lane(l),
                                .high_high = high_high.short_lane(l),
                                .raise = raise.short_lane(l)});
  }
  return lanes_of_rows(rows, zero);
}

// The same at one point.
inline Vec3 air_velocity(const AirLattice& air, const Vec3& point_world) {
  struct Plain;
  using One = Single<Plain>;
  if (air.velocity_world.size() == 1) {
    const AirNode& node = air.velocity_world[0];
    return {node.x, node.y, node.z};
  }
  const Vec3T<One> v =
      air_velocity(view_of(air), Vec3T<One>{point_world.x, point_world.y, point_world.z});
  return {v.x.value, v.y.value, v.z.value};
}

}  // namespace thigmo
