#pragma once

// One joint of the articulated-body method: what it lets through to the parent, and how it answers the
// parent's motion. For one body or a pack of them.

#include "mechanics/kernel/pack_lanes.h"
#include "mechanics/kernel/surroundings.h"

namespace thigmo {

// What a body asks of its joint, torque = A α + B v̇ + n and force = Bᵀ α + C v̇ + f; world axes.
template <class Real>
struct Inertia {
  Sym3T<Real> a;
  Mat3T<Real> b;
  Sym3T<Real> c;
  Vec3T<Real> torque, force;
};

// A joint between its body and the parent.
template <class Real>
struct Link {
  Vec3T<Real> from_parent;      // own joint minus the parent's joint [m]
  Vec3T<Real> transport_alpha;  // what the parent's motion adds: ω_p × w
  Vec3T<Real> transport_accel;  // and ω_p × (ω_p × r)
  Vec3T<Real> torque;           // τ₀ of spring and damper
  Sym3T<Real> block;            // X = c_v D + c_x K
  Vec3T<Real> turning;  // t = ½ c_x τ of the spring: its torque turns with both its bodies
};

template <class Real>
inline Link<typename Real::Alone> lane_of(const Link<Real>& link, int lane) {
  return {lane_of(link.from_parent, lane),     lane_of(link.transport_alpha, lane),
          lane_of(link.transport_accel, lane), lane_of(link.torque, lane),
          lane_of(link.block, lane),           lane_of(link.turning, lane)};
}

// The joint with a damper more where `spin`, its turning as known, is not below `free_spin`:
// c_v D = m = strength × tr A.
template <class R>
inline Link<R> braked(const Link<R>& link, const Inertia<R>& body, const Vec3T<R>& spin,
                      const R& free_spin, const R& strength, const R& c_v) {
  const R fast = R(1.0) - lane_step(free_spin * free_spin - dot(spin, spin));
  const R m = fast * (body.a.xx + body.a.yy + body.a.zz) * strength;
  Link<R> slowed = link;
  slowed.block += identity_times(m);
  slowed.torque -= spin * (m / c_v);
  return slowed;
}

// How a joint answers: -(t + T α + V v̇) is its turn.
template <class Real>
struct Answer {
  Vec3T<Real> turn;        // U (n - τ₀), U = (A + X)⁻¹
  Mat3T<Real> turn_alpha;  // U (A + L)
  Mat3T<Real> turn_accel;  // U B
};

template <class R>
inline Mat3T<R> one_minus_transposed(const Mat3T<R>& m) {
  const R one(1.0);
  return {{one - m.row_x.x, -m.row_y.x, -m.row_z.x},
          {-m.row_x.y, one - m.row_y.y, -m.row_z.y},
          {-m.row_x.z, -m.row_y.z, one - m.row_z.z}};
}

// m + [t]×
template <class R>
inline Mat3T<R> plus_cross(const Sym3T<R>& m, const Vec3T<R>& t) {
  return {{m.xx, m.xy - t.z, m.xz + t.y},
          {m.xy + t.z, m.yy, m.yz - t.x},
          {m.xz - t.y, m.yz + t.x, m.zz}};
}

// z (a + [t]×) - [t]× where that is known to be symmetric.
template <class R>
inline Sym3T<R> symmetric_product(const Mat3T<R>& z, const Sym3T<R>& a, const Vec3T<R>& t) {
  const Mat3T<R> columns = plus_cross(a, -t);  // the rows of its transpose
  return {dot(z.row_x, columns.row_x),       dot(z.row_x, columns.row_y) + t.z,
          dot(z.row_x, columns.row_z) - t.y, dot(z.row_y, columns.row_y),
          dot(z.row_y, columns.row_z) + t.x, dot(z.row_z, columns.row_z)};
}

// Bᵀ (U B), symmetric: six dot products of columns.
template <class R>
inline Sym3T<R> transposed_times_symmetric(const Mat3T<R>& b, const Mat3T<R>& ub) {
  const Mat3T<R> p = transposed(b), q = transposed(ub);
  return {dot(p.row_x, q.row_x), dot(p.row_x, q.row_y), dot(p.row_x, q.row_z),
          dot(p.row_y, q.row_y), dot(p.row_y, q.row_z), dot(p.row_z, q.row_z)};
}

// How a joint answers, and what it lets through to the parent's joint. The spring's torque τ turns with
// the mean of the joint's two bodies. Turned by c_x α_p and c_x (α_p + u), u the joint's own turn, they
// change it by ½ c_x (2 α_p + u) × τ. Together with how loads change their arms this is symmetric: the
// joint has the energy uᵀ L α_p beside ½ uᵀ X u, L = [t]×, t = ½ c_x τ. It is what couples bending and
// twisting of a bent stem. With U = (A + X)⁻¹, Z = (X + L) U:
//   A' = Z (A + L) - L,   B' = Z B,   C' = C - Bᵀ U B,   n' = τ₀ + Z (n - τ₀),   f' = f - Bᵀ U (n - τ₀),
// written with X so that neither a stiff nor a soft joint cancels digits; then shifted to the
// parent's joint.
template <class R>
struct Passed {
  Answer<R> answer;
  Inertia<R> through;
};
template <class R>
[[gnu::always_inline]] inline Passed<R> pass(const Inertia<R>& body, const Link<R>& link) {
  const Sym3T<R> u = inverse(body.a + link.block);
  const Vec3T<R> excess = body.torque - link.torque;
  const Vec3T<R>& t = link.turning;
  const Mat3T<R> z = plus_cross(link.block, t) * full(u), ub = full(u) * body.b;
  const Sym3T<R> a = symmetric_product(z, body.a, t);
  const Mat3T<R> b = z * body.b;
  const Sym3T<R> c = body.c - transposed_times_symmetric(body.b, ub);
  const Vec3T<R> torque =
      link.torque + z * excess + a * link.transport_alpha + b * link.transport_accel;
  const Vec3T<R> force = body.force - transposed_times(ub, excess) +
                         transposed_times(b, link.transport_alpha) + c * link.transport_accel;
  // B += [r]×C, A += [r]×Bᵀ + B[r]×ᵀ + [r]×C[r]×ᵀ
  const Vec3T<R>& r = link.from_parent;
  const Mat3T<R> rc = cross_times(r, c);
  const Vec3T<R> bx = cross(r, b.row_x), by = cross(r, b.row_y),
                 bz = cross(r, b.row_z);  // rows of B[r]×ᵀ
  const Sym3T<R> shift{bx.x + bx.x, bx.y + by.x, bx.z + bz.x,
                       by.y + by.y, by.z + bz.y, bz.z + bz.z};
  return {.answer = {.turn = u * excess,
                     .turn_alpha = one_minus_transposed(z),  // U (A + L) = 1 - U (X - L)
                     .turn_accel = ub},
          .through = {.a = a + shift + times_cross_transposed(rc, r),
                      .b = b + rc,
                      .c = c,
                      .torque = torque + cross(r, force),
                      .force = force}};
}

// What came through, added to what it stands on by `add`.
template <class Part, class To, class Add>
[[gnu::always_inline]] inline void add_through(const Inertia<Part>& t, To& p, const Add& add) {
  const auto add_v = [&](auto& sum, const auto& part) {
    add(sum.x, part.x);
    add(sum.y, part.y);
    add(sum.z, part.z);
  };
  const auto add_s = [&](auto& sum, const auto& part) {
    add(sum.xx, part.xx);
    add(sum.xy, part.xy);
    add(sum.xz, part.xz);
    add(sum.yy, part.yy);
    add(sum.yz, part.yz);
    add(sum.zz, part.zz);
  };
  add_s(p.a, t.a);
  add_v(p.b.row_x, t.b.row_x);
  add_v(p.b.row_y, t.b.row_y);
  add_v(p.b.row_z, t.b.row_z);
  add_s(p.c, t.c);
  add_v(p.torque, t.torque);
  add_v(p.force, t.force);
}

// How a body and its joint accelerate, and the turn of the joint.
template <class R>
struct Swung {
  Vec3T<R> alpha, accel, turn;
};
template <class R>
[[gnu::always_inline]] inline Swung<R> swung_by(
    const Vec3T<R>& parent_alpha, const Vec3T<R>& parent_accel, const Vec3T<R>& from_parent,
    const Answer<R>& answer, const Vec3T<R>& transport_alpha, const Vec3T<R>& transport_accel) {
  const Vec3T<R> alpha = parent_alpha + transport_alpha;
  const Vec3T<R> accel = parent_accel + cross(parent_alpha, from_parent) + transport_accel;
  const Vec3T<R> turn = -(answer.turn + answer.turn_alpha * alpha + answer.turn_accel * accel);
  return {.alpha = alpha + turn, .accel = accel, .turn = turn};
}

}  // namespace thigmo
