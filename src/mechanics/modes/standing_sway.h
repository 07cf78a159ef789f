#pragma once

#include "mechanics/modes/sway.h"

namespace thigmo {

// The main sway of a plant that weighs on itself, with all that its weight does to stiffness: lifted and
// lowered bodies, and the moments that its joints carry. Elastic frequency 0: in this pose it would fall.
// Without a state about the rest pose. `damping_ratio`: of all stiffness while the root is shaken. What
// joints carry is in either case what holds the pose.
Sway standing_sway(const Mechanism& mechanism, const Vec3& gravity_world, const State* state,
                   double damping_ratio);

}  // namespace thigmo
