#pragma once

#include <utility>
#include <vector>

#include "mechanics/statics/dense.h"
#include "mechanics/statics/statics.h"

namespace thigmo {

// The linear system of a Newton step, H φ = torque: one O(n) elimination. A force F that turns with
// its body j adds the columns c_i × (F × φ_j) on the path to the root: three numbers of φ_j matter, so
// that they are taken in by Woodbury's formula.
class NewtonSystem {
 public:
  // `symmetric`: no moments; `turning`: some are follower forces.
  NewtonSystem(const Mechanism& mechanism, bool symmetric, bool turning);
  NewtonSystem(const NewtonSystem&) = delete;  // it points into itself

  // The blocks of `statics` become factors of the Hessian, its joints stiffer by the part `extra`.
  Factored factor_in_place(double extra, Statics& statics);
  // The same, with blocks that stay: factors of a copy.
  Factored factor_copy(double extra, const Statics& statics);

  // What the follower forces add to the factored matrix, 1 + VᵀH⁻¹U; false: it is singular.
  bool add_follower_forces(const Loads& loads, double fraction, const Statics& statics);
  int determinant_sign() const { return turning_matrix_.determinant_sign(); }

  void solve(const std::vector<Vec3>& torque);

  // The largest of all joints' stiffnesses as they were factored, summed over the axes [N m/rad].
  double stiffest_joint() const;

  // Of the ground, to be factored with the next blocks; empty: none.
  std::vector<HeightBlock> heights;
  // The step: φ, and φ_i - φ_p without the digits that the subtraction would lose.
  std::vector<Vec3> absolute, relative;

 private:
  // One column of U and row of Vᵀ: torques along the path to the root.
  struct FollowerTerm {
    std::vector<std::pair<std::size_t, Vec3>> column;
    // Of a follower force F: the row is e·(F × φ_j).
    std::size_t body = 0;
    Vec3 force, unit;
  };
  static double row_times(const FollowerTerm& term, const std::vector<Vec3>& turn) {
    return dot(term.unit, cross(term.force, turn[term.body]));
  }
  void collect(const Loads& loads, double fraction, const Statics& statics);

  const Mechanism& mechanism_;
  bool symmetric_;
  const std::vector<TreeBlock>* factors_ = nullptr;
  const std::vector<HeightBlock>* height_factors_ = &heights;
  std::vector<TreeBlock> kept_factors_;
  std::vector<HeightBlock> kept_heights_;
  std::vector<Vec3> torque_, other_, other_relative_;
  std::vector<FollowerTerm> followers_;
  DenseLu turning_matrix_;
};

}  // namespace thigmo
