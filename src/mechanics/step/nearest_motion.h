#pragma once

#include <span>

#include "mechanics/kinematics/state.h"

namespace thigmo {

// Gives a plant the motion that is nearest to how its bodies would move alone, as their masses weigh it: what
// they have of momentum along the motions that the joints allow is kept. A root that is not free moves on.
void take_nearest_motion(const Mechanism& mechanism, std::span<const BodyMotion> alone,
                         State& state);

}  // namespace thigmo
