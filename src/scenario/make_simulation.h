#pragma once

#include <functional>

#include "scenario/scenario.h"
#include "simulation/simulation.h"

namespace thigmo {

// Reads a tree from elsewhere; what had to be completed is added to the notes.
using ReadTree = std::function<Result<Plant>(const TreeSource&, Diagnostics& notes)>;

// Grows the plants, compiles their mechanisms, finds the places of forces and probes. Equal plants share
// a model where gravity is the same to them. Files that the scenario names are read through `read_file`,
// trees from elsewhere through `read_tree`.
Result<Simulation> make_simulation(const Scenario& scenario, const ReadFile& read_file,
                                   const ReadTree& read_tree = {});

}  // namespace thigmo
