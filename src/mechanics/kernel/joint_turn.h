#pragma once

// How far packs of joints are turned away from rest, and what their springs do about it.

#include <cmath>
#include <numbers>

#include "mechanics/kernel/pack_lanes.h"
#include "mechanics/model/joint_spring.h"
#include "mechanics/model/mechanism.h"

namespace thigmo {

// A joint's rotation away from rest: as quaternion and as vector θ, with the c of
// J⁻ᵀ(θ) = 1 - ½[θ]× + c [θ]×², c = (1 - ½θ cot ½θ)/θ²; J is the right Jacobian of the exponential
// map.
template <class Real>
struct Turned {
  QuatT<Real> q;
  Vec3T<Real> theta;
  Real c;
  bool may_fold = false;
};

template <class Real>
[[gnu::noinline]] void turn_far(const QuatT<Real>& from, const Vec3T<Real>& by, Turned<Real>& t) {
  for (int l = 0; l < Real::width; ++l) {
    const Quat q = get(from, l) * exp_rotation(get(by, l));
    const Vec3 theta = log_rotation(q);
    const double x = dot(theta, theta), half = 0.5 * std::sqrt(x);
    set(t.q, l, q);
    set(t.theta, l, theta);
    t.c.set(l, x < 1e-4 ? 1.0 / 12.0 + x / 720.0 : (1.0 - half / std::tan(half)) / x);
    if (!(x <= fold_start * fold_start)) t.may_fold = true;
  }
}

// q = from · exp(by). Up to half a radian of `by` and 0.28 rad of θ by series in packs, beyond that
// lane by lane.
template <class Real>
[[gnu::always_inline]] inline Turned<Real> turned(const QuatT<Real>& from, const Vec3T<Real>& by) {
  const Real by_squared = dot(by, by);
  const QuatT<Real> q = from * exp_rotation_near(by, by_squared);
  const Vec3T<Real> u{q.x, q.y, q.z};
  const Real sine_squared = dot(u, u);
  const Vec3T<Real> theta = log_rotation_near(u, sine_squared);
  constexpr double series[] = {1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160};
  Turned<Real> t{.q = q, .theta = theta, .c = polynomial(series, dot(theta, theta))};
  if (!all((by_squared <= Real(exp_rotation_limit)) & (sine_squared <= Real(log_rotation_limit)) &
           (q.w > Real(0.0)))) {
    turn_far(from, by, t);
  }
  return t;
}

// The springs of a pack of joints with round sections, K = bend 1 + beyond a aᵀ, a = (u, 1, v): this
// takes half the work of a whole matrix.
template <class Real>
struct RoundSprings {
  Real bend, beyond;
  Short<Real> u, v;

  Vec3T<Real> axis() const { return {Real(u), Real(1.0), Real(v)}; }
  // Of K.
  Vec3T<Real> diagonal() const {
    const Vec3T<Real> a = axis();
    return Vec3T<Real>{bend, bend, bend} + scale(a, a) * beyond;
  }
};

// Of a mechanism with flat sections: K as it is.
template <class Real>
struct FlatSprings {
  Vec3T<Real> diagonal;
  ShorterVector<Real> beside;  // K_xy, K_xz, K_yz

