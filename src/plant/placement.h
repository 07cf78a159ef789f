#pragma once

#include "plant/plant.h"

namespace thigmo {

// Where one of several equal plants stands: moved, and turned about the vertical (y) through its foot,
// which is where its first segment starts.
struct Placement {
  Vec3 shift_world;  // [m]
  double turn = 0;   // [rad]
};

// The turn as a rotation.
Quat rotation_of(const Placement& placement);

// The plant as if it had been made there.
Plant placed(const Plant& plant, const Placement& placement);

// The rest pose of the plant placed so.
Pose rest_pose(const Plant& plant, const Placement& placement);

}  // namespace thigmo
