#pragma once

// A plant's root within one substep: clamped, moved along a path, or free.

#include "mechanics/kernel/contact.h"
#include "mechanics/kernel/step_kernel.h"

namespace thigmo {

// Where the root is when the scheme takes the forces: as its path says, or drifted there and moving
// as guessed; `next` is what the last pass found, for one that is corrected.
RootFrame place_root(const Loads& loads, const Scheme& scheme, const State& state,
                     const RootState& next, bool corrected);

struct Pot;
using PotNumber = Single<double, Pot>;
using PotContact = Contact<PotNumber>;

// The pot itself, a ball: its inertia, weight and rest on the ground. `pass` counts corrected ones.
RootInertia pot_inertia(const Mechanism& mechanism, const Loads& loads, const Scheme& scheme,
                        const RootFrame& root, int pass, PotContact& contact);

// As take_force, of the accelerations found.
double take_pot_force(const Loads& loads, const Scheme& scheme, const RootFrame& root, int pass,
                      PotContact& contact);

// The accelerations of a free root: A α + B v̇ + n = 0, Bᵀ α + C v̇ + f = 0.
void solve_root(const RootInertia& all, RootFrame& root);

// The root at the end of a substep.
RootState next_root(const Loads& loads, const Scheme& scheme, const State& state,
                    const RootFrame& root);

}  // namespace thigmo
