#pragma once

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <cmath>
#include <cstring>

#include "math/rotation.h"

namespace thigmo {

// The compiler's vector types. `Places` name lanes, for shuffles.
template <int count>
struct VectorOf;
template <>
struct VectorOf<4> {
  typedef double Pack __attribute__((vector_size(32)));
  typedef long long Places __attribute__((vector_size(32)));
  typedef int Ints __attribute__((vector_size(16)));
  typedef float Floats __attribute__((vector_size(16)));
};
template <>
struct VectorOf<8> {
  typedef double Pack __attribute__((vector_size(64)));
  typedef long long Places __attribute__((vector_size(64)));
  typedef int Ints __attribute__((vector_size(32)));
  typedef float Floats __attribute__((vector_size(32)));
};

// As doubles. The compiler would do it by halves.
[[gnu::always_inline]] inline VectorOf<4>::Pack widened(VectorOf<4>::Floats floats) {
#ifdef __AVX__
  return _mm256_cvtps_pd(floats);
#else
  return __builtin_convertvector(floats, VectorOf<4>::Pack);
#endif
}
[[gnu::always_inline]] inline VectorOf<8>::Pack widened(VectorOf<8>::Floats floats) {
#ifdef __AVX512F__
  return _mm512_maskz_cvtps_pd(0xff, floats);
#else
  return __builtin_convertvector(floats, VectorOf<8>::Pack);
#endif
}
[[gnu::always_inline]] inline VectorOf<4>::Pack widened(VectorOf<4>::Ints ints) {
#ifdef __AVX__
  return _mm256_cvtepi32_pd(reinterpret_cast<__m128i>(ints));
#else
  return __builtin_convertvector(ints, VectorOf<4>::Pack);
#endif
}
[[gnu::always_inline]] inline VectorOf<8>::Pack widened(VectorOf<8>::Ints ints) {
#ifdef __AVX512F__
  return _mm512_maskz_cvtepi32_pd(0xff, reinterpret_cast<__m256i>(ints));
#else
  return __builtin_convertvector(ints, VectorOf<8>::Pack);
#endif
}

// Whether all lanes are zero, where none is negative.
template <int count>
[[gnu::always_inline]] inline bool none_set(typename VectorOf<count>::Pack flags) {
  if constexpr (count == 8) {
    return none_set<4>(__builtin_shufflevector(flags, flags, 0, 1, 2, 3) +
                       __builtin_shufflevector(flags, flags, 4, 5, 6, 7));
  } else {
    const auto half = flags + __builtin_shufflevector(flags, flags, 2, 3, 0, 1);
    return half[0] + half[1] == 0;
  }
}

template <class Target>
struct Single;

// `count` numbers side by side, as the compiler's vector type, which AVX2, AVX-512, SSE2, NEON and
// WebAssembly take alike. `Target` only keeps code that was compiled for one processor apart from
// code for another.
template <class Target, int count>
struct Lanes {
  using Alone = Single<Target>;
  using Pack = typename VectorOf<count>::Pack;
  using Places = typename VectorOf<count>::Places;
  Pack pack;

  static constexpr int width = count;
  constexpr Lanes() : pack{} {}
  constexpr Lanes(double value) : pack(value - Pack{}) {}  // value + 0 would not be -0
  explicit constexpr Lanes(Pack value) : pack(value) {}

  static Lanes at(const double* numbers) {
    Lanes result;
    std::memcpy(&result.pack, numbers, sizeof result.pack);
    return result;
  }
  void copy_to(double* numbers) const { std::memcpy(numbers, &pack, sizeof pack); }

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

  static Single at(const double* numbers) { return *numbers; }
  void copy_to(double* numbers) const { *numbers = value; }

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

// Lanes put aside with half the digits: for what is only multiplied with accelerations, a relative
// error of 6e-8 does not matter and half the memory does.
template <class Real>
struct Short;
template <class Target, int count>
struct Short<Lanes<Target, count>> {
  typename VectorOf<count>::Floats floats;

  Short() : floats{} {}
  Short(const Lanes<Target, count>& a)
      : floats(__builtin_convertvector(a.pack, typename VectorOf<count>::Floats)) {}
  static Short at(const float* numbers) {
    Short result;
    std::memcpy(&result.floats, numbers, sizeof result.floats);
    return result;
  }
  void copy_to(float* numbers) const { std::memcpy(numbers, &floats, sizeof floats); }
  double operator[](int i) const { return static_cast<double>(floats[i]); }
  float short_lane(int i) const { return floats[i]; }
  operator Lanes<Target, count>() const { return Lanes<Target, count>(widened(floats)); }
};
template <class Target>
struct Short<Single<Target>> {
  float value = 0;

