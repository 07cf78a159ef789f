#pragma once

// Rotations of packs: series that all lanes take alike, near the identity.

#include "math/lanes.h"
#include "math/rotation.h"

namespace thigmo {

// sum of c[k] x^k; even and odd powers apart, so that a processor works on both at once.
template <class Real, int count>
[[gnu::always_inline]] inline Real polynomial(const double (&c)[count], const Real& x) {
  constexpr int last_even = (count - 1) / 2 * 2, last_odd = (count - 2) / 2 * 2 + 1;
  const Real square = x * x;
  Real even(c[last_even]), odd(c[last_odd]);
  for (int k = last_even - 2; k >= 0; k -= 2) even = even * square + Real(c[k]);
  for (int k = last_odd - 2; k >= 1; k -= 2) odd = odd * square + Real(c[k]);
  return odd * x + even;
}

// exp_rotation for packs by Taylor polynomials in the squared angle x = |v|²; up to the limit the next
// term is below 1e-17.
inline constexpr double exp_rotation_limit = 0.25;
template <class Real>
[[gnu::always_inline]] inline QuatT<Real> exp_rotation_near(const Vec3T<Real>& v, const Real& x) {
  // sin(√x/2)/√x = ½ Σ (-x/4)^k / (2k+1)!,   cos(√x/2) = Σ (-x/4)^k / (2k)!
  constexpr double sine[] = {1.0 / 2,
                             -1.0 / 48,
                             1.0 / 3840,
                             -1.0 / 645120,
                             1.0 / 185794560,
                             -1.0 / 81749606400.0,
                             1.0 / 51011754393600.0};
  constexpr double cosine[] = {1.0,
                               -1.0 / 8,
                               1.0 / 384,
                               -1.0 / 46080,
                               1.0 / 10321920,
                               -1.0 / 3715891200.0,
                               1.0 / 1961990553600.0};
  const Real s = polynomial(sine, x);
  return {polynomial(cosine, x), s * v.x, s * v.y, s * v.z};
}

// exp_rotation for packs of any angles: beyond the limit lane by lane.
template <class Real>
[[gnu::always_inline]] inline QuatT<Real> exp_rotation(const Vec3T<Real>& v) {
  const Real x = dot(v, v);
  if (all_below(x, exp_rotation_limit)) return exp_rotation_near(v, x);
  QuatT<Real> result;
  for (int i = 0; i < Real::width; ++i) {
    const Quat q = exp_rotation(Vec3{v.x[i], v.y[i], v.z[i]});
    result.w.set(i, q.w);
    result.x.set(i, q.x);
    result.y.set(i, q.y);
    result.z.set(i, q.z);
  }
  return result;
}

// log_rotation for packs by the series of asin in x, the squared sine of half the angle; up to the
// limit (0.28 rad), and for positive w.
inline constexpr double log_rotation_limit = 0.02;
template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> log_rotation_near(const Vec3T<Real>& u, const Real& x) {
  // 2 asin(s)/s = 2 Σ (2k)! / (4^k k!² (2k+1)) s^2k
  constexpr double arc[] = {2.0,
                            2.0 / 6,
                            6.0 / 40,
                            30.0 / 336,
                            210.0 / 3456,
                            1890.0 / 42240,
                            20790.0 / 599040,
                            270270.0 / 9676800,
                            4054050.0 / 175472640.0};
  return u * polynomial(arc, x);
}

// A quaternion that rounding has moved off the unit sphere by a little, put back (one Newton step).
template <class Real>
[[gnu::always_inline]] inline QuatT<Real> renormalized(const QuatT<Real>& q) {
  const Real n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  const Real scale = Real(1.5) - Real(0.5) * n;
  return {q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> rotate(const QuatT<Real>& q, const Vec3T<Real>& v) {
  const Vec3T<Real> u{q.x, q.y, q.z};
  return v + (cross(u, cross(u, v) + v * q.w)) * Real(2.0);
}

}  // namespace thigmo
