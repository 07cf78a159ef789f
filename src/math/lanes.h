#pragma once

#include <cmath>
#include <cstring>

#include "math/lane_shuffle.h"
#include "math/lane_vector.h"

namespace thigmo {

template <class T, class Target>
struct Single;
template <class T, int count, class Target>
struct Mask;

// `count` numbers side by side: 2, 4, 8 or 16 of double or float. `Target` only keeps code that was compiled
// for one processor apart from code for another. Numbers that are handed over one by one are doubles,
// whatever the lanes are.
template <class T, int count, class Target>
struct Lanes {
  using Number = T;
  using Alone = Single<T, Target>;
  using Pack = Vector<T, count>;
  using Places = PlacesOf<T, count>;
  Pack pack;

  static constexpr int width = count;
  constexpr Lanes() : pack{} {}
  constexpr Lanes(double value)
      : pack(static_cast<T>(value) - Pack{}) {}  // value + 0 would not be -0
  explicit constexpr Lanes(Pack value) : pack(value) {}

  // From and to memory, which may hold the other kind of number.
  template <class Stored>
  static Lanes at(const Stored* numbers) {
    Vector<Stored, count> stored;
    std::memcpy(&stored, numbers, sizeof stored);
    return Lanes(converted<T, Stored, count>(stored));
  }
  template <class Stored>
  void copy_to(Stored* numbers) const {
    const Vector<Stored, count> stored = converted<Stored, T, count>(pack);
    std::memcpy(numbers, &stored, sizeof stored);
  }

  double operator[](int i) const { return static_cast<double>(pack[i]); }
  void set(int i, double value) { pack[i] = static_cast<T>(value); }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.pack + b.pack); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.pack - b.pack); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.pack * b.pack); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.pack / b.pack); }
  friend Lanes operator-(const Lanes& a) { return Lanes(-a.pack); }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) { return *this = *this - b; }

  using Flags = Mask<T, count, Target>;
  friend Flags operator<(const Lanes& a, const Lanes& b) { return Flags(a.pack < b.pack); }
  friend Flags operator<=(const Lanes& a, const Lanes& b) { return Flags(a.pack <= b.pack); }
  friend Flags operator>(const Lanes& a, const Lanes& b) { return Flags(a.pack > b.pack); }
  friend Flags operator>=(const Lanes& a, const Lanes& b) { return Flags(a.pack >= b.pack); }
};

// Yes or no for every lane.
template <class T, int count, class Target>
struct Mask {
  using Bits = BitsOf<T, count>;
  Bits bits;

  explicit Mask(Bits b) : bits(b) {}
  bool operator[](int i) const { return bits[i] != 0; }
  friend Mask operator&(const Mask& a, const Mask& b) { return Mask(a.bits & b.bits); }
  friend Mask operator|(const Mask& a, const Mask& b) { return Mask(a.bits | b.bits); }
  friend Mask operator!(const Mask& a) { return Mask(~a.bits); }
};

// A single number with the same interface; its masks are plain bools.
template <class T, class Target>
struct Single {
  using Number = T;
  T value = 0;

  static constexpr int width = 1;
  constexpr Single() = default;
  constexpr Single(double v) : value(static_cast<T>(v)) {}

  template <class Stored>
  static Single at(const Stored* numbers) {
    return static_cast<double>(*numbers);
  }
  template <class Stored>
  void copy_to(Stored* numbers) const {
    *numbers = static_cast<Stored>(value);
  }

  double operator[](int) const { return static_cast<double>(value); }
  void set(int, double v) { value = static_cast<T>(v); }

  friend Single operator+(const Single& a, const Single& b) { return of(a.value + b.value); }
  friend Single operator-(const Single& a, const Single& b) { return of(a.value - b.value); }
  friend Single operator*(const Single& a, const Single& b) { return of(a.value * b.value); }
  friend Single operator/(const Single& a, const Single& b) { return of(a.value / b.value); }
  friend Single operator-(const Single& a) { return of(-a.value); }
  Single& operator+=(const Single& b) { return *this = *this + b; }
  Single& operator-=(const Single& b) { return *this = *this - b; }

  friend bool operator<(const Single& a, const Single& b) { return a.value < b.value; }
  friend bool operator<=(const Single& a, const Single& b) { return a.value <= b.value; }
  friend bool operator>(const Single& a, const Single& b) { return a.value > b.value; }
  friend bool operator>=(const Single& a, const Single& b) { return a.value >= b.value; }

 private:
  static constexpr Single of(T v) {
    Single result;
    result.value = v;
    return result;
  }
};

// ---- masks ----

template <class T, int count, class Target>
[[gnu::always_inline]] inline bool any(const Mask<T, count, Target>& mask) {
  return any_set<T, count>(mask.bits);
}
template <class T, int count, class Target>
[[gnu::always_inline]] inline bool all(const Mask<T, count, Target>& mask) {
  return !any(!mask);
}
[[gnu::always_inline]] inline bool any(bool mask) { return mask; }
[[gnu::always_inline]] inline bool all(bool mask) { return mask; }

// a where the mask says yes, else b.
template <class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<T, count, Target> chosen(const Mask<T, count, Target>& mask,
                                                             const Lanes<T, count, Target>& a,
                                                             const Lanes<T, count, Target>& b) {
  return Lanes<T, count, Target>(mask.bits ? a.pack : b.pack);
}
template <class T, class Target>
Single<T, Target> chosen(bool mask, const Single<T, Target>& a, const Single<T, Target>& b) {
  return mask ? a : b;
}

