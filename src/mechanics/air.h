#pragma once

#include <algorithm>
#include <vector>

#include "math/lanes.h"
#include "math/vector.h"

namespace thigmo {

// Four numbers for three, so that a node is read and weighted as one vector.
struct alignas(32) AirNode {
  double x = 0, y = 0, z = 0, unused = 0;  // [m/s], world
};

// Air velocity around a plant at one moment, on a regular lattice; outside it the nearest edge
// value holds. One node means the same velocity everywhere.
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

  typedef double Four __attribute__((vector_size(32)));
  const auto read = [](const AirNode* at) { return Four{at->x, at->y, at->z, at->unused}; };
  const auto between = [](Four low, Four high, double part) {
    return low + (high - low) * Four{part, part, part, part};
  };
  const int step_x = air.nodes_x > 1 ? 1 : 0;
  const int step_y = air.nodes_y > 1 ? air.nodes_x : 0;
  const int step_z = air.nodes_z > 1 ? air.nodes_x * air.nodes_y : 0;
  Vec3T<Real> velocity;
  for (int l = 0; l < Real::width; ++l) {
    const AirNode* node = air.velocity_world.data() + static_cast<int>(first[l]);
    const auto along_x = [&](const AirNode* at) {
      return between(read(at), read(at + step_x), x.part[l]);
    };
    const auto along_y = [&](const AirNode* at) {
      return between(along_x(at), along_x(at + step_y), y.part[l]);
    };
    const Four all = between(along_y(node), along_y(node + step_z), z.part[l]);
    velocity.x.set(l, all[0]);
    velocity.y.set(l, all[1]);
    velocity.z.set(l, all[2]);
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
