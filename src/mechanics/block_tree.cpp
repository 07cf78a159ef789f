#include "mechanics/block_tree.h"

#include <cmath>

namespace thigmo {
namespace {

struct Inverse {
  Mat3 value;
  int negative = 0;  // pivots below zero
  bool regular = true;
};

// By cofactors; the signs of the pivots are those of the ratios of leading minors.
Inverse inverse_of(const Mat3& a) {
  const Vec3 yz = cross(a.row_y, a.row_z), zx = cross(a.row_z, a.row_x),
             xy = cross(a.row_x, a.row_y);
  const double minor_2 = xy.z;
  const double determinant = dot(a.row_x, yz);
  const double scale = 1.0 / determinant;
  Inverse result{.value = transposed(Mat3{yz * scale, zx * scale, xy * scale})};
  result.regular = std::isfinite(scale) && a.row_x.x != 0 && minor_2 != 0;
  result.negative =
      (a.row_x.x < 0) + ((minor_2 < 0) != (a.row_x.x < 0)) + ((determinant < 0) != (minor_2 < 0));
  return result;
}

}  // namespace

// With U = (S + H)⁻¹ and E = -½[g]×, what is left of body i at its parent is the Schur complement
//   H - (-H + Eᵀ) U (-H + E) = H U S - S U E - Eᵀ U S - Eᵀ U E,
// written without the difference of large numbers that a stiff joint would make.
Factored factor(std::span<const Index> parent, bool symmetric, std::vector<TreeBlock>& blocks) {
  Factored result;
  for (std::size_t i = blocks.size(); i-- > 0;) {
    TreeBlock& b = blocks[i];
    if (symmetric) b.own = full(symmetric_part(b.own));
    const Inverse inverse = inverse_of(b.own + full(b.joint));
    result.negative += inverse.negative;
    result.regular = result.regular && inverse.regular;
    b.inverse = symmetric ? full(symmetric_part(inverse.value)) : inverse.value;
    if (parent[i] == no_index) continue;
    TreeBlock& p = blocks[static_cast<std::size_t>(parent[i])];
    const Mat3 e = cross_matrix(b.torque) * -0.5;
    const Mat3 us = b.inverse * b.own, ue = b.inverse * e;
    // Eᵀ = -E
    p.own = p.own + full(b.joint) * us - b.own * ue + e * (us + ue);
  }
  return result;
}

// Tips to base: z = U t, the parent gets (H - Eᵀ) z = (H + E) z. Base to tips:
//   φ_i - φ_p = z - U (S + E) φ_p.
void solve(std::span<const Index> parent, const std::vector<TreeBlock>& blocks,
           std::vector<Vec3>& torque, std::vector<Vec3>& relative, std::vector<Vec3>& absolute) {
  for (std::size_t i = blocks.size(); i-- > 0;) {
    const TreeBlock& b = blocks[i];
    relative[i] = b.inverse * torque[i];
    if (parent[i] == no_index) continue;
    torque[static_cast<std::size_t>(parent[i])] +=
        b.joint * relative[i] - 0.5 * cross(b.torque, relative[i]);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const TreeBlock& b = blocks[i];
    if (parent[i] == no_index) {
      absolute[i] = relative[i];
      continue;
    }
    const Vec3& of_parent = absolute[static_cast<std::size_t>(parent[i])];
    relative[i] -= b.inverse * (b.own * of_parent - 0.5 * cross(b.torque, of_parent));
    absolute[i] = of_parent + relative[i];
  }
}

}  // namespace thigmo
