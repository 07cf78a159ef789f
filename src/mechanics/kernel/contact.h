#pragma once

// The ground under packs of bodies: a push while a point is below it, and Coulomb's friction.

#include "mechanics/kernel/surroundings.h"

namespace thigmo {

// A point on the ground as one pass of a substep takes it, for the next pass and for the check after it.
template <class Real>
struct Contact {
  bool any = false;      // of the lanes is near the ground
  Vec3T<Real> arm;       // from the joint [m]
  Vec3T<Real> velocity;  // as guessed, at the end of the substep [m/s]
  Vec3T<Real> accel;     // ā of the point as guessed [m/s²]
  Real depth;            // as guessed, at the end, but for c_x ā where places are not guessed [m]
  Real touches, pushes;  // one where it is below the ground, where the ground pushes; else zero
  Real drag;             // friction over slip [N s/m]
  Real friction_x, friction_z;  // minus the friction that the pass before found [N]
  Vec3T<Real> force;            // of the ground, where the pass led [N]
};

// What a pass needs to know of the scheme.
template <class Real>
struct ContactScheme {
  Real c_x, c_v;  // of the point's place and velocity where the scheme takes the forces
  Real to_end;    // from there to the end of the substep [s]
  double
      reach;  // the depth, negative, from which a point may come to the ground in the substep [m]
  int pass;   // 0: places are not guessed
};

// How fast a sliding point will slide, so that friction is its share of it. What friction f does to
// the slip v is linear, v = free - W f: two passes show W, and with it where the law leads. Before that the
// slip as guessed has to do; where a point was held by more than μN it is let go as if it were the body
// alone, to see what that changes.
template <class Real>
[[gnu::always_inline]] inline Real coming_slip(const Contact<Real>& before, const Real& slip_x,
                                               const Real& slip_z, const Real& most,
                                               const Real& mass,
                                               const ContactScheme<Real>& scheme) {
  const Real tiny(1e-30), least(slip_speed);
  const Real speed = lane_sqrt(slip_x * slip_x + slip_z * slip_z);
  const Real as_found = lane_max(speed, least);
  if (scheme.pass == 0 || !before.any) return as_found;
  const Real of_body = (scheme.c_v + scheme.to_end) / mass;
  if (scheme.pass == 1) {
    const Real held = lane_step(before.drag * speed - most * Real(1.001));
    return as_found + held * most * of_body;
  }
  const Real fx = before.drag * slip_x, fz = before.drag * slip_z;
  const Real dfx = fx - before.friction_x, dfz = fz - before.friction_z;
  const Real w =
      lane_min(lane_max((dfx * (before.velocity.x - slip_x) + dfz * (before.velocity.z - slip_z)) /
                            (dfx * dfx + dfz * dfz + tiny),
                        Real(0.0)),
               of_body * Real(4.0));
  const Real free_x = slip_x + w * fx, free_z = slip_z + w * fz;
  const Real by_law = lane_max(lane_sqrt(free_x * free_x + free_z * free_z) - w * most, least);
  // Where a point was nearly right, what changed is the others' doing.
  const Real wrong = lane_step(lane_abs(before.drag - most / as_found) * speed - most * Real(0.02));
  return as_found + (by_law - as_found) * wrong;
}

// The ground under a point: N = k d - c v_y while the depth d is positive, where it is a push; friction
// -μ N v/max(|v|, v_s) along it. Depth and velocity are those at the end of the substep, d + v Δt and v + ā Δt:
// what is to stand stands then, and a blow too short for the step is not answered by another one.
//
// There is contact where the point would be below the ground without the substep's acceleration, or is with
// the one guessed. The second alone would let a point that is pushed out hop from step to step; the first
// alone one that its weight, in a step, presses deeper than it rests.
template <class Real>
[[gnu::always_inline]] inline void add_contact(const Ground& ground, const Vec3T<Real>& arm,
                                               const Real& mass, const ContactScheme<Real>& scheme,
                                               Contact<Real>& contact, Pushed<Real>& s) {
  const Real zero(0.0);
  const bool placed = scheme.pass > 0;
  const Vec3T<Real> accel = s.accel_guess + cross(s.alpha_guess, arm);
  const Vec3T<Real> v = s.velocity + cross(s.omega, arm);
  const Vec3T<Real> end = v + accel * scheme.to_end;
  const Real depth = Real(ground.height) - s.joint_world.y - arm.y - v.y * scheme.to_end;
  const Real by_place = scheme.c_x * accel.y, by_speed = scheme.to_end * scheme.c_v;
  const Real drifted = (placed ? depth + by_place : depth) + by_speed * accel.y;
  if (all_below(drifted, scheme.reach)) {
    contact.any = false;
    return;
  }
  const Real stiffness(ground.stiffness), damping(ground.damping);
  const Real touches = placed ? lane_max(lane_step(drifted), lane_step(depth)) : lane_step(drifted);
  const Real found = stiffness * (placed ? depth : depth - by_place) - damping * end.y;
  const Real pushes = placed ? touches * lane_step(found) : touches;
  const Real most = Real(ground.friction) * touches * lane_max(found, zero);
  const Real drag = most / coming_slip(contact, end.x, end.z, most, mass, scheme);
  contact.friction_x = contact.drag * end.x;
  contact.friction_z = contact.drag * end.z;
  contact.any = true;
  contact.arm = arm;
  contact.velocity = end;
  contact.accel = accel;
  contact.depth = depth;
  contact.touches = touches;
  contact.pushes = pushes;
  contact.drag = drag;
  const Vec3T<Real> force{-(drag * end.x), pushes * (stiffness * depth - damping * end.y),
                          -(drag * end.z)};
  const Real c_end = scheme.c_v + scheme.to_end, by_slip = drag * c_end;
  const Sym3T<Real> by_velocity{
      by_slip, zero, zero, pushes * (damping * c_end + stiffness * by_speed), zero, by_slip};
  Sym3T<Real> m = by_velocity;
  m.yy += pushes * stiffness * scheme.c_x;
  push(arm, force, m, placed ? m : by_velocity, s);
}

// Takes the force that a pass found, and says how far it is from the law where the pass led, of the push
// there.
template <class Real>
[[gnu::always_inline]] inline Real take_force(const Ground& ground, const Vec3T<Real>& accel,
                                              const ContactScheme<Real>& scheme,
                                              Contact<Real>& contact) {
  const Real stiffness(ground.stiffness);
  const Vec3T<Real> change = accel - contact.accel;
  const Vec3T<Real> end = contact.velocity + change * (scheme.c_v + scheme.to_end);
  const Real sunk =
      scheme.c_x * (scheme.pass > 0 ? change.y : accel.y) + scheme.to_end * scheme.c_v * change.y;
  const Real depth = contact.depth - sunk;
  const Real linear = stiffness * depth - Real(ground.damping) * end.y;
  contact.force = {-(contact.drag * end.x), contact.pushes * linear, -(contact.drag * end.z)};
  const Real law = lane_max(contact.touches, lane_step(depth)) * lane_max(linear, Real(0.0));
  const Real off_push = lane_abs(contact.pushes * linear - law);
  const Real slip = lane_sqrt(end.x * end.x + end.z * end.z);
  const Real due = Real(ground.friction) * law / lane_max(slip, Real(slip_speed));
  const Real off_friction = lane_abs(contact.drag - due) * slip;
  return (off_push + off_friction) / (law + stiffness * Real(contact_grain));
}

}  // namespace thigmo
