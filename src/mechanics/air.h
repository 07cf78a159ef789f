#pragma once

#include <algorithm>
#include <vector>

#include "math/lanes.h"
#include "math/vector.h"

namespace thigmo {

// Four numbers for three, so that a node is read and weighted as one vector.
struct alignas(16) AirNode {
  float x = 0, y = 0, z = 0, unused = 0;  // [m/s], world
};

inline AirNode air_node(const Vec3& velocity_world) {
  return {static_cast<float>(velocity_world.x), static_cast<float>(velocity_world.y),
          static_cast<float>(velocity_world.z)};
}

// Air velocity around a plant at one moment, on a regular lattice; outside it the nearest edge
// value holds. One node means the same velocity everywhere; else there are two or more along each axis.
struct AirLattice {
  Vec3 origin_world;   // first node [m]
  double spacing = 1;  // [m]
  int nodes_x = 1, nodes_y = 1, nodes_z = 1;
  std::vector<AirNode> velocity_world;  // x fastest, then y, then z
};

// Trilinear between the eight nodes around each of a pack's points. A coordinate that is not a number
// counts as the first node's.
template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> air_velocity(const AirLattice& air,
                                                       const Vec3T<Real>& point_world) {
  struct Cells {
    Real low, part;  // of the high node
  };
  const Real per_length(1.0 / air.spacing), zero(0.0);
  const auto cells = [&](const Real& coordinate, double origin, int nodes) {
    const Real inside = lane_min(lane_max((coordinate - Real(origin)) * per_length, zero),
                                 Real(static_cast<double>(nodes - 1)));
    const Real low =
        lane_whole(lane_min(inside, Real(static_cast<double>(std::max(nodes - 2, 0)))));
    return Cells{low, inside - low};
  };
  const Cells x = cells(point_world.x, air.origin_world.x, air.nodes_x);
  const Cells y = cells(point_world.y, air.origin_world.y, air.nodes_y);
  const Cells z = cells(point_world.z, air.origin_world.z, air.nodes_z);
  const Real first = (z.low * Real(1.0 * air.nodes_y) + y.low) * Real(1.0 * air.nodes_x) + x.low;

  // Two nodes beside each other along x are one load.
  typedef float Eight __attribute__((vector_size(32), aligned(16), may_alias));
  const auto between = [](Eight low, Eight high, float part) { return low + (high - low) * part; };
  const int step_y = air.nodes_x, step_z = air.nodes_x * air.nodes_y;
  Vec3T<Real> velocity;
  for (int l = 0; l < Real::width; ++l) {
    const AirNode* node = air.velocity_world.data() + static_cast<int>(first[l]);
    const auto read = [](const AirNode* at) { return *reinterpret_cast<const Eight*>(at); };
    const auto along_y = [&](const AirNode* at) {
      return between(read(at), read(at + step_y), static_cast<float>(y.part[l]));
    };
    const Eight pair =
        between(along_y(node), along_y(node + step_z), static_cast<float>(z.part[l]));
    const auto low = __builtin_shufflevector(pair, pair, 0, 1, 2, 3);
    const auto high = __builtin_shufflevector(pair, pair, 4, 5, 6, 7);
    const auto all = low + (high - low) * static_cast<float>(x.part[l]);
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
  const Vec3T<One> v = air_velocity(air, Vec3T<One>{point_world.x, point_world.y, point_world.z});
  return {v.x.value, v.y.value, v.z.value};
}

}  // namespace thigmo
