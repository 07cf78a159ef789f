#pragma once

#include "particles/particle_model.h"

namespace thigmo {

// The connected components of particles and constraints, in the order of their first constraints; each with the
// number of its iterations, Li (2012), appendix A.1: ⌈√n⌉ where the settings say none.
std::vector<Component> find_components(const ParticleModel& model);

}  // namespace thigmo
