#pragma once

#include <vector>

#include "mechanics/energy.h"
#include "simulation/simulation.h"

namespace thigmo {

// Where energy went since the start [J]; all plants together.
struct EnergyAccount {
  Energy stored;              // now
  double by_air = 0;          // work of the air: gusts give, still air takes
  double by_loads = 0;        // work of forces, moments and hands
  double by_ground = 0;       // work of the ground, mostly friction
  double by_base = 0;         // work of what moves the feet
  double lost_in_joints = 0;  // in the dampers of the wood
  double lost_by_mass = 0;    // by mass_damping
  double numerical = 0;       // what the scheme took out, and the error of this account
};

// Follows a run step by step. Stored energies are exact; works and losses are integrated by the
// trapezoidal rule, so that their error, which lands in `numerical`, shrinks with the step squared.
// Blows on hard ground are shorter than a step: there the account does not close.
class EnergyBook {
 public:
  explicit EnergyBook(const Simulation& simulation);
  // After each step of that length.
  void add_step(const Simulation& simulation, double dt);
  const EnergyAccount& account() const { return account_; }

 private:
  std::vector<State> before_;
  double start_ = 0;
  EnergyAccount account_;
};

}  // namespace thigmo
