#pragma once

// The way that the bodies go in a substep, as works are counted along it.

#include <vector>

#include "mechanics/kernel/joint_pass.h"
#include "mechanics/kernel/step_kernel.h"
#include "mechanics/kinematics/momentum.h"

namespace thigmo {

// World axes.
struct Velocity {
  Vec3 omega;  // of a body [rad/s]
  Vec3 joint;  // of its joint [m/s]
};

// The last body is the pot.
struct Way {
  std::vector<Velocity> velocity;      // that works are counted with
  std::vector<Inertia<double>> gap;    // M u - p of each body and beyond, scratch
  std::vector<Answer<double>> answer;  // scratch
};

Way make_way(std::size_t body_count);

// Finds it for a substep from one state to another; `middle` is where it took the forces. All motions have
// the root behind the last body.
void find_way(const Mechanism& mechanism, const Scheme& scheme, const State& before,
              const State& after, const std::vector<BodyMotion>& start,
              const std::vector<BodyMotion>& middle, const std::vector<BodyMotion>& end, Way& way);

}  // namespace thigmo
