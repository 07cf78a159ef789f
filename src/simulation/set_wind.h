#pragma once

#include "simulation/simulation.h"

namespace thigmo {

// Lets another wind blow from now on, around all plants. Air that the simulation did not have comes with it.
void set_wind(const Wind& wind, Simulation& simulation);

}  // namespace thigmo