  Sym3T<Real> whole() const {
    return {diagonal.x, Real(beside.x), Real(beside.y), diagonal.y, Real(beside.z), diagonal.z};
  }
};

template <class Real>
inline void set_round_spring(RoundSprings<Real>& springs, int lane, const Body& body) {
  const double x = body.section.x, z = body.section.y;
  springs.bend.set(lane, body.stiffness.x);
  springs.beyond.set(lane, (body.stiffness.y - body.stiffness.x) / (1 + x * x + z * z));
  springs.u.set(lane, x);
  springs.v.set(lane, z);
}

template <class Real>
inline FlatSprings<Real> flat_springs(const Mechanism& mechanism, const Lane* lanes) {
  Vec3T<Real> diagonal, beside;
  for (int l = 0; l < Real::width; ++l) {
    const Sym3 k = joint_stiffness(at(mechanism.body, lanes[l].body));
    set(diagonal, l, {k.xx, k.yy, k.zz});
    set(beside, l, {k.xy, k.xz, k.yz});
  }
  return {diagonal, beside};
}

// K θ and K' w in the bodies' frames, and K' in the world's, which `r` leads to. K' is K in the axes
// halfway between the joint's two bodies, turned back by ½ θ: to first order in θ the slope of the
// spring's torque, J⁻ᵀ K J⁻¹ and what J changes by.
template <class Real>
struct SpringTerms {
  Vec3T<Real> of_theta, of_w;
  Sym3T<Real> world;
};
template <class Real>
[[gnu::always_inline]] inline SpringTerms<Real> spring_terms(const RoundSprings<Real>& springs,
                                                             const Vec3T<Real>& theta,
                                                             const Vec3T<Real>& w,
                                                             const Mat3T<Real>& r) {
  const Vec3T<Real> a = springs.axis(), mean = a + cross(a, theta) * Real(0.5), world = r * mean;
  // As long as a is: where twisting is softer than bending, K' would be indefinite otherwise.
  const Real beyond = springs.beyond * dot(a, a) / dot(mean, mean);
  return {.of_theta = theta * springs.bend + a * (dot(a, theta) * springs.beyond),
          .of_w = w * springs.bend + mean * (dot(mean, w) * beyond),
          .world = identity_times(springs.bend) + outer(world) * beyond};
}
template <class Real>
[[gnu::always_inline]] inline SpringTerms<Real> spring_terms(const FlatSprings<Real>& springs,
                                                             const Vec3T<Real>& theta,
                                                             const Vec3T<Real>& w,
                                                             const Mat3T<Real>& r) {
  const Sym3T<Real> k = springs.whole();
  const Vec3T<Real> back = theta * Real(0.5), of_w = k * (w + cross(back, w));
  const Mat3T<Real> mean{r.row_x - cross(r.row_x, back), r.row_y - cross(r.row_y, back),
                         r.row_z - cross(r.row_z, back)};
  return {.of_theta = k * theta, .of_w = of_w - cross(back, of_w), .world = conjugate(mean, k)};
}

// -J⁻ᵀ(θ) K θ, the torque of the spring energy ½ θᵀKθ, body frame.
template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> spring_torque(const Turned<Real>& t,
                                                        const Vec3T<Real>& k_theta) {
  const Vec3T<Real> theta_k = cross(t.theta, k_theta);
  return -(k_theta - theta_k * Real(0.5) + cross(t.theta, theta_k) * t.c);
}

// Near a fold the torque k (x/(π - θ))² (x = θ - fold_start) acts against θ; its slope joins the
// implicit block, as does that of a damper, slope × h: the fold is stiffer than any step resolves and
// would throw the joint back with more than it came with. `r` is world from body.
template <class Real>
void add_fold(const Vec3T<Real>& theta, const Vec3T<Real>& stiffness, const Mat3T<Real>& r,
              const Vec3T<Real>& known_w, const Vec3T<Real>& guessed_a, double c_x, double c_v,
              double h, Vec3T<Real>& torque, Sym3T<Real>& block) {
  for (int l = 0; l < Real::width; ++l) {
    const Vec3 t = get(theta, l);
    const double angle = length(t);
    if (!(angle > fold_start)) continue;
    const FoldEnergy fold = fold_energy(angle, get(stiffness, l));
    const Vec3 along = t / angle;
    const double damping = fold.slope * h;
    const double push = fold.torque - fold.slope * c_x * dot(along, get(guessed_a, l)) +
                        damping * dot(along, get(known_w, l));
    set(torque, l, get(torque, l) - along * push);
    const Vec3 world{dot(get(r.row_x, l), along), dot(get(r.row_y, l), along),
                     dot(get(r.row_z, l), along)};
    add_to_lane(block, l, outer(world) * (c_x * fold.slope + c_v * damping));
  }
}

}  // namespace thigmo
