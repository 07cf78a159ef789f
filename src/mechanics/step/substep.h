#pragma once

// A substep: the three sweeps over the bodies, repeated until what they took for granted is what they
// find.

#include "mechanics/step/energy_watch.h"
#include "mechanics/step/step.h"

namespace thigmo {

// A body may turn this far within one accepted substep.
inline constexpr double largest_turn = 0.2;  // [rad]
// c_x |α|, the turn by the acceleration to be found, may be this large.
inline constexpr double largest_jump = 0.03;  // [rad]

// How good a guess of ā must be. Ordinary steps forgive more than violent ones, taken in many substeps,
// where errors would feed on each other; so does the air, which takes what a plant gains by them.
struct Precision {
  double coriolis;  // h² |ω + ½Δω| |Δω|, the turn by wrong Coriolis and centrifugal forces [rad]
  double place;  // how far bodies are turned from where the forces were taken: c_x |α|, or c_x |Δα|
                 // in a repeated pass [rad]
};
inline constexpr Precision fair{.coriolis = 1e-3, .place = largest_jump};
inline constexpr Precision fine{.coriolis = 1e-5, .place = 1e-4};

// The hardest brake leaves next to no motion.
inline constexpr int hardest_brake = 10;

// One substep, and how it went.
struct Substep {
  Scheme scheme;
  Precision precision;
  bool exact = false;  // finer where it is fast or short: nothing feeds or slows it but itself
  int brake = 0;       // how hard joints that whirl are braked; 0: not at all
};
struct Went {
  bool well = false;  // false: it does not count, and the state is as it was
  double turn = 0;    // of the fastest body [rad]
  double jump = 0;    // what its acceleration added to a turn [rad]
};

// Joints that spin as fast are braked: ever slower ones, in the end all.
double free_spin(int brake, double h);

// Takes a substep, and counts in the report what it took.
Went attempt(const StepKernel& kernel, const Mechanism& mechanism, const Loads& loads,
             const Substep& substep, EnergyCeiling& ceiling, State& state, Workspace& workspace,
             int threads, StepReport& report);

// What a substep has led to, in the workspace, becomes the state.
void accept(const Scheme& scheme, State& state, Workspace& workspace);

}  // namespace thigmo
