#pragma once

#include <array>
#include <vector>

#include "math/rotation.h"

namespace thigmo {

// What a plant stands on: ground, a hand, a pot in the air. A point of the model at p is at
// base_world + displacement + R (p - base_world), base_world being where the plant stands at first.
struct BaseState {
  Vec3 displacement_world;           // [m]
  Quat world_from_base;              // R
  Vec3 velocity_world, accel_world;  // [m/s], [m/s²]
  Vec3 omega_base, alpha_base;       // angular, in the base's own axes [rad/s], [rad/s²]
};

// A motion of the base: a smooth curve (cubic spline) through given displacements and rotation
// vectors, at rest before the first and after the last.
struct BasePath {
  std::vector<double> time;                      // ascending [s]
  std::array<std::vector<double>, 6> value;      // x, y, z [m], rotation vector x, y, z [rad]
  std::array<std::vector<double>, 6> curvature;  // their second derivatives at those times
  Vec3 shift_world = {};                         // of the whole path [m]
  Quat turn = {};                                // that the base has before it turns along
};

// `time` has at least two, ascending, entries.
BasePath make_base_path(std::vector<double> time, std::array<std::vector<double>, 6> value);

BaseState base_at(const BasePath& path, double time);

}  // namespace thigmo
