#pragma once

#include "mechanics/kinematics/energy.h"
#include "simulation/simulation.h"

namespace thigmo {

// Where energy went since the start [J]; all plants together.
struct EnergyAccount {
  Energy stored;              // now
  double by_air = 0;          // work of the air: gusts give, still air takes
  double by_loads = 0;        // work of forces, moments and grabs
  double by_ground = 0;       // work of the ground, mostly friction
  double by_base = 0;         // work of what moves the roots
  double by_edits = 0;        // what cuts, grafts and changes brought
  double lost_in_joints = 0;  // in the dampers of the wood
  double lost_by_mass = 0;    // by mass_damping
  double numerical = 0;       // what the scheme took out, and the error of this account
};

// Follows a run step by step. Stored energies are exact; works and losses are those that the steps find,
// substep by substep (mechanics/step/works.h).
class EnergyBook {
 public:
  // From now on the simulation's steps keep account; or they go on with the account that a snapshot has.
  enum class Start { anew, go_on };
  explicit EnergyBook(Simulation& simulation, Start start = Start::anew);
  // After each step.
  void add_step(const Simulation& simulation);
  const EnergyAccount& account() const { return account_; }

 private:
  EnergyAccount account_;
};

}  // namespace thigmo
