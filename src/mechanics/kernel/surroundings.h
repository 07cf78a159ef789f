#pragma once

// What pushes on packs of bodies from outside. The ground is in contact.h.

#include "math/lanes.h"
#include "mechanics/model/air_lanes.h"
#include "mechanics/model/loads.h"

namespace thigmo {

// How a pack of bodies moves and what pushes it; world axes, about the bodies' own joints. The
// inertia is torque = A α + B v̇ + n, force = Bᵀ α + C v̇ + f.
template <class Real>
struct Pushed {
  Vec3T<Real> joint_world;               // [m]
  Vec3T<Real> omega, velocity;           // of the body and of its joint, as predicted
  Vec3T<Real> alpha_guess, accel_guess;  // the accelerations they were predicted with
  Sym3T<Real> a;
  Mat3T<Real> b;
  Sym3T<Real> c;
  Vec3T<Real> torque, force;  // n, f
};

// [r]× m
template <class Real>
[[gnu::always_inline]] inline Mat3T<Real> cross_times(const Vec3T<Real>& r, const Sym3T<Real>& m) {
  return {{r.y * m.xz - r.z * m.xy, r.y * m.yz - r.z * m.yy, r.y * m.zz - r.z * m.yz},
          {r.z * m.xx - r.x * m.xz, r.z * m.xy - r.x * m.yz, r.z * m.xz - r.x * m.zz},
          {r.x * m.xy - r.y * m.xx, r.x * m.yy - r.y * m.xy, r.x * m.yz - r.y * m.xz}};
}

// m [r]×ᵀ where the product is known to be symmetric: rows of m crossed with r.
template <class Real>
[[gnu::always_inline]] inline Sym3T<Real> times_cross_transposed(const Mat3T<Real>& m,
                                                                 const Vec3T<Real>& r) {
  // (m [r]×ᵀ)_ij = (r × m_i)_j
  const Vec3T<Real> x = cross(r, m.row_x), y = cross(r, m.row_y), z = cross(r, m.row_z);
  return {x.x, x.y, x.z, y.y, y.z, z.z};
}

// A force at the point `arm` from the joint that will change with the acceleration ā found:
//   F - m ā + m_guessed ā guessed,
// m = c_x times its slope in place and c_v times that in velocity, m_guessed the part that F was taken
// with a guess of. The tensor mass joins the inertia: C += m, B += [r]×m, A += [r]× m [r]×ᵀ.
template <class Real>
[[gnu::always_inline]] inline void push(const Vec3T<Real>& arm, const Vec3T<Real>& force,
                                        const Sym3T<Real>& m, const Sym3T<Real>& m_guessed,
                                        Pushed<Real>& s) {
  const Vec3T<Real> guess = s.accel_guess + cross(s.alpha_guess, arm);
  const Vec3T<Real> known = force + m_guessed * guess;
  s.force -= known;
  s.torque -= cross(arm, known);
  const Mat3T<Real> rm = cross_times(arm, m);
  s.c += m;
  s.b = s.b + rm;
  s.a += times_cross_transposed(rm, arm);
}

// Damping in proportion to mass, force = -rate × momentum: the inertia grows by rate c_v, and the
// known part of the momentum, without c_v ā, joins the bias.
template <class Real>
[[gnu::always_inline]] inline void damp_mass(const Real& rate, const Real& mass,
                                             const Vec3T<Real>& moment, const Real& c_v,
                                             Pushed<Real>& s) {
  const Vec3T<Real> omega = s.omega - s.alpha_guess * c_v, v = s.velocity - s.accel_guess * c_v;
  s.torque += (s.a * omega + cross(moment, v)) * rate;
  s.force += (v * mass + cross(omega, moment)) * rate;
  const Real grown = Real(1.0) + rate * c_v;
  s.a = s.a * grown;
  s.b = s.b * grown;
  s.c = s.c * grown;
}

// Quadratic drag on the relative wind u at `arm`. A stem feels it all along, which Gauss's two points at
// ± spread, half the length over √3, give: with u± = u⊥ ± δ, δ = -spread ω × ŷ,
//   F = ½ k⊥ (|u₊| u₊ + |u₋| u₋),  couple = spread ŷ × ½ k⊥ (|u₊| u₊ - |u₋| u₋),
//   -∂F/∂v ≈ ½ k⊥ (|u₊| + |u₋|) P + 2 k⊥ u⊥u⊥ᵀ/(|u₊| + |u₋|),  P = 1 - ŷŷᵀ,
// which is exact for turning about an end, ∫ s³ ds, as for a plain stream. The couple's slope is
// spread² [ŷ]× ∂F/∂v [ŷ]×ᵀ; what couples turning and pushing, and δδᵀ, are left out of the slopes, not of
// the forces.
// Organs add
//   F = k g |u| u,  -∂F/∂v = k g |u| (1 + g ûûᵀ),
// g = 1 / (1 + |u|/u_s) where they streamline from the speed u_s on, else 1.
template <class Real>
[[gnu::always_inline]] inline void add_drag(const AirView& air, const Vec3T<Real>& arm,
                                            const Vec3T<Real>& axis, const Real& spread,
                                            const Real& drag_across, const Real& drag_around,
                                            double streamlining_speed, const Real& c_v,
                                            Pushed<Real>& s) {
  Vec3T<Real> wind;
  if (air.uniform) {
    const AirNode& node = air.nodes[0];
    wind = {Real(node.x), Real(node.y), Real(node.z)};
  } else {
    wind = air_velocity(air, s.joint_world + arm);
  }
  const Vec3T<Real> u = wind - s.velocity - cross(s.omega, arm);
  const Vec3T<Real> across = u - axis * dot(u, axis), delta = cross(axis, s.omega) * spread;
  // A tiny speed added keeps the unit vectors finite in dead calm, where their factor vanishes.
  const Real tiny(1e-30), one(1.0), half(0.5);
  const Vec3T<Real> outer_wind = across + delta, inner_wind = across - delta;
  const Real square = dot(u, u) + tiny, outer_square = dot(outer_wind, outer_wind) + tiny,
             inner_square = dot(inner_wind, inner_wind) + tiny;
  const Real per_speed = lane_inverse_sqrt(square), speed = square * per_speed,
             outer_speed = outer_square * lane_inverse_sqrt(outer_square),
             inner_speed = inner_square * lane_inverse_sqrt(inner_square);
  const Real k_across = drag_across * half;
  Real k = drag_around, steepness = one;
  if (streamlining_speed > 0) {
    steepness = lane_inverse(one + speed * Real(1 / streamlining_speed));
    k = k * steepness;
  }
  const Real k_around = k * speed;
  const Vec3T<Real> outer_force = outer_wind * (k_across * outer_speed),
                    inner_force = inner_wind * (k_across * inner_speed);
  const Real both = outer_speed + inner_speed;
  const Real plain = k_across * both * c_v;
  const Sym3T<Real> turned = outer(across) * (Real(4.0) * k_across * c_v * lane_inverse(both));
  const Sym3T<Real> along = outer(axis);
  const Sym3T<Real> m = identity_times(plain + k_around * c_v) - along * plain + turned +
                        outer(u) * (k * steepness * c_v * per_speed);
  push(arm, outer_force + inner_force + u * k_around, m, m, s);
  // [ŷ]× (a P + w wᵀ) [ŷ]×ᵀ = a P + (ŷ×w)(ŷ×w)ᵀ, and w lies across ŷ: it is (a + w²) P - w wᵀ.
  const Real spread_squared = spread * spread;
  const Real all = plain + turned.xx + turned.yy + turned.zz;
  const Sym3T<Real> couple = ((identity_times(one) - along) * all - turned) * spread_squared;
  s.a += couple;
  s.torque -= cross(axis, outer_force - inner_force) * spread + couple * s.alpha_guess;
}

}  // namespace thigmo
