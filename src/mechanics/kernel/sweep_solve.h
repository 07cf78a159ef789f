#pragma once

// The third sweep, root to tips: the joint accelerations, and the state they lead to.

#include "mechanics/kernel/from_parents.h"
#include "mechanics/kernel/pack_memory.h"
#include "mechanics/kernel/sweep_packs.h"
#include "mechanics/kernel/sweep_predict.h"

namespace thigmo {

template <class Real>
inline Vec3T<Real> parents_omega(const PackKept<Real>* keep, const PackLanes& pack,
                                 const RootFrame& root) {
  using V = Vec3T<Real>;
  if (pack->on_root) return broadcast<Real>(root.omega);
  if (!pack->serial) return from_parents<Real, V>(keep, pack, &PackKept<Real>::omega);
  V omega;
  for (int l = 0; l < Real::width; ++l) {
    const Index parent = pack.lane[l].parent_pack;
    set_lane(omega, l,
             parent == no_index ? broadcast<typename Real::Alone>(root.omega)
                                : lane_of(keep[parent].omega, pack.lane[l].parent_lane));
  }
  return omega;
}

// The accelerations of a pack's bodies from those of their parents; gives the joints' turns.
// `transport_…` is what the parents' motion adds.
template <class Real>
inline Vec3T<Real> swing(const RootFrame& root, const Local<PackSwing<Real>>& all, Index k,
                         const PackLanes& pack, const PackKept<Real>& kept,
                         const Vec3T<Real>& transport_alpha, const Vec3T<Real>& transport_accel) {
  using One = typename Real::Alone;
  using V = Vec3T<Real>;
  using Swing = PackSwing<Real>;
  Swing& s = all[k];
  if (!pack->serial) {
    const V alpha = pack->on_root ? broadcast<Real>(root.alpha)
                                  : from_parents<Real, V>(all, pack, &Swing::alpha);
    const V accel = pack->on_root ? broadcast<Real>(root.accel)
                                  : from_parents<Real, V>(all, pack, &Swing::accel);
    const Answer<Real> answer{kept.turn, kept.turn_alpha, kept.turn_accel};
    const Swung<Real> swung =
        swung_by(alpha, accel, V(kept.from_parent), answer, transport_alpha, transport_accel);
    s.alpha = swung.alpha;
    s.accel = swung.accel;
    return swung.turn;
  }
  V turn;
  Vec3T<One> alpha = broadcast<One>(root.alpha), accel = broadcast<One>(root.accel);
  for (int l = 0; l < Real::width; ++l) {
    const Index parent = pack.lane[l].parent_pack;
    if (parent == no_index) {
      alpha = broadcast<One>(root.alpha);
      accel = broadcast<One>(root.accel);
    } else if (parent != k || pack.lane[l].parent_lane != l - 1) {
      alpha = lane_of(all[parent].alpha, pack.lane[l].parent_lane);
      accel = lane_of(all[parent].accel, pack.lane[l].parent_lane);
    }
    const Answer<One> answer{lane_of(kept.turn, l), lane_of(kept.turn_alpha, l),
                             lane_of(kept.turn_accel, l)};
    const Swung<One> swung = swung_by(alpha, accel, lane_of(kept.from_parent, l), answer,
                                      lane_of(transport_alpha, l), lane_of(transport_accel, l));
    alpha = swung.alpha;
    accel = swung.accel;
    set_lane(s.alpha, l, alpha);
    set_lane(s.accel, l, accel);
    set_lane(turn, l, swung.turn);
  }
  return turn;
}

// How fast bodies turn and how wrong the guesses were, the worst of each lane; SweepResult has the words.
template <class Real>
struct Worst {
  Real fastest{0.0}, product{0.0}, place{0.0}, contact{0.0}, touched{0.0};
  Real check{0.0};  // NaN where anything is not finite

