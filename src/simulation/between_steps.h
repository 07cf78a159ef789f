#pragma once

#include <vector>

#include "simulation/simulation.h"

namespace thigmo {

// Where a step began: with where it ended, what poses between steps are found from.
struct StepBegin {
  double time = 0;                            // [s]
  std::vector<State> states;                  // of each plant; empty: nothing is known of it
  std::vector<ParticleState> particles = {};  // of those that they move
};

void keep(const Simulation& simulation, StepBegin& begin);

// Times that are nearer than this part of a step are the same: those of frames and of steps differ by rounding.
inline constexpr double same_instant = 1e-6;

// The pose of every plant at a time of the last step, smooth from step to step: joints turn along
// cubics that have their angles and velocities at both ends.
void poses_at(const Simulation& simulation, const StepBegin& begin, double time,
              std::vector<Pose>& poses);

}  // namespace thigmo
