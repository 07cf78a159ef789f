#pragma once

#include <vector>

#include "mechanics/model/mechanism.h"

namespace thigmo {

// The springs of all joints, from beam theory or as given.
void set_joint_stiffness(const Plant& plant, std::vector<Body>& bodies);

// The springs of the ground behind those of the roots.
void add_root_springs(const Plant& plant, std::vector<Body>& bodies);

}  // namespace thigmo