  SweepResult of_all() const {
    const double poison = largest(check);
    return {largest(fastest) + poison, largest(product) + poison, largest(place) + poison,
            largest(contact), largest(touched)};
  }
};

// Zero where lanes repeat lane 0: those carry nothing of its children.
template <class Real>
[[gnu::always_inline]] inline void clear_unfilled(int filled, Real& a) {
  for (int l = filled; l < Real::width; ++l) a.set(l, 0.0);
}

// Looks at what was found for a pack. `found` and `guessed_a` are ā of the joints; bodies' axes, which `r`
// leads to the world.
template <class Real>
[[gnu::always_inline]] inline void judge(const KernelTask& task, const PackLanes& pack,
                                         const Vec3T<Real>& omega, const Vec3T<Real>& found,
                                         const PackSwing<Real>& s, const Vec3T<Real>& given_alpha,
                                         Worst<Real>& worst) {
  Real speed_squared = dot(omega, omega);
  // (ω + Δω)² - ω²: what is struck may have stood still.
  const Vec3T<Real> between = omega + s.omega_error * Real(0.5);
  Real product = dot(between, between) * dot(s.omega_error, s.omega_error);
  const Vec3T<Real> misplaced = task.corrected ? s.omega_error : s.alpha - given_alpha;
  Real place_squared = dot(misplaced, misplaced);
  Real finite = dot(found, found) * Real(0.0);
  clear_unfilled(pack->filled, speed_squared);
  clear_unfilled(pack->filled, product);
  clear_unfilled(pack->filled, place_squared);
  clear_unfilled(pack->filled, finite);
  worst.fastest = lane_max(worst.fastest, speed_squared);
  worst.product = lane_max(worst.product, product);
  worst.place = lane_max(worst.place, place_squared);
  worst.check += finite;
}

template <class Real>
[[gnu::always_inline]] inline void judge_contact(const KernelTask& task, const PackLanes& pack,
                                                 const PackSwing<Real>& s, Contact<Real>& contact,
                                                 Worst<Real>& worst) {
  Real error = take_force(task.ground, s.accel + cross(s.alpha, contact.arm),
                          contact_scheme<Real>(task), contact);
  Real pushes = contact.pushes;
  clear_unfilled(pack->filled, error);
  clear_unfilled(pack->filled, pushes);
  worst.contact = lane_max(worst.contact, error);
  worst.touched = lane_max(worst.touched, pushes);
}

// What all packs of a block are moved to the end of the substep with.
template <class Real>
struct Ending {
  Real h, am, per_one_minus_am;
  Real x_a0, x_a1, v_a0, v_a1;
};
template <class Real>
[[gnu::always_inline]] inline Ending<Real> ending(const Scheme& scheme) {
  return {.h = scheme.h,
          .am = scheme.alpha_m,
          .per_one_minus_am = 1 / (1 - scheme.alpha_m),
          .x_a0 = scheme.x_a0,
          .x_a1 = scheme.x_a1,
          .v_a0 = scheme.v_a0,
          .v_a1 = scheme.v_a1};
}

// The state of a pack at the end of the substep.
template <class Real>
[[gnu::always_inline]] inline void finish(const KernelTask& task, Index k, const PackLanes& pack,
                                          const Vec3T<Real>& found, const Vec3T<Real>& a0,
                                          const Ending<Real>& by, const PackSwing<Real>& s) {
  using V = Vec3T<Real>;
  const StateView& state = task.state;
  const V w0 = load_vector<Real>(state.joint_velocity, k);
  const V a1 = (found - a0 * by.am) * by.per_one_minus_am;
  const QuatT<Real> q1 = renormalized(load_rotation<Real>(state.rest_from_body, k) *
                                      exp_rotation(w0 * by.h + a0 * by.x_a0 + a1 * by.x_a1));
  const V w1 = w0 + a0 * by.v_a0 + a1 * by.v_a1;
  if (task.with_tension) {
    const PackKeptTension<Real>& along = kept_tensions<Real>(task)[k];
    const Real tension = Real(along.tension) + dot(V(along.tension_alpha), s.alpha) +
                         dot(V(along.tension_accel), s.accel);
    store(lane_max(tension, Real(0.0)), task.next.tension_torque, k);
  }
  store(q1, task.next.rest_from_body, k);
  store(w1, task.next.joint_velocity, k);
  store(a1, task.next.joint_acceleration, k);
  if (pack->filled < Real::width) repeat_first<Real>(pack->filled, k, task.next);
}

template <class Real>
SweepResult solve(const KernelTask& task, const Block& block, std::byte* bytes) {
  using V = Vec3T<Real>;
  const Scheme& scheme = task.scheme;
  const StateView& state = task.state;
  const auto own = local<PackSwing<Real>>(bytes, block, task.trunk_swing);
  const RootFrame& root = *task.root;
  const PackKept<Real>* keep = kept<Real>(task);
  // A root that is moved is placed where it will be.
  const V given_alpha = broadcast<Real>(task.root_inertia ? Vec3{} : root.alpha);
  const Real c_v(scheme.c_v);
  const Ending<Real> by = ending<Real>(scheme);
  Worst<Real> worst;
  for (Index k = block.begin; k < block.end; ++k) {
    const PackLanes pack = pack_of<Real>(task.schedule, k);
    const PackKept<Real>& p = keep[k];
    PackSwing<Real>& s = own[k];
    if (task.fetch_ahead) {
      const Index ahead = std::min(k + packs_ahead, block.end - 1);
      fetch(keep + ahead, 1);
      if (task.with_tension) fetch(kept_tensions<Real>(task) + ahead, 1);
      fetch_state<Real>(state, ahead);
    }
    const V omega = p.omega, from_parent = p.from_parent;
    const V parent_omega = parents_omega<Real>(keep, pack, root);
    const V turn = swing<Real>(root, own, k, pack, p, cross(parent_omega, omega),
                               cross(parent_omega, cross(parent_omega, from_parent)));
    const Mat3T<Real> r = matrix(p.world_from_body);
    const V found = transposed_times(r, turn);
    const V a0 = load_vector<Real>(state.joint_acceleration, k);
    // Predicted and found velocities differ by c_v (ā found - ā guessed) of each joint.
    const V guessed_a = task.corrected ? last_found<Real>(task, k, a0) : a0;
    add_up(own, k, pack, &PackSwing<Real>::omega_error,
           (root.alpha - root.alpha_guess) * scheme.c_v, r * ((found - guessed_a) * c_v));
    judge(task, pack, omega, found, s, given_alpha, worst);
    if (task.on_ground && contacts<Real>(task)[k].any)
      judge_contact(task, pack, s, contacts<Real>(task)[k], worst);
    finish(task, k, pack, found, a0, by, s);
  }
  return worst.of_all();
}

// The body of a block that turned fastest in the last sweep.
template <class Real>
Index fastest_body(const KernelTask& task, const Block& block) {
  Index fastest = no_index;
  double most = -1;
  for (Index k = block.begin; k < block.end; ++k) {
    const PackLanes pack = pack_of<Real>(task.schedule, k);
    const Vec3T<Real> omega = kept<Real>(task)[k].omega;
    const Real speed = dot(omega, omega);
    for (int l = 0; l < pack->filled; ++l) {
      if (speed[l] <= most) continue;
      most = speed[l];
      fastest = pack.lane[l].body;
    }
  }
  return fastest;
}

template <class Real>
GroundForce ground_force(const KernelTask& task, Index body) {
  const Index slot = task.schedule.slot[body];
  const Contact<Real>& contact = contacts<Real>(task)[slot / Real::width];
  if (!contact.any) return {};
  const int lane = slot % Real::width;
  return {.arm = get(contact.arm, lane), .force = get(contact.force, lane)};
}

}  // namespace thigmo
