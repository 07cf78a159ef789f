#pragma once

// What pushes on packs of bodies from outside: air, ground, hands.

#include "math/lanes.h"
#include "mechanics/air.h"
#include "mechanics/loads.h"

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

// Quadratic drag on the relative wind u at `arm`:
//   F = k⊥ |u⊥| u⊥ + k g |u| u,  -∂F/∂v = k⊥|u⊥| (P + û⊥û⊥ᵀ) + k g |u| (1 + g ûûᵀ),  P = 1 - ŷŷᵀ,
// g = 1 / (1 + |u|/u_s) for organs that streamline from the speed u_s on, else 1.
template <class Real>
[[gnu::always_inline]] inline void add_drag(const AirLattice& air, const Vec3T<Real>& arm,
                                            const Vec3T<Real>& axis, const Real& drag_across,
                                            const Real& drag_around, double streamlining_speed,
                                            const Real& c_v, Pushed<Real>& s) {
  Vec3T<Real> wind;
  if (air.velocity_world.size() == 1) {
    const AirNode& node = air.velocity_world[0];
    wind = {Real(node.x), Real(node.y), Real(node.z)};
  } else {
    wind = air_velocity(air, s.joint_world + arm);
  }
  const Vec3T<Real> u = wind - s.velocity - cross(s.omega, arm);
  const Vec3T<Real> across = u - axis * dot(u, axis);
  // A tiny speed added keeps the unit vectors finite in dead calm, where their factor vanishes.
  const Real tiny(1e-30), one(1.0);
  const Real speed = lane_sqrt(dot(u, u) + tiny),
             speed_across = lane_sqrt(dot(across, across) + tiny);
  const Real k_across = drag_across * speed_across;
  Real k = drag_around, steepness = one;
  if (streamlining_speed > 0) {
    steepness = one / (one + speed * Real(1 / streamlining_speed));
    k = k * steepness;
  }
  const Real k_around = k * speed;
  const Sym3T<Real> slope = identity_times(k_across + k_around) - outer(axis) * k_across +
                            outer(across) * (drag_across / speed_across) +
                            outer(u) * (k * steepness / speed);
  const Sym3T<Real> m = slope * c_v;
  push(arm, across * k_across + u * k_around, m, m, s);
}

// The ground under a point: N = k d - c v_y while the depth d is positive; friction
// -μ N v/(|v| + v_s) along it, where N is a push. `placed`: the point is where the guess brings it.
template <class Real>
[[gnu::always_inline]] inline void add_contact(const Ground& ground, const Vec3T<Real>& arm,
                                               const Real& c_x, const Real& c_v, bool placed,
                                               Pushed<Real>& s) {
  const Real depth = Real(ground.height) - s.joint_world.y - arm.y;
  if (all_below(depth, 0.0)) return;
  const Real zero(0.0);
  const Vec3T<Real> v = s.velocity + cross(s.omega, arm);
  // Depth alone decides whether there is contact: deciding by the guessed push would switch it off and
  // on from step to step.
  const Real touches = lane_step(depth);
  const Real stiffness = touches * Real(ground.stiffness), damping = touches * Real(ground.damping);
  const Real normal = stiffness * depth - damping * v.y;
  const Real sliding = lane_sqrt(v.x * v.x + v.z * v.z);
  const Real drag = Real(ground.friction) * lane_max(normal, zero) / (sliding + Real(slip_speed));
  const Vec3T<Real> force{-(drag * v.x), normal, -(drag * v.z)};
  const Sym3T<Real> by_velocity{drag * c_v, zero, zero, damping * c_v, zero, drag * c_v};
  Sym3T<Real> m = by_velocity;
  m.yy += stiffness * c_x;
  push(arm, force, m, placed ? m : by_velocity, s);
}

}  // namespace thigmo
