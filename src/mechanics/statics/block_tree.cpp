#include "mechanics/statics/block_tree.h"

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

// m [v]×: its rows crossed with v; and [v]× m.
Mat3 times_cross(const Mat3& m, const Vec3& v) {
  return {cross(m.row_x, v), cross(m.row_y, v), cross(m.row_z, v)};
}
Mat3 cross_times(const Vec3& v, const Mat3& m) {
  return {m.row_z * v.y - m.row_y * v.z, m.row_x * v.z - m.row_z * v.x,
          m.row_y * v.x - m.row_x * v.y};
}

}  // namespace

// With U = (S + H)⁻¹ and E = -½[g]×, what is left of body i at its parent is the Schur complement
//   H - (-H + Eᵀ) U (-H + E) = H U S - S U E - Eᵀ U S - Eᵀ U E,
// written without the difference of large numbers that a stiff joint would make.
// In heights, with L and b the row and the column: eliminating φ_i leaves
//   b' = (H + E) U b,  L' = (H + E) Uᵀ L,  γ' = γ - L·U b,
// and y_i = y_p + a·φ_p moves them to the parent: S += b' aᵀ + a L'ᵀ + γ' a aᵀ, b += b' + γ' a, γ += γ'.
Factored factor(std::span<const Index> parent, bool symmetric, std::vector<TreeBlock>& blocks,
                std::vector<HeightBlock>& heights) {
  Factored result;
  for (std::size_t i = blocks.size(); i-- > 0;) {
    TreeBlock& b = blocks[i];
    if (symmetric) b.own = full(symmetric_part(b.own));
    const Inverse inverse = inverse_of(b.own + full(b.joint));
    result.negative += inverse.negative;
    result.regular = result.regular && inverse.regular;
    b.inverse = symmetric ? full(symmetric_part(inverse.value)) : inverse.value;
    if (parent[i] == no_index) continue;
    TreeBlock& p = at(blocks, parent[i]);
    const Vec3 half = b.torque * -0.5;  // E = [half]×, Eᵀ = -E
    const Mat3 us = b.inverse * b.own, ue = times_cross(b.inverse, half);
    p.own = p.own + full(b.joint) * us - b.own * ue + cross_times(half, us + ue);
    if (heights.empty()) continue;
    const HeightBlock& h = heights[i];
    HeightBlock& hp = at(heights, parent[i]);
    const auto outwards = [&](const Vec3& z) { return b.joint * z - 0.5 * cross(b.torque, z); };
    const Vec3 bent = b.inverse * h.torque;
    const Vec3 column = outwards(bent);
    const Vec3 row = outwards(transposed_times(b.inverse, h.torque_left));
    const double left = h.stiffness - dot(h.torque_left, bent);
    const auto product = [](const Vec3& u, const Vec3& v) {
      return Mat3{v * u.x, v * u.y, v * u.z};  // u vᵀ
    };
    p.own = p.own + product(column, h.arm) + product(h.arm, row + h.arm * left);
    hp.torque += column + h.arm * left;
    hp.torque_left += row + h.arm * left;
    hp.stiffness += left;
  }
  return result;
}

// Tips to root: z = U t, the parent gets (H - Eᵀ) z = (H + E) z. Root to tips:
//   φ_i - φ_p = z - U (S + E) φ_p.
// With heights the force f on y_i is left as f - L·z, and goes to the parent as a torque f a and a
// force; outwards φ_i - φ_p also has -U b y_i.
void solve(std::span<const Index> parent, const std::vector<TreeBlock>& blocks,
           const std::vector<HeightBlock>& heights, std::vector<Vec3>& torque,
           std::vector<Vec3>& relative, std::vector<Vec3>& absolute) {
  std::vector<double> height(heights.size());  // first the forces, then y
  for (std::size_t i = blocks.size(); i-- > 0;) {
    const TreeBlock& b = blocks[i];
    relative[i] = b.inverse * torque[i];
    if (parent[i] == no_index) continue;
    at(torque, parent[i]) += b.joint * relative[i] - 0.5 * cross(b.torque, relative[i]);
    if (heights.empty()) continue;
    const double left = height[i] - dot(heights[i].torque_left, relative[i]);
    at(torque, parent[i]) += heights[i].arm * left;
    at(height, parent[i]) += left;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const TreeBlock& b = blocks[i];
    if (parent[i] == no_index) {
      absolute[i] = relative[i];
      if (!heights.empty()) height[i] = 0;
      continue;
    }
    const Vec3& of_parent = at(absolute, parent[i]);
    relative[i] -= b.inverse * (b.own * of_parent - 0.5 * cross(b.torque, of_parent));
    if (!heights.empty()) {
      height[i] = at(height, parent[i]) + dot(heights[i].arm, of_parent);
      relative[i] -= b.inverse * (heights[i].torque * height[i]);
    }
    absolute[i] = of_parent + relative[i];
  }
}

}  // namespace thigmo
