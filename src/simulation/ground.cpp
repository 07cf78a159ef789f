#include "simulation/ground.h"

#include <cmath>

namespace thigmo {

Ground ground_for(const GroundForm& form, const Mechanism& mechanism) {
  double mass = mechanism.pot_mass;
  for (const Body& body : mechanism.body) mass += body.mass;
  // One millimetre under the whole weight, a quarter of critical damping for the whole mass.
  const double stiffness = form.stiffness.value_or(mass * 9.81 / 1e-3);
  return {.height = form.height,
          .stiffness = stiffness,
          .damping = form.damping.value_or(0.5 * std::sqrt(stiffness * mass)),
          .friction = form.friction};
}

}  // namespace thigmo