// Whether every lane is at most the limit; a lane that is not a number is not.
template <class Real>
[[gnu::always_inline]] inline bool all_below(const Real& a, double limit) {
  return all(a <= Real(limit));
}

// ---- other widths, kinds and orders ----

template <class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<T, count / 2, Target> low_half(
    const Lanes<T, count, Target>& a) {
  return Lanes<T, count / 2, Target>(low_half<T, count>(a.pack));
}
template <class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<T, count / 2, Target> high_half(
    const Lanes<T, count, Target>& a) {
  return Lanes<T, count / 2, Target>(high_half<T, count>(a.pack));
}
template <class T, int half, class Target>
[[gnu::always_inline]] inline Lanes<T, 2 * half, Target> joined(
    const Lanes<T, half, Target>& low, const Lanes<T, half, Target>& high) {
  return Lanes<T, 2 * half, Target>(joined<T, half>(low.pack, high.pack));
}

template <class To, class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<To, count, Target> converted(const Lanes<T, count, Target>& a) {
  return Lanes<To, count, Target>(converted<To, T, count>(a.pack));
}

// Lanes of a and b side by side, by places known to the compiler, and as in lane_shuffle.h.
template <int... places, class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<T, sizeof...(places), Target> picked(
    const Lanes<T, count, Target>& a, const Lanes<T, count, Target>& b) {
  return Lanes<T, sizeof...(places), Target>(picked<T, count, places...>(a.pack, b.pack));
}
template <class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<T, count, Target> shuffled(const Lanes<T, count, Target>& a,
                                                               const Lanes<T, count, Target>& b,
                                                               const PlacesOf<T, count>& places) {
  return Lanes<T, count, Target>(shuffled<T, count>(a.pack, b.pack, places));
}

// Lanes put aside in single precision: for what is only multiplied with accelerations, a relative
// error of 6e-8 does not matter and half the memory does.
template <class Real>
struct Short;
template <class T, int count, class Target>
struct Short<Lanes<T, count, Target>> {
  using Real = Lanes<T, count, Target>;
  Vector<float, count> floats;

  Short() : floats{} {}
  Short(const Real& a) : floats(converted<float, T, count>(a.pack)) {}
  double operator[](int i) const { return static_cast<double>(floats[i]); }
  void set(int i, double a) { floats[i] = static_cast<float>(a); }
  float short_lane(int i) const { return floats[i]; }
  operator Real() const { return Real(converted<T, float, count>(floats)); }
};
template <class T, class Target>
struct Short<Single<T, Target>> {
  float value = 0;

  Short(const Single<T, Target>& a) : value(static_cast<float>(a.value)) {}
  void set(int, double a) { value = static_cast<float>(a); }
  float short_lane(int) const { return value; }
};

// ---- functions of lanes ----

// The larger and the smaller of each lane; `b` where a lane of `a` is not a number.
template <class Real>
[[gnu::always_inline]] inline Real lane_max(const Real& a, const Real& b) {
  return chosen(a > b, a, b);
}
template <class Real>
[[gnu::always_inline]] inline Real lane_min(const Real& a, const Real& b) {
  return chosen(a < b, a, b);
}
template <class Real>
[[gnu::always_inline]] inline Real lane_abs(const Real& a) {
  return lane_max(a, -a);
}

// One where a lane is positive, else zero.
template <class Real>
[[gnu::always_inline]] inline Real lane_step(const Real& a) {
  return chosen(a > Real(0.0), Real(1.0), Real(0.0));
}

// Without its fraction; for numbers that an int holds.
template <class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<T, count, Target> lane_whole(const Lanes<T, count, Target>& a) {
  return Lanes<T, count, Target>(converted<T, int, count>(converted<int, T, count>(a.pack)));
}
template <class T, class Target>
Single<T, Target> lane_whole(const Single<T, Target>& a) {
  return static_cast<double>(static_cast<int>(a.value));
}

template <class Real>
Real lane_sqrt(const Real& a) {
  using Number = typename Real::Number;
  Real result;
  for (int i = 0; i < Real::width; ++i) {
    result.set(i, static_cast<double>(std::sqrt(static_cast<Number>(a[i]))));
  }
  return result;
}

// 1/a and 1/√a, for lanes that single precision holds: half of the digits of a double by division, the rest
// by a step of Newton's method, to 1e-13. With all digits these are a processor's slowest operations.
template <class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<T, count, Target> lane_inverse(
    const Lanes<T, count, Target>& a) {
  using Real = Lanes<T, count, Target>;
  const Real near(converted<T, float, count>(1.0F / converted<float, T, count>(a.pack)));
  if constexpr (sizeof(T) == sizeof(float)) return near;
  return near + near * (Real(1.0) - a * near);
}
template <class T, int count, class Target>
[[gnu::always_inline]] inline Lanes<T, count, Target> lane_inverse_sqrt(
    const Lanes<T, count, Target>& a) {
  using Real = Lanes<T, count, Target>;
  const Vector<float, count> square = converted<float, T, count>(a.pack);
  Vector<float, count> root;
  for (int i = 0; i < count; ++i) root[i] = std::sqrt(square[i]);
  const Real near(converted<T, float, count>(1.0F / root));
  if constexpr (sizeof(T) == sizeof(float)) return near;
  return near + near * Real(0.5) * (Real(1.0) - a * near * near);
}
template <class T, class Target>
Single<T, Target> lane_inverse(const Single<T, Target>& a) {
  return Single<T, Target>(1.0) / a;
}
template <class T, class Target>
Single<T, Target> lane_inverse_sqrt(const Single<T, Target>& a) {
  return Single<T, Target>(1.0) / lane_sqrt(a);
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

}  // namespace thigmo
