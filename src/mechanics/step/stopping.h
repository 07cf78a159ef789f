#pragma once

// What is left when no substep is short enough and no brake hard enough: joints are stopped.

#include "mechanics/step/step.h"

namespace thigmo {

// How many joints spin faster [rad/s].
int count_spinning(const Schedule& schedule, const State& state, double spin);

// Forgets the accelerations and tensions of another state.
void forget_accelerations(const Schedule& schedule, State& state);

// Takes the motion from the joints that have more than a part of the largest spin and from all that stand on
// them; how many. A free root that moves because it turns about the plant would take all that is stopped on
// it along: then all of it is stopped, and moves with the energy that it had. `stopped` is scratch.
int stop_without_gain(const Mechanism& mechanism, const Schedule& schedule, double part,
                      State& state, PerBody<double, float>& stopped);

// Moves the root by h and the plant along with it, its joints held: what is always possible. How many
// joints were stopped for it.
int carry_stiff(const Mechanism& mechanism, const Loads& loads, double h, State& state,
                Workspace& workspace);

}  // namespace thigmo
