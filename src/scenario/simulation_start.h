#pragma once

#include "scenario/make_simulation.h"

namespace thigmo {

// How a plant stands at the start: what its scenario says, or what is usual for its kind.
StartPose start_of(const PlantSource& source, const Plant& plant);
// What is to be said of how a plant stands as modelled; refused where it was asked to and cannot.
Result<Done> judge_standing(const PlantSource& source, const InverseReport& report,
                            Diagnostics& notes);
// Lets a plant settle under the forces that act at the start, where it is to start in equilibrium.
Result<Done> settle(const PlantSource& source, std::size_t number, Simulation& simulation);
// Notes of plants that start at rest in a pose that nothing holds them in: straight rods set upright.
void warn_of_pencils(const Scenario& scenario, Simulation& simulation);

}  // namespace thigmo
