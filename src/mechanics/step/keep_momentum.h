#pragma once

#include "mechanics/kinematics/momentum.h"

namespace thigmo {

// Gives a free plant that only its weight acts on the place and motion as a whole that a substep of h must lead to:
// with p its momentum, x its centre of mass and L its angular momentum about that,
//   p₁ = p₀ + m g h,  x₁ = x₀ + p₀ h/m + ½ g h²,  L₁ = L₀.
// The scheme's own are of second order in h, of joints that turn fast. How it is bent and its joints move stays.
// Not after something else has acted: the accelerations pass a part of that force on to the substeps that follow.
void keep_momentum(const Mechanism& mechanism, const Vec3& gravity_world, double h,
                   const State& before, State& after);

}  // namespace thigmo
