#pragma once

#include <array>
#include <cmath>

#include "math/vector.h"

namespace thigmo {

// A symmetric matrix as Σ value · axis axisᵀ.
struct PrincipalAxes {
  std::array<double, 3> value;
  std::array<Vec3, 3> axis;  // unit vectors across each other, in no particular order
};

// Jacobi's rotations: each makes one number beside the diagonal vanish; a few rounds are enough.
inline PrincipalAxes principal_axes(const Sym3& s) {
  double a[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int round = 0; round < 12; ++round) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double half = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (half < 0 ? -1 : 1) / (std::abs(half) + std::hypot(half, 1.0));
        const double c = 1 / std::hypot(t, 1.0), sine = t * c;
        for (int k = 0; k < 3; ++k) {
          const double ap = a[k][p], aq = a[k][q];
          a[k][p] = c * ap - sine * aq;
          a[k][q] = sine * ap + c * aq;
        }
        for (int k = 0; k < 3; ++k) {
          const double ap = a[p][k], aq = a[q][k], vp = v[k][p], vq = v[k][q];
          a[p][k] = c * ap - sine * aq;
          a[q][k] = sine * ap + c * aq;
          v[k][p] = c * vp - sine * vq;
          v[k][q] = sine * vp + c * vq;
        }
        a[p][q] = a[q][p] = 0;
      }
    }
  }
  PrincipalAxes found;
  for (std::size_t i = 0; i < 3; ++i) {
    found.value[i] = a[i][i];
    found.axis[i] = {v[0][i], v[1][i], v[2][i]};
  }
  return found;
}

}  // namespace thigmo
