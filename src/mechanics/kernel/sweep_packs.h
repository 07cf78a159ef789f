#pragma once

// What the sweeps of a step know of one pack of bodies, and where it lies.

#include "math/lanes.h"
#include "mechanics/kernel/contact.h"
#include "mechanics/kernel/joint_pass.h"
#include "mechanics/kernel/joint_turn.h"
#include "mechanics/kernel/pack_lanes.h"
#include "mechanics/kernel/step_kernel.h"

namespace thigmo {

// All digits for what decides where a plant stands still: there statics and steps agree.
template <class Real>
struct PackConstants {
  QuatT<Real> parent_from_rest;
  Vec3T<Real> base_in_parent;
  Real mass;
  Vec3T<Real> first_moment;
  RoundSprings<Real> springs;
  ShorterBlock<Real> inertia;
  ShorterVector<Real> drag_point;
  Short<Real> damping_time;
  Short<Real> drag_across, drag_around;
  Short<Real> length;
};

// Of one pack between its first and second sweep; world axes, about the bodies' own joints.
template <class Real>
struct PackScratch : Pushed<Real> {
  QuatT<Real> world_from_body;
  Vec3T<Real> axis;  // along the body
  Real own_tension;  // of its own weight along it [N m]
  Link<Real> link;
};

// Of one pack in the third sweep.
template <class Real>
struct PackSwing {
  Vec3T<Real> alpha, accel;  // of the body and of its joint
  Vec3T<Real> omega_error;   // what the prediction of ω was off by
};

// What the third sweep needs of the first two: how the joint answers.
template <class Real>
struct PackKept {
  QuatT<Real> world_from_body;  // all digits, or a motion in a plane would leave it
  ShorterVector<Real> omega, from_parent;
  ShorterVector<Real> turn;
  ShorterMatrix<Real> turn_alpha, turn_accel;
};
// And, where tension matters, p + q·α + r·v̇, the tension along a body.
template <class Real>
struct PackKeptTension {
  Short<Real> tension;
  ShorterVector<Real> tension_alpha, tension_accel;
};

// A pack with its lanes. It points to the pack: a copy is written as a whole and read in parts, for which
// processors wait.
struct PackLanes {
  const Pack* pack;
  const Lane* lane;
  const std::uint8_t* places;
  const Pack* operator->() const { return pack; }
};
template <class Real>
[[gnu::always_inline]] inline PackLanes pack_of(const ScheduleView& schedule, Index k) {
  const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(k) * Real::width;
  return {schedule.packs + k, schedule.lanes + first, schedule.places + first};
}

// All packs of a task.
template <class Real>
inline const PackConstants<Real>* constants(const KernelTask& task) {
  return reinterpret_cast<const PackConstants<Real>*>(task.bodies);
}
template <class Real>
inline const FlatSprings<Real>* flat_springs_of(const KernelTask& task, Index k) {
  if (!task.flat_springs) return nullptr;
  return reinterpret_cast<const FlatSprings<Real>*>(task.flat_springs) + k;
}
template <class Real>
inline Contact<Real>* contacts(const KernelTask& task) {
  return reinterpret_cast<Contact<Real>*>(task.contacts);
}
template <class Real>
inline PackKept<Real>* kept(const KernelTask& task) {
  return reinterpret_cast<PackKept<Real>*>(task.kept);
}
template <class Real>
inline PackKeptTension<Real>* kept_tensions(const KernelTask& task) {
  return reinterpret_cast<PackKeptTension<Real>*>(task.kept_tensions);
}
template <class Real>
inline Inertia<Real>* outbox(const KernelTask& task) {
  return reinterpret_cast<Inertia<Real>*>(task.outbox);
}

template <class Real>
inline ContactScheme<Real> contact_scheme(const KernelTask& task) {
  const Scheme& scheme = task.scheme;
  return {Real(scheme.c_x), Real(scheme.c_v), Real(to_end_of(scheme)),
          -contact_reach(scheme, task.gravity_world), task.pass};
}

// Scratch by pack number: of a block, and of the first, where its boundaries stand.
template <class Item>
struct Local {
  Item* items;
  Index begin;
  Item* trunk;
  Item& operator[](Index pack) const { return pack < begin ? trunk[pack] : items[pack - begin]; }
};
template <class Item>
inline Local<Item> local(std::byte* bytes, const Block& block, std::byte* trunk) {
  return {reinterpret_cast<Item*>(bytes), block.begin, reinterpret_cast<Item*>(trunk)};
}

}  // namespace thigmo
