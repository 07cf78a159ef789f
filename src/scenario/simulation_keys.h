#pragma once

#include "scenario/scenario.h"
#include "simulation/simulation.h"

namespace thigmo {

// Lets gravity, wind and woods change as the scenario's keys say.
void add_keyed_values(const Scenario& scenario, Simulation& simulation);

}  // namespace thigmo
