#pragma once

#include <cmath>

#include "math/rotation.h"

namespace thigmo {

// Four numbers side by side, as the compiler's vector type: AVX2, AVX-512, SSE2, NEON and WebAssembly
// take it alike and give the same bits, since every operation is done element by element. `Target`
// only keeps code that was compiled for one processor apart from code for another.
template <class Target>
struct Lanes {
  typedef double Pack __attribute__((vector_size(32)));
  Pack pack;

  static constexpr int width = 4;
  constexpr Lanes() : pack{} {}
  constexpr Lanes(double value) : pack{value, value, value, value} {}
  explicit constexpr Lanes(Pack value) : pack(value) {}

  double operator[](int i) const { return pack[i]; }
  void set(int i, double value) { pack[i] = value; }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.pack + b.pack); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.pack - b.pack); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.pack * b.pack); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.pack / b.pack); }
  friend Lanes operator-(const Lanes& a) { return Lanes(-a.pack); }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
};

// A single number with the same interface.
template <class Target>
struct Single {
  double value = 0;

  static constexpr int width = 1;
  constexpr Single() = default;
  constexpr Single(double v) : value(v) {}

  double operator[](int) const { return value; }
  void set(int, double v) { value = v; }

  friend Single operator+(const Single& a, const Single& b) { return a.value + b.value; }
  friend Single operator-(const Single& a, const Single& b) { return a.value - b.value; }
  friend Single operator*(const Single& a, const Single& b) { return a.value * b.value; }
  friend Single operator/(const Single& a, const Single& b) { return a.value / b.value; }
  friend Single operator-(const Single& a) { return -a.value; }
  Single& operator+=(const Single& b) { return *this = *this + b; }
  Single& operator-=(const Single& b) { return *this = *this - b; }
};

template <class Real>
Real lane_max(const Real& a, const Real& b) {
  Real result;
  for (int i = 0; i < Real::width; ++i) result.set(i, a[i] > b[i] ? a[i] : b[i]);
  return result;
}

template <class Real>
Real lane_sqrt(const Real& a) {
  Real result;
  for (int i = 0; i < Real::width; ++i) result.set(i, std::sqrt(a[i]));
  return result;
}

// Largest of the lanes; NaN in any lane is returned.
template <class Real>
double largest(const Real& a) {
  double result = a[0];
  for (int i = 1; i < Real::width; ++i) {
    if (!(a[i] <= result)) result = a[i];
  }
  return result;
}

// sum of c[k] x^k
template <class Real, int count>
[[gnu::always_inline]] inline Real polynomial(const double (&c)[count], const Real& x) {
  Real sum(c[count - 1]);
  for (int k = count - 2; k >= 0; --k) sum = sum * x + Real(c[k]);
  return sum;
}

// exp_rotation for packs. Up to half a radian by Taylor polynomials in the squared angle (the next
// term is below 1e-17), beyond that lane by lane.
template <class Real>
[[gnu::always_inline]] inline QuatT<Real> exp_rotation(const Vec3T<Real>& v) {
  const Real x = dot(v, v);
  if (!(largest(x) <= 0.25)) {
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

// log_rotation for packs: up to about 0.28 rad by the series of asin in the squared sine of half the
// angle, beyond that lane by lane.
template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> log_rotation(const QuatT<Real>& q) {
  const Vec3T<Real> u{q.x, q.y, q.z};
  const Real x = dot(u, u);
  bool near = largest(x) <= 0.02;
  for (int i = 0; i < Real::width; ++i) near = near && q.w[i] > 0;
  if (!near) {
    Vec3T<Real> result;
    for (int i = 0; i < Real::width; ++i) {
      const Vec3 v = log_rotation(Quat{q.w[i], q.x[i], q.y[i], q.z[i]});
      result.x.set(i, v.x);
      result.y.set(i, v.y);
      result.z.set(i, v.z);
    }
    return result;
  }
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
