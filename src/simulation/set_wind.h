#pragma once

#include "simulation/simulation.h"

namespace thigmo {

// Lets another wind come up around all plants within `ease` seconds; at once before the first step, since nothing
// has blown yet. Air that the simulation did not have comes with it.
void set_wind(const Wind& wind, double ease, Simulation& simulation);

}  // namespace thigmo
