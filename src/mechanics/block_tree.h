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

struct Factored {
  int negative = 0;     // eigenvalues of the whole matrix below zero, by Sylvester's law of inertia
  bool regular = true;  // false: a pivot vanished
};

// Eliminates tips to base, in O(n). `symmetric`: all S are, and are kept so against rounding.
Factored factor(std::span<const Index> parent, bool symmetric, std::vector<TreeBlock>& blocks);

// Solves for a right-hand side of body torques, which is used up. `absolute` is φ, `relative` is
// φ_i - φ_p without the digits that the subtraction would lose.
void solve(std::span<const Index> parent, const std::vector<TreeBlock>& blocks,
           std::vector<Vec3>& torque, std::vector<Vec3>& relative, std::vector<Vec3>& absolute);

}  // namespace thigmo
