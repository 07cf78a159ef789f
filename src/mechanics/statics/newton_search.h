#pragma once

#include "mechanics/statics/floor_pushes.h"
#include "mechanics/statics/newton_system.h"

namespace thigmo {

// Newton's method towards the balance of one part of the loads, with the pushes of the ground as they
// stand. What it finds it leaves in the state.
class NewtonSearch {
 public:
  // `symmetric`: no moments; `turning`: some are follower forces.
  NewtonSearch(const Mechanism& mechanism, bool symmetric, bool turning, State& state);

  // On the energy, all the way down. Ends on a ridge where one leads there: a straight column above
  // its buckling load.
  bool descend(double fraction);
  // On the torques themselves, for loads without an energy.
  bool balance(double fraction);

  // The statics of the state.
  void evaluate(double fraction);
  // Factors the Hessian, its joints stiffened by as much of themselves as makes it positive.
  bool factor_positive(double fraction, double& extra);
  Factored factor_in_place(double extra);
  bool add_follower_forces(double fraction);
  // The step that `system` has found, or a part of it.
  void prepare_move();
  void move(double part);

  const Loads* loads = nullptr;
  FloorPushes pushes = {};
  int iterations = 0, most_iterations = 0;
  Statics statics = {};
  bool has_blocks = false;  // of statics: not yet factored
  NewtonSystem system;

 private:
  bool jump_to_ridge(double fraction);
  double rounding_imbalance(double extra) const;
  double search_line(double fraction, double part);
  void move_whole();

  const Mechanism& mechanism_;
  State& state_;
  PerBody<Quat> from_;
  std::vector<Vec3> step_in_body_;
};

double largest_length(const std::vector<Vec3>& vectors);

}  // namespace thigmo
