#pragma once

// The state of a pack of bodies, from memory and back.

#include <algorithm>
#include <cstddef>

#include "mechanics/kernel/pack_lanes.h"
#include "mechanics/kernel/state_view.h"

namespace thigmo {

// Where pack k lies, of so many numbers each.
template <int numbers, class Stored>
[[gnu::always_inline]] inline Stored* of_pack(Stored* all, Index k) {
  return all + static_cast<std::ptrdiff_t>(k) * numbers;
}

// Asks for memory some packs before it is needed. Within a page the processor does so by itself, but
// a sweep reads too many streams of too few bytes.
inline constexpr Index packs_ahead = 4;
template <class Item>
[[gnu::always_inline]] inline void fetch(const Item* begin, int count) {
  const auto* at = reinterpret_cast<const char*>(begin);
  const int bytes = count * static_cast<int>(sizeof(Item));
  for (int line = 0; line < bytes; line += 64) __builtin_prefetch(at + line);
}
template <class Real>
[[gnu::always_inline]] inline void fetch_state(const StateView& state, Index k) {
  constexpr int width = Real::width;
  fetch(of_pack<4 * width>(state.rest_from_body, k), 4 * width);
  fetch(of_pack<3 * width>(state.joint_velocity, k), 3 * width);
  fetch(of_pack<3 * width>(state.joint_acceleration, k), 3 * width);
}

// The numbers, vectors and rotations of pack k.
template <class Real, class Stored>
inline Real load_number(const Stored* all, Index k) {
  return Real::at(of_pack<Real::width>(all, k));
}
template <class Real, class Stored>
inline Vec3T<Real> load_vector(const Stored* all, Index k) {
  constexpr int width = Real::width;
  const Stored* p = of_pack<3 * width>(all, k);
  return {Real::at(p), Real::at(p + width), Real::at(p + 2 * width)};
}
template <class Real, class Stored>
inline QuatT<Real> load_rotation(const Stored* all, Index k) {
  constexpr int width = Real::width;
  const Stored* p = of_pack<4 * width>(all, k);
  return {Real::at(p), Real::at(p + width), Real::at(p + 2 * width), Real::at(p + 3 * width)};
}
template <class Real, class Stored>
inline void store(const Real& value, Stored* all, Index k) {
  value.copy_to(of_pack<Real::width>(all, k));
}
template <class Real, class Stored>
inline void store(const Vec3T<Real>& v, Stored* all, Index k) {
  constexpr int width = Real::width;
  Stored* p = of_pack<3 * width>(all, k);
  v.x.copy_to(p);
  v.y.copy_to(p + width);
  v.z.copy_to(p + 2 * width);
}
template <class Real, class Stored>
inline void store(const QuatT<Real>& q, Stored* all, Index k) {
  constexpr int width = Real::width;
  Stored* p = of_pack<4 * width>(all, k);
  q.w.copy_to(p);
  q.x.copy_to(p + width);
  q.y.copy_to(p + 2 * width);
  q.z.copy_to(p + 3 * width);
}

// Lanes that are not filled repeat the first.
template <class Real>
inline void repeat_first(int filled, Index k, const NextView& state) {
  constexpr int width = Real::width;
  const auto repeat = [filled, k](auto* all, int components) {
    auto* numbers = all + static_cast<std::ptrdiff_t>(k) * components * width;
    for (int c = 0; c < components; ++c) {
      std::fill(numbers + c * width + filled, numbers + (c + 1) * width, numbers[c * width]);
    }
  };
  repeat(state.rest_from_body, 4);
  repeat(state.joint_velocity, 3);
  repeat(state.joint_acceleration, 3);
  repeat(state.tension_torque, 1);
}

}  // namespace thigmo
