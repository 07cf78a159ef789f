#pragma once

#include <vector>

#include "mechanics/statics/equilibrium.h"

namespace thigmo {

struct ModeOptions {
  int count = 10;
  double tolerance = 1e-4;  // of a shape; frequencies are right to its square
};

// One undamped vibration about an equilibrium.
struct Mode {
  double frequency = 0;          // [Hz]
  std::vector<Vec3> turn_world;  // absolute rotation of each body, unit modal mass [rad/(√kg m)]
};

struct Modes {
  std::vector<Mode> modes;      // by rising frequency
  bool stable = true;           // false: some motion has no frequency but grows; no modes are given
  int negative_directions = 0;  // how many such motions there are
  int fluttering = 0;           // vibrations that grow, fed by follower loads
  bool converged = true;        // false: these are the best found
  int solves = 0;               // O(n) solutions taken
};

// The lowest vibrations about `state`, with the stiffness that the loads add or take away. Where two
// frequencies are equal, so are they here.
Modes find_modes(const Mechanism& mechanism, const Loads& loads, const State& state,
                 const ModeOptions& options = {});

// Of a symmetric stiffness, that of `statics`.
Modes modes_of(const Mechanism& mechanism, const Statics& statics, const ModeOptions& options);

// Damping ratio of a mode by joint dampers and in proportion to mass: φᵀ D φ / (2ω).
double damping_ratio_of(const Mode& mode, const Mechanism& mechanism, const State& state);

// The mass that a mode takes along when the root is shaken along x, y or z, (φᵀ M e)² for each of them;
// over all modes they add up to what can move of the plant's mass [kg].
Vec3 effective_mass(const Mode& mode, const Mechanism& mechanism, const State& state);

// Displacement of each body's joint per turn of a mode, world axes.
std::vector<Vec3> joint_displacements(const Mechanism& mechanism, const State& state,
                                      const std::vector<Vec3>& turn_world);

}  // namespace thigmo