  Short(const Single<Target>& a) : value(static_cast<float>(a.value)) {}
  float short_lane(int) const { return value; }
};
// Lanes picked from two packs side by side by their places, given as bytes.
template <class Target>
[[gnu::always_inline]] inline Lanes<Target, 8> shuffled(const Lanes<Target, 8>& a,
                                                        const Lanes<Target, 8>& b,
                                                        const VectorOf<8>::Places& places) {
#if defined(__clang__)
  Lanes<Target, 8> result;
  for (int i = 0; i < 8; ++i) {
    const auto place = static_cast<int>(places[i]);
    result.set(i, place < 8 ? a[place] : b[place - 8]);
  }
  return result;
#else
  return Lanes<Target, 8>(__builtin_shuffle(a.pack, b.pack, places));
#endif
}

// The larger and the smaller of each lane; `b` where a lane of `a` is not a number.
template <class Target, int count>
Lanes<Target, count> lane_max(const Lanes<Target, count>& a, const Lanes<Target, count>& b) {
  return Lanes<Target, count>(a.pack > b.pack ? a.pack : b.pack);
}
template <class Target, int count>
Lanes<Target, count> lane_min(const Lanes<Target, count>& a, const Lanes<Target, count>& b) {
  return Lanes<Target, count>(a.pack < b.pack ? a.pack : b.pack);
}
template <class Target>
Single<Target> lane_max(const Single<Target>& a, const Single<Target>& b) {
  return a.value > b.value ? a : b;
}
template <class Target>
Single<Target> lane_min(const Single<Target>& a, const Single<Target>& b) {
  return a.value < b.value ? a : b;
}

template <class Real>
Real lane_abs(const Real& a) {
  return lane_max(a, -a);
}

// One where a lane is positive, else zero.
template <class Target, int count>
Lanes<Target, count> lane_step(const Lanes<Target, count>& a) {
  using Wide = typename Lanes<Target, count>::Pack;
  return Lanes<Target, count>(a.pack > Wide{} ? Wide{} + 1.0 : Wide{});
}
template <class Target>
Single<Target> lane_step(const Single<Target>& a) {
  return a.value > 0 ? 1.0 : 0.0;
}

// Without its fraction; for numbers that an int holds.
template <class Target, int count>
Lanes<Target, count> lane_whole(const Lanes<Target, count>& a) {
  return Lanes<Target, count>(
      widened(__builtin_convertvector(a.pack, typename VectorOf<count>::Ints)));
}
template <class Target>
Single<Target> lane_whole(const Single<Target>& a) {
  return static_cast<double>(static_cast<int>(a.value));
}

template <class Real>
Real lane_sqrt(const Real& a) {
  Real result;
  for (int i = 0; i < Real::width; ++i) result.set(i, std::sqrt(a[i]));
  return result;
}

// 1/a and 1/√a, for lanes that single precision holds: half of the digits by division, the rest by a step
// of Newton's method, to 1e-13. With all digits these are a processor's slowest operations.
template <class Target, int count>
[[gnu::always_inline]] inline Lanes<Target, count> lane_inverse(const Lanes<Target, count>& a) {
  using Real = Lanes<Target, count>;
  using Floats = typename VectorOf<count>::Floats;
  const Real near(widened(1.0F / __builtin_convertvector(a.pack, Floats)));
  return near + near * (Real(1.0) - a * near);
}
template <class Target, int count>
[[gnu::always_inline]] inline Lanes<Target, count> lane_inverse_sqrt(
    const Lanes<Target, count>& a) {
  using Real = Lanes<Target, count>;
  using Floats = typename VectorOf<count>::Floats;
  const Floats square = __builtin_convertvector(a.pack, Floats);
  Floats root;
  for (int i = 0; i < count; ++i) root[i] = std::sqrt(square[i]);
  const Real near(widened(1.0F / root));
  return near + near * Real(0.5) * (Real(1.0) - a * near * near);
}
template <class Target>
Single<Target> lane_inverse(const Single<Target>& a) {
  return 1.0 / a.value;
}
template <class Target>
Single<Target> lane_inverse_sqrt(const Single<Target>& a) {
  return 1.0 / std::sqrt(a.value);
}

// Largest of the lanes; NaN in any lane is returned.
template <class Real>
double largest(const Real& a) {
  double result = a[0];
  for (int i = 1; i < Real::width; ++i) {
    if (result == result && !(a[i] <= result)) result = a[i];
  }
  return result;
}

// Whether every lane is at most the limit; a lane that is not a number is not.
template <class Target, int count>
[[gnu::always_inline]] inline bool all_below(const Lanes<Target, count>& a, double limit) {
  using Wide = typename Lanes<Target, count>::Pack;
  return none_set<count>(a.pack <= Wide{} + limit ? Wide{} : Wide{} + 1.0);
}
// The same of two quantities, and whether a third is positive.
template <class Target, int count>
[[gnu::always_inline]] inline bool all_below(const Lanes<Target, count>& a, double limit_a,
                                             const Lanes<Target, count>& b, double limit_b,
                                             const Lanes<Target, count>& positive) {
  using Wide = typename Lanes<Target, count>::Pack;
  const Wide zero{}, one = Wide{} + 1.0;
  return none_set<count>((a.pack <= zero + limit_a ? zero : one) +
                         (b.pack <= zero + limit_b ? zero : one) +
                         (positive.pack > zero ? zero : one));
}
template <class Target>
bool all_below(const Single<Target>& a, double limit) {
  return a.value <= limit;
}
template <class Target>
bool all_below(const Single<Target>& a, double limit_a, const Single<Target>& b, double limit_b,
               const Single<Target>& positive) {
  return a.value <= limit_a && b.value <= limit_b && positive.value > 0;
}

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
