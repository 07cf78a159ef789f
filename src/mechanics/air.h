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

// Linear between the eight nodes around each of a pack's points, the ragged part raised to the variance
// it has at nodes. A coordinate that is not a number counts as the first node's.
template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> air_velocity(const AirLattice& air,
                                                       const Vec3T<Real>& point_world) {
  struct Cells {
    Real low, part;  // of the high node
  };
  const Real zero(0.0);
  const auto cells = [&](int axis, double spacing, int nodes) {
    const Vec3& unit = air.axes_world[static_cast<std::size_t>(axis)];
    const Real coordinate =
        point_world.x * Real(unit.x) + point_world.y * Real(unit.y) + point_world.z * Real(unit.z);
    const Real from_first = coordinate - Real(air.first[static_cast<std::size_t>(axis)]);
    const Real inside = lane_min(lane_max(from_first * Real(1.0 / spacing), zero),
                                 Real(static_cast<double>(nodes - 1)));
    const Real low =
        lane_whole(lane_min(inside, Real(static_cast<double>(std::max(nodes - 2, 0)))));
    return Cells{low, inside - low};
  };
  const Cells along = cells(0, air.spacing_along, air.nodes_along);
  const Cells across = cells(1, air.spacing_across, air.nodes_across);
  const Cells up = cells(2, air.spacing_across, air.nodes_up);
  const Real raise = restoring_factor(across.part) * restoring_factor(up.part) - Real(1.0);
  const Real places(1.0 * air.nodes_along);
  const Real in_ring = along.low + Real(1.0 * air.ring_start);
  const Real place = in_ring - places * lane_step(in_ring - places + Real(0.5));
  const Real first =
      (up.low * Real(1.0 * air.nodes_across) + across.low) * (places + Real(1.0)) + place;

  // Two nodes beside each other along the wind are 16 floats, in vectors that the processor has.
#ifdef __AVX__
  constexpr int floats = 8;
#else
  constexpr int floats = 4;
#endif
  typedef float Vector __attribute__((vector_size(4 * floats), may_alias));
  typedef float Four __attribute__((vector_size(16), may_alias));
  constexpr int a_node = 8 / floats, a_pair = 2 * a_node;
  const int step_across = a_node * (air.nodes_along + 1), step_up = step_across * air.nodes_across;
  Vec3T<Real> velocity;
  for (int l = 0; l < Real::width; ++l) {
    const auto along_high = static_cast<float>(along.part[l]);
    const auto across_high = static_cast<float>(across.part[l]);
    const auto up_high = static_cast<float>(up.part[l]);
    const float high_high = across_high * up_high, low_high = up_high - high_high,
                high_low = across_high - high_high, low_low = 1 - up_high - high_low;
    const auto* row =
        reinterpret_cast<const Vector*>(air.velocity_world.data() + static_cast<int>(first[l]));
    const Vector *row_across = row + step_across, *row_up = row + step_up,
                 *row_both = row_up + step_across;
    alignas(32) Vector pair[a_pair];
    for (int i = 0; i < a_pair; ++i) {
      pair[i] = row[i] * low_low + row_across[i] * high_low +
                (row_up[i] * low_high + row_both[i] * high_high);
    }
    for (int i = 0; i < a_node; ++i) pair[i] += (pair[a_node + i] - pair[i]) * along_high;
    const auto* parts = reinterpret_cast<const Four*>(pair);
    const Four all = parts[0] + parts[1] * static_cast<float>(raise[l]);
    velocity.x.set(l, static_cast<double>(all[0]));
    velocity.y.set(l, static_cast<double>(all[1]));
    velocity.z.set(l, static_cast<double>(all[2]));
  }
  return velocity;
}

// The same at one point.
inline Vec3 air_velocity(const AirLattice& air, const Vec3& point_world) {
  struct Plain;
  using One = Single<Plain>;
  if (air.velocity_world.size() == 1) {
    const AirNode& node = air.velocity_world[0];
    return {node.x, node.y, node.z};
  }
  const Vec3T<One> v = air_velocity(air, Vec3T<One>{point_world.x, point_world.y, point_world.z});
  return {v.x.value, v.y.value, v.z.value};
}

}  // namespace thigmo
