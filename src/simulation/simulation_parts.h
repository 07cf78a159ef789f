#pragma once

// What making a simulation of a scenario consists of.

#include "simulation/simulation.h"

namespace thigmo {

// Loads, feet, hands and probes, at the places that the scenario names.
Result<Done> add_forces(const Scenario& scenario, Simulation& simulation);
Result<Done> add_roots(const Scenario& scenario, const ReadFile& read_file, Simulation& simulation);
Result<Done> add_hands(const Scenario& scenario, const ReadFile& read_file, Simulation& simulation);
Result<Done> add_probes(const Scenario& scenario, Simulation& simulation);

// How a plant stands at the start: what its scenario says, or what is usual for its kind.
StartPose start_of(const PlantSource& source, const Plant& plant);
// Puts a plant into the pose that it starts in, under the forces that act then.
Result<Done> set_start(const PlantSource& source, std::size_t number, Simulation& simulation);
// Notes of plants that start at rest in a pose that nothing holds them in: straight rods set upright.
void warn_of_pencils(const Scenario& scenario, Simulation& simulation);

}  // namespace thigmo
