#pragma once

#include "mechanics/model/loads.h"
#include "particles/particle_plant.h"

namespace thigmo {

// Satisfies constraints one after the other, component by component, each for its number of iterations (Jakobsen
// 2001; Li 2012, section 3.1 and appendix A). Grabs and the ground are relaxed along with them.
void relax(const Plant& plant, const Loads& loads, const RootState& root, double dt,
           ParticlePlant& particles);

}  // namespace thigmo
