#pragma once

#include <algorithm>
#include <vector>

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

// Trilinear between the eight nodes around a point.
[[gnu::always_inline]] inline Vec3 air_velocity(const AirLattice& air, const Vec3& point_world) {
  typedef double Four __attribute__((vector_size(32)));
  struct Cell {
    int low;
    int step;     // to the high node, in nodes along this axis
    double part;  // of the high node
  };
  const auto cell = [](double coordinate, int nodes) {
    const double inside = std::min(std::max(coordinate, 0.0), static_cast<double>(nodes - 1));
    const int low = std::min(static_cast<int>(inside), std::max(nodes - 2, 0));
    return Cell{low, nodes > 1 ? 1 : 0, inside - low};
  };
  const double per_length = 1.0 / air.spacing;
  const Cell x = cell((point_world.x - air.origin_world.x) * per_length, air.nodes_x);
  const Cell y = cell((point_world.y - air.origin_world.y) * per_length, air.nodes_y);
  const Cell z = cell((point_world.z - air.origin_world.z) * per_length, air.nodes_z);
  const AirNode* node =
      air.velocity_world.data() + (z.low * air.nodes_y + y.low) * air.nodes_x + x.low;
  const auto read = [](const AirNode* at) { return Four{at->x, at->y, at->z, at->unused}; };
  const auto along_x = [&](const AirNode* at) {
    const Four low = read(at), high = read(at + x.step);
    return low + (high - low) * Four{x.part, x.part, x.part, x.part};
  };
  const auto along_y = [&](const AirNode* at) {
    const Four low = along_x(at), high = along_x(at + y.step * air.nodes_x);
    return low + (high - low) * Four{y.part, y.part, y.part, y.part};
  };
  const Four low = along_y(node), high = along_y(node + z.step * air.nodes_x * air.nodes_y);
  const Four all = low + (high - low) * Four{z.part, z.part, z.part, z.part};
  return {all[0], all[1], all[2]};
}

}  // namespace thigmo
