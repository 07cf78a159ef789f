#pragma once

#include "scenario/scenario.h"
#include "simulation/simulation.h"

namespace thigmo {

// Finds the segments of the edits that come in the course of the scenario, and puts them in order.
Result<Done> add_timeline(const Scenario& scenario, Simulation& simulation);

}  // namespace thigmo
