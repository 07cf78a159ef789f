#pragma once

#include <span>
#include <vector>

#include "base/index.h"
#include "math/vector.h"

namespace thigmo {

// A linear system in the absolute small rotations φ of all bodies, in world axes, that couples each
// body with its parent only: the Hessian of an articulated body's static energy. Joint i adds
//   ½ (φ_i - φ_p)ᵀ H (φ_i - φ_p) + ½ φ_p · (g × φ_i)
// and the body itself ½ φ_iᵀ S φ_i.
struct TreeBlock {
  Sym3 joint;    // H [N m/rad]
  Vec3 torque;   // g, what the joint holds [N m]
  Mat3 own;      // S; after factoring, with what hangs on the body [N m/rad]
  Mat3 inverse;  // after factoring: (S + H)⁻¹
};

// Terms in the heights of the bodies' joints besides, y_i = y_p + a·φ_p and 0 at the root: what is
// beyond joint i adds (b·φ_i) y_i + ½ γ y_i².
struct HeightBlock {
  Vec3 arm;              // a [m]
  Vec3 torque;           // b; after factoring, of all beyond [N]
  Vec3 torque_left;      // the same, where the matrix is not symmetric: of the row of y_i [N]
  double stiffness = 0;  // γ; after factoring, of all beyond [N/m]
};

struct Factored {
  int negative = 0;     // eigenvalues of the whole matrix below zero, by Sylvester's law of inertia
  bool regular = true;  // false: a pivot vanished
};

// Eliminates tips to root, in O(n). `symmetric`: all S are, and are kept so against rounding.
// `heights`: none, or one for each body.
Factored factor(std::span<const Index> parent, bool symmetric, std::vector<TreeBlock>& blocks,
                std::vector<HeightBlock>& heights);
inline Factored factor(std::span<const Index> parent, bool symmetric,
                       std::vector<TreeBlock>& blocks) {
  std::vector<HeightBlock> none;
  return factor(parent, symmetric, blocks, none);
}

// Solves for a right-hand side of body torques, which is used up. `absolute` is φ, `relative` is
// φ_i - φ_p without the digits that the subtraction would lose.
void solve(std::span<const Index> parent, const std::vector<TreeBlock>& blocks,
           const std::vector<HeightBlock>& heights, std::vector<Vec3>& torque,
           std::vector<Vec3>& relative, std::vector<Vec3>& absolute);
inline void solve(std::span<const Index> parent, const std::vector<TreeBlock>& blocks,
                  std::vector<Vec3>& torque, std::vector<Vec3>& relative,
                  std::vector<Vec3>& absolute) {
  solve(parent, blocks, {}, torque, relative, absolute);
}

}  // namespace thigmo
