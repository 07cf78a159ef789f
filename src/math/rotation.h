#pragma once

#include <cmath>

#include "math/vector.h"

namespace thigmo {

// A unit quaternion w + xi + yj + zk. a * b first rotates by b, then by a, so that the names of
// frames cancel: world_from_leaf = world_from_stem * stem_from_leaf.
template <class Real>
struct QuatT {
  Real w{Real(1.0)}, x{}, y{}, z{};

  friend constexpr QuatT operator*(const QuatT& a, const QuatT& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
  friend constexpr bool operator==(const QuatT&, const QuatT&) = default;
};

using Quat = QuatT<double>;

template <class Real>
constexpr QuatT<Real> conjugate(const QuatT<Real>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

template <class Real>
constexpr Mat3T<Real> matrix(const QuatT<Real>& q) {
  const Real one = Real(1.0), two = Real(2.0);
  const Real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const Real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const Real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{one - two * (yy + zz), two * (xy - wz), two * (xz + wy)},
          {two * (xy + wz), one - two * (xx + zz), two * (yz - wx)},
          {two * (xz - wy), two * (yz + wx), one - two * (xx + yy)}};
}

[[gnu::always_inline]] inline Vec3 rotate(const Quat& q, const Vec3& v) {
  // v + 2 u × (u × v + w v)
  const Vec3 u{q.x, q.y, q.z};
  return v + 2.0 * cross(u, cross(u, v) + q.w * v);
}

inline Quat normalized(const Quat& q) {
  const double scale = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

// The rotation by |v| radians about v.
[[gnu::always_inline]] inline Quat exp_rotation(const Vec3& v) {
  const double angle_squared = dot(v, v);
  const double angle = std::sqrt(angle_squared);
  // sin(a/2)/a; its series below 1e-4 rad is exact to rounding.
  const double s = angle > 1e-4 ? std::sin(0.5 * angle) / angle : 0.5 - angle_squared / 48.0;
  return {std::cos(0.5 * angle), s * v.x, s * v.y, s * v.z};
}

// The vector v with |v| <= pi that exp_rotation maps to q.
[[gnu::always_inline]] inline Vec3 log_rotation(const Quat& q) {
  const Vec3 u{q.x, q.y, q.z};
  const double s = length(u);
  const double sign = q.w < 0 ? -1.0 : 1.0;
  const double half_angle = std::atan2(s, sign * q.w);
  // angle / sin(angle/2), by its limit when the angle vanishes
  const double factor = s > 1e-8 ? 2.0 * half_angle / s : 2.0;
  return u * (sign * factor);
}

inline Quat rotation_about(const Vec3& unit_axis, double angle_rad) {
  return exp_rotation(unit_axis * angle_rad);
}

// The rotation whose matrix has these orthonormal columns (Shepperd's method).
inline Quat quat_from_columns(const Vec3& cx, const Vec3& cy, const Vec3& cz) {
  const double trace = cx.x + cy.y + cz.z;
  Quat q;
  if (trace > cx.x && trace > cy.y && trace > cz.z) {
    q = {1 + trace, cy.z - cz.y, cz.x - cx.z, cx.y - cy.x};
  } else if (cx.x > cy.y && cx.x > cz.z) {
    q = {cy.z - cz.y, 1 + 2 * cx.x - trace, cx.y + cy.x, cz.x + cx.z};
  } else if (cy.y > cz.z) {
    q = {cz.x - cx.z, cx.y + cy.x, 1 + 2 * cy.y - trace, cy.z + cz.y};
  } else {
    q = {cx.y - cy.x, cz.x + cx.z, cy.z + cz.y, 1 + 2 * cz.z - trace};
  }
  return normalized(q);
}

// The smallest rotation that takes the unit vector `from` to the unit vector `to`.
inline Quat rotation_between(const Vec3& from, const Vec3& to) {
  const double c = dot(from, to);
  if (c < -1.0 + 1e-12) return rotation_about(any_perpendicular(from), std::acos(-1.0));
  const Vec3 axis = cross(from, to);
  return normalized(Quat{1.0 + c, axis.x, axis.y, axis.z});
}

}  // namespace thigmo
