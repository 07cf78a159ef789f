#pragma once

#include <array>
#include <vector>

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

// Multiplies all velocities.
void strengthen(double factor, AirLattice& air);

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

AirView view_of(const AirLattice& air);

// Asks for all of a lattice's memory, in order: a plant's bodies would ask for it here and there, one after
// the other, where other plants have driven it out of the caches since the last step.
void fetch(const AirLattice& air);

// The velocity at a point. A coordinate that is not a number counts as the first node's.
Vec3 air_velocity(const AirLattice& air, const Vec3& point_world);

}  // namespace thigmo
