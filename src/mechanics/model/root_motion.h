#pragma once

#include <array>
#include <vector>

#include "plant/plant.h"

namespace thigmo {

// What holds a plant's root.
enum class RootHold : std::uint8_t {
  clamped,  // it stays where it is
  on_path,  // something moves it: a hand, a vehicle, a quake
  free,     // nothing: a cut branch, a thrown pot
};

// Where the frame of a plant is, how it is turned, how it moves and what holds it. A point of the plant
// at p is at position + R p in the world.
struct RootState {
  Vec3 position_world;               // [m]
  Quat world_from_plant;             // R
  Vec3 velocity_world, accel_world;  // [m/s], [m/s²]
  Vec3 omega_plant, alpha_plant;     // angular, in the plant's own axes [rad/s], [rad/s²]
  RootHold hold = RootHold::clamped;
};

inline bool is_free(const RootState& root) { return root.hold == RootHold::free; }
inline PlantFrame frame_of(const RootState& root) {
  return {.origin_world = root.position_world, .world_from_plant = root.world_from_plant};
}

// A motion of a root: a smooth curve (cubic spline) through given displacements and rotation vectors, at
// rest before the first and after the last.
struct RootPath {
  std::vector<double> time;                      // ascending [s]
  std::array<std::vector<double>, 6> value;      // x, y, z [m], rotation vector x, y, z [rad]
  std::array<std::vector<double>, 6> curvature;  // their second derivatives at those times
  PlantFrame start = {};                         // where the root stands without them
};

// `time` has at least two, ascending, entries.
RootPath make_root_path(std::vector<double> time, std::array<std::vector<double>, 6> value);

RootState root_at(const RootPath& path, double time);

}  // namespace thigmo
