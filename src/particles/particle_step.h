#pragma once

#include "mechanics/model/loads.h"
#include "mechanics/step/step.h"
#include "particles/particle_plant.h"

namespace thigmo {

// Moves a plant of particles by dt (Li 2012, section 3.1): Verlet's step under weight, forces and air, then the
// constraints. What is stiff follows from the step and the iterations, not from the wood. Where a place is no number
// the plant stays where it was, and the report is not finite.
StepReport step_particles(const Plant& plant, const Mechanism& mechanism, const Loads& loads,
                          double dt, State& state, ParticlePlant& particles);

}  // namespace thigmo
