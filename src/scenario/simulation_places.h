#pragma once

#include "scenario/make_simulation.h"

namespace thigmo {

// Loads, roots, grabs and probes, at the places that the scenario names.
Result<Done> add_forces(const Scenario& scenario, Simulation& simulation);
Result<Done> add_roots(const Scenario& scenario, const ReadFile& read_file, Simulation& simulation);
Result<Done> add_grabs(const Scenario& scenario, const ReadFile& read_file, Simulation& simulation);
Result<Done> add_probes(const Scenario& scenario, Simulation& simulation);

}  // namespace thigmo
