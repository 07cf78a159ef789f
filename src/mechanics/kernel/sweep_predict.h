#pragma once

// The first sweep, root to tips: where bodies are and how they move, what acts on them, their springs.

#include "mechanics/kernel/from_parents.h"
#include "mechanics/kernel/pack_memory.h"
#include "mechanics/kernel/sweep_loads.h"
#include "mechanics/kernel/sweep_packs.h"

namespace thigmo {

// ā as the last sweep found it, from the accelerations that it left.
template <class Real>
inline Vec3T<Real> last_found(const KernelTask& task, Index k, const Vec3T<Real>& a) {
  const double am = task.scheme.alpha_m;
  return load_vector<Real>(task.next.joint_acceleration, k) * Real(1 - am) + a * Real(am);
}

// How a pack's joints move to where the forces are taken, but for what the acceleration to be found adds.
template <class Real>
struct Drift {
  Vec3T<Real> turn;                // from the start of the substep [rad]
  Vec3T<Real> known_w, guessed_a;  // there, and the ā that was guessed
};
template <class Real>
[[gnu::always_inline]] inline Drift<Real> drift_of(const KernelTask& task, Index k) {
  const Scheme& scheme = task.scheme;
  const StateView& state = task.state;
  const Vec3T<Real> w = load_vector<Real>(state.joint_velocity, k);
  const Vec3T<Real> a = load_vector<Real>(state.joint_acceleration, k);
  const Vec3T<Real> guessed_a = task.corrected ? last_found<Real>(task, k, a) : a;
  const Vec3T<Real> known_w = w + a * Real(scheme.known_a);
  // Places without a guess at first: springs, whose slopes are known, lose nothing by it, and what
  // has no slope here would be fed by accelerations that ring.
  Vec3T<Real> turn = w * Real(scheme.drift_w) + a * Real(scheme.drift_a);
  if (task.corrected) turn += guessed_a * Real(scheme.c_x);
  return {turn, known_w, guessed_a};
}

// Places, velocities and guessed accelerations of a pack's bodies, from those of their parents. Gives the
// angular accelerations of the parents that places were taken without.
template <class Real>
[[gnu::always_inline]] inline Vec3T<Real> move_on(const KernelTask& task,
                                                  const Local<PackScratch<Real>>& own, Index k,
                                                  const PackLanes& pack, const Drift<Real>& at,
                                                  const Turned<Real>& joint,
                                                  const Vec3T<Real>& given_alpha, Mat3T<Real>& r) {
  using V = Vec3T<Real>;
  using Scratch = PackScratch<Real>;
  const PackConstants<Real>& body = constants<Real>(task)[k];
  const RootFrame& root = *task.root;
  Scratch& s = own[k];
  Link<Real>& link = s.link;
  const QuatT<Real> parent_from_body = body.parent_from_rest * joint.q;
  const QuatT<Real> world_from_parent =
      turn_on(own, k, pack, &Scratch::world_from_body, root.world_from_plant, parent_from_body);
  r = matrix(s.world_from_body);
  link.from_parent = rotate(world_from_parent, body.base_in_parent);
  const V relative = r * (at.known_w + at.guessed_a * Real(task.scheme.c_v));
  const V parent_omega = add_up(own, k, pack, &Scratch::omega, root.omega, relative);
  const V turning = cross(parent_omega, link.from_parent);
  add_up(own, k, pack, &Scratch::joint_world, root.origin_world, link.from_parent);
  add_up(own, k, pack, &Scratch::velocity, root.velocity, turning);
  link.transport_alpha = cross(parent_omega, relative);
  link.transport_accel = cross(parent_omega, turning);
  V placed_alpha = given_alpha;
  if (task.pushed || task.corrected) {
    const V alpha = add_up(own, k, pack, &Scratch::alpha_guess, root.alpha_guess,
                           link.transport_alpha + r * at.guessed_a);
    add_up(own, k, pack, &Scratch::accel_guess, root.accel_guess,
           cross(alpha, link.from_parent) + link.transport_accel);
    if (task.corrected) placed_alpha = alpha + link.transport_alpha;
  }
  return placed_alpha;
}

// Apart from the rest, which has enough to keep in registers.
template <class Real>
[[gnu::noinline]] void stand_on_ground(const KernelTask& task, Index k, const Vec3T<Real>& tip,
                                       PackScratch<Real>& s) {
  add_contact(task.ground, tip, constants<Real>(task)[k].mass, contact_scheme<Real>(task),
              contacts<Real>(task)[k], s);
}

// The inertia of a pack's bodies, and what acts on them.
template <class Real>
[[gnu::always_inline]] inline void weigh(const KernelTask& task, Index k, const Mat3T<Real>& r,
                                         PackScratch<Real>& s) {
  using V = Vec3T<Real>;
  const PackConstants<Real>& body = constants<Real>(task)[k];
  const Real c_v(task.scheme.c_v), c_x(task.scheme.c_x);
  const V gravity = broadcast<Real>(task.gravity_world);
  const V moment = r * body.first_moment;
  s.a = conjugate(r, Sym3T<Real>(body.inertia));
  s.b = cross_matrix(moment);
  s.c = identity_times(body.mass);
  s.torque = cross(s.omega, s.a * s.omega) - cross(moment, gravity);
  s.force = cross(s.omega, cross(s.omega, moment)) - gravity * body.mass;
  if (task.mass_damping > 0) damp_mass(Real(task.mass_damping), body.mass, moment, c_v, s);
  const V axis{r.row_x.y, r.row_y.y, r.row_z.y};
  if (task.with_tension) {
    const Real tension =
        load_number<Real>(task.corrected ? task.next.tension_torque : task.state.tension_torque,
                          k) *
        c_x;
    s.a += (identity_times(Real(1.0)) - outer(axis)) * tension;
    if (task.corrected) {
      s.torque -= (s.alpha_guess - axis * dot(axis, s.alpha_guess)) * tension;
    }
    s.axis = axis;
    s.own_tension = dot(moment, gravity);
  }
  if (task.in_air) {
    add_drag(task.air, r * V(body.drag_point), axis, Real(body.length) * Real(drag_spread),
             Real(body.drag_across), Real(body.drag_around), task.streamlining_speed, c_v, s);
  }
  if (task.on_ground) stand_on_ground(task, k, axis * Real(body.length), s);
}

// The springs and dampers of a pack's joints.
template <class Real>
[[gnu::always_inline]] inline void hold(const KernelTask& task, Index k, const Drift<Real>& at,
                                        const Turned<Real>& joint, const Mat3T<Real>& r,
                                        const Vec3T<Real>& placed_alpha, Link<Real>& link) {
  using V = Vec3T<Real>;
  const Scheme& scheme = task.scheme;
  const Real c_v(scheme.c_v), c_x(scheme.c_x);
  const PackConstants<Real>& body = constants<Real>(task)[k];
  // X ā has all of c_x K ā, springs taken where the guess leads have that of the guess.
  V behind = at.known_w * Real(body.damping_time);
  if (task.corrected) behind -= at.guessed_a * c_x;
  const FlatSprings<Real>* flat = flat_springs_of<Real>(task, k);
  const SpringTerms<Real> spring = flat ? spring_terms(*flat, joint.theta, behind, r)
                                        : spring_terms(body.springs, joint.theta, behind, r);
  link.block = spring.world * (Real(body.damping_time) * c_v + c_x);
  const V of_spring = spring_torque(joint, spring.of_theta);
  V torque = of_spring - spring.of_w;
  if (joint.may_fold) {
    const V placed_a = task.corrected ? at.guessed_a : V{Real(0.0), Real(0.0), Real(0.0)};
    add_fold(joint.theta, flat ? flat->diagonal : body.springs.diagonal(), r, at.known_w, placed_a,
             scheme.c_x, scheme.c_v, scheme.h, torque, link.block);
  }
  link.turning = r * of_spring * (c_x * Real(0.5));
  link.torque = r * torque + cross(link.turning, placed_alpha);
}

template <class Real>
void predict(const KernelTask& task, const Block& block, std::byte* bytes) {
  // A root that is moved is placed where it will be.
  const Vec3T<Real> given_alpha = broadcast<Real>(task.root_inertia ? Vec3{} : task.root->alpha);
  const auto own = local<PackScratch<Real>>(bytes, block, task.trunk);
  PackKept<Real>* keep = kept<Real>(task);
  for (Index k = block.begin; k < block.end; ++k) {
    const PackLanes pack = pack_of<Real>(task.schedule, k);
    PackScratch<Real>& s = own[k];
    if (task.fetch_ahead) {
      const Index ahead = std::min(k + packs_ahead, block.end - 1);
      fetch(constants<Real>(task) + ahead, 1);
      fetch_state<Real>(task.state, ahead);
      fetch(keep + ahead, 1);
      if (task.with_tension) fetch(kept_tensions<Real>(task) + ahead, 1);
    }
    const Drift<Real> at = drift_of<Real>(task, k);
    const Turned<Real> joint = turned(load_rotation<Real>(task.state.rest_from_body, k), at.turn);
    Mat3T<Real> r;  // world from body
    const Vec3T<Real> placed_alpha = move_on(task, own, k, pack, at, joint, given_alpha, r);
    keep[k].world_from_body = s.world_from_body;
    keep[k].omega = s.omega;
    keep[k].from_parent = s.link.from_parent;
    weigh(task, k, r, s);
    hold(task, k, at, joint, r, placed_alpha, s.link);
  }
  for (const PointLoad& load : task.points) add_load<Real>(task, block, own, load);
  for (const GrabLoad& grab : task.grabs) add_grab<Real>(task, block, own, grab);
}

}  // namespace thigmo
