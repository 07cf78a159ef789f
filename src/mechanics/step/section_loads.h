#pragma once

#include <vector>

#include "mechanics/kinematics/state.h"
#include "mechanics/model/loads.h"

namespace thigmo {

// What the section at a segment's base carries while the plant moves: of what is beyond on what is before.
struct MovingSectionLoad {
  Vec3 force_world;   // [N]
  Vec3 moment_world;  // of the joint's spring and damper [N m]
  double stress = 0;  // extreme fibre, of tension or pressure and bending [Pa]
};

// Of every segment. The force is what is beyond weighs, catches of the air and bears of forces and grabs, less what
// its acceleration in the last step takes; the ground's pushes are left out.
std::vector<MovingSectionLoad> moving_section_loads(const Plant& plant, const Mechanism& mechanism,
                                                    const Loads& loads, const State& state);

}  // namespace thigmo
