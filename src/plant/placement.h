#pragma once

#include "plant/plant.h"

namespace thigmo {

// Where one of several equal plants stands: moved, and turned about the vertical (y) through its root.
struct Placement {
  Vec3 shift_world;  // [m]
  double turn = 0;   // [rad]
};

// The turn as a rotation.
Quat rotation_of(const Placement& placement);

}  // namespace thigmo
