#pragma once

#include "mechanics/model/mechanism.h"

namespace thigmo {

// Dampers by the plant's damping law, of the wood alone: the roots are clamped here. The damping ratios
// asked for, weighted by where it bends, are those of the main axis's vibration (see main_sway) standing
// under gravity. Sets damping_time and mass_damping.
void set_damping(const Plant& plant, const Vec3& gravity_world, Mechanism& mechanism);

// Once the roots have springs: gives their joints the dampers with which the main axis's vibration has
// the same ratio on them. What the wood has does not depend on how it is held.
void damp_root_springs(const Plant& plant, const Vec3& gravity_world, Mechanism& mechanism);

// D = α M + β K gives a mode of frequency ω the ratio α/(2ω) + βω/2. With ζ₁ at ω₁ and ζ₂ at ω₂:
//   α = 2 ω₁ω₂ (ζ₁ω₂ - ζ₂ω₁)/(ω₂² - ω₁²),  β = 2 (ζ₂ω₂ - ζ₁ω₁)/(ω₂² - ω₁²).
struct RayleighDamping {
  double mass_rate = 0;       // α [1/s]
  double stiffness_time = 0;  // β [s]
};
RayleighDamping rayleigh_damping(const std::array<double, 2>& frequencies,
                                 const std::array<double, 2>& ratios);

}  // namespace thigmo
