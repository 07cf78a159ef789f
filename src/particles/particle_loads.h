#pragma once

#include "mechanics/model/loads.h"
#include "particles/particle_plant.h"

namespace thigmo {

// The change of the velocity of every particle in a step by weight, forces at points and the air, into
// scratch.velocity_gain. Grabs and the ground act while constraints are relaxed.
void find_velocity_gains(const Plant& plant, const Mechanism& mechanism, const Loads& loads,
                         const RootState& root, double dt, ParticlePlant& particles);

}  // namespace thigmo
