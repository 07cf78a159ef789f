#pragma once

#include <vector>

#include "mechanics/statics/floor.h"
#include "mechanics/statics/statics.h"

namespace thigmo {

struct EquilibriumOptions {
  int most_iterations = 400;  // of Newton's method, over all load steps
  // Where the equilibrium found is unstable: a nudge this way, and on to the stable one beside it.
  // Zero: stay.
  Vec3 branch_world;
  const Floor* floor = nullptr;  // none: nothing below
};

// A bent round column turns about its axis without effort: deflections that release less than this
// part of the energy they bend into the joints count as neutral, not as unstable.
inline constexpr double neutral_part = 1e-6;

// What looking for an equilibrium came to.
struct EquilibriumReport {
  bool converged = false;
  double load_fraction = 0;  // of all loads, the largest for which an equilibrium was found
  int iterations = 0;        // Newton steps taken
  int load_steps = 0;
  double residual = 0;          // largest torque out of balance, over the largest torque held
  bool stable = false;          // every small deflection takes energy; see `follower_loads`
  int negative_directions = 0;  // independent deflections that release energy
  // With follower loads there is no energy; `stable` then says only that the static stiffness
  // has not changed its sign (divergence); flutter is not looked for.
  bool follower_loads = false;
  std::vector<PointLoad> contacts = {};  // what the ground pushes with, at segments' tips
};

// Moves `state` from where it is to an equilibrium under the loads, standing still. Where none is
// found, `state` is the equilibrium at `load_fraction` of the loads. Air is not among the loads.
EquilibriumReport find_equilibrium(const Mechanism& mechanism, const Loads& loads,
                                   const EquilibriumOptions& options, State& state);

}  // namespace thigmo
