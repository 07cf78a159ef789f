#pragma once

#include <algorithm>
#include <vector>

#include "math/vector.h"

namespace thigmo {

// Air velocity around a plant at one moment, on a regular lattice; outside it the nearest edge
// value holds. One node means the same velocity everywhere.
struct AirLattice {
  Vec3 origin_world;   // first node [m]
  double spacing = 1;  // [m]
  int nodes_x = 1, nodes_y = 1, nodes_z = 1;
  std::vector<Vec3> velocity_world;  // x fastest, then y, then z [m/s]
};

[[gnu::always_inline]] inline Vec3 air_node(const AirLattice& air, int x, int y, int z) {
  return air.velocity_world[static_cast<std::size_t>((z * air.nodes_y + y) * air.nodes_x + x)];
}

// Trilinear between the eight nodes around a point.
[[gnu::always_inline]] inline Vec3 air_velocity(const AirLattice& air, const Vec3& point_world) {
  if (air.velocity_world.size() == 1) return air.velocity_world[0];
  struct Cell {
    int low;
    int high;
    double part;  // of the high node
  };
  const auto place = [](double coordinate, int nodes) {
    const double inside = std::min(std::max(coordinate, 0.0), static_cast<double>(nodes - 1));
    const int low = std::min(static_cast<int>(inside), std::max(nodes - 2, 0));
    return Cell{low, std::min(low + 1, nodes - 1), inside - low};
  };
  const Vec3 at = (point_world - air.origin_world) / air.spacing;
  const Cell x = place(at.x, air.nodes_x), y = place(at.y, air.nodes_y),
             z = place(at.z, air.nodes_z);
  const auto along_x = [&](int iy, int iz) {
    return air_node(air, x.low, iy, iz) * (1 - x.part) + air_node(air, x.high, iy, iz) * x.part;
  };
  const auto along_y = [&](int iz) {
    return along_x(y.low, iz) * (1 - y.part) + along_x(y.high, iz) * y.part;
  };
  return along_y(z.low) * (1 - z.part) + along_y(z.high) * z.part;
}

}  // namespace thigmo
