#pragma once

#include <vector>

#include "simulation/simulation.h"

namespace thigmo {

// Where a step began: with where it ended, what poses between steps are found from.
struct StepBegin {
  double time = 0;            // [s]
  std::vector<State> states;  // of each plant; empty: nothing is known of it
};

void keep(const Simulation& simulation, StepBegin& begin);

// The pose of every plant at a time of the last step, smooth from step to step: joints turn along
// cubics that have their angles and velocities at both ends.
void poses_at(const Simulation& simulation, const StepBegin& begin, double time,
              std::vector<Pose>& poses);

}  // namespace thigmo
