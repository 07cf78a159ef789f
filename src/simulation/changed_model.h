#pragma once

#include <span>

#include "simulation/simulation.h"

namespace thigmo {

// A model of the plant's own, packed constants included: bodies of it may change.
PlantModel& model_to_change(SimulatedPlant& plant);

// Lets the next step see what has changed of bodies: springs by `softer` at most, masses and lengths by `heavier`.
void take_over(std::span<const Index> bodies, double softer, double heavier, PlantModel& model,
               SimulatedPlant& plant);
// The same where nothing but joints has changed.
void take_over_joints(std::span<const Index> bodies, double softer, PlantModel& model,
                      SimulatedPlant& plant);

}  // namespace thigmo
