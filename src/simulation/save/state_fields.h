#pragma once

// States of plants and their accounts of energy, field by field.

#include "simulation/save/fields.h"
#include "simulation/simulation.h"

namespace thigmo {

template <class Archive, class AnyFrame>
void visit_frame(Archive& archive, AnyFrame& frame) {
  archive.number("place of a plant", frame.origin_world);
  archive.rotation("rotation of a plant", frame.world_from_plant);
}

template <class Archive, class AnyRoot>
void visit_root(Archive& archive, AnyRoot& root) {
  archive.number("place of a root", root.position_world);
  archive.rotation("rotation of a root", root.world_from_plant);
  for (auto* vector :
       {&root.velocity_world, &root.accel_world, &root.omega_plant, &root.alpha_plant}) {
    archive.number("velocity of a root", *vector);
  }
  archive.choice("hold of a root", root.hold, RootHold::free);
}

template <class Archive, class AnyWatch>
void visit_watch(Archive& archive, AnyWatch& watch) {
  archive.truth("truth of being watched", watch.on);
  archive.number("number of unseen steps", watch.unseen, Must::not_be_negative);
  archive.number("gravity of a watch", watch.gravity_world);
  archive.number("watched energy", watch.start);
  archive.number("watched energy", watch.lowest);
  archive.number("watched energy", watch.swing, Must::not_be_negative);
  archive.number("gain of energy", watch.gain, Must::not_be_negative);
}

// The numbers of a joint, those that a state keeps in single precision as they are kept.
template <class Archive, class AnyState>
void visit_joint(Archive& archive, AnyState& state, std::size_t i) {
  Quat q = state.rest_from_body[i];
  Vec3 velocity = state.joint_velocity[i];
  Vec3T<float> acceleration = narrowed(state.joint_acceleration[i]);
  auto tension = static_cast<float>(state.tension_torque[i]);
  archive.rotation("rotation of a joint", q);
  archive.number("velocity of a joint", velocity);
  archive.number("acceleration of a joint", acceleration);
  archive.number("tension along a segment", tension);
  if constexpr (Archive::reads) {
    state.rest_from_body.set(i, q);
    state.joint_velocity.set(i, velocity);
    state.joint_acceleration.set(i, widened(acceleration));
    state.tension_torque.set(i, static_cast<double>(tension));
  }
}
inline constexpr std::size_t joint_bytes = 72;

template <class Archive, class AnyState>
void visit_state(Archive& archive, AnyState& state, const Mechanism& mechanism) {
  if constexpr (Archive::reads) state = rest_state(mechanism);
  archive.number("time of a plant", state.time);
  visit_root(archive, state.root);
  archive.truth("truth of having started", state.started);
  archive.truth("truth of having fallen alone", state.fell_alone);
  archive.number("number of halvings", state.halvings, Must::not_be_negative);
  visit_watch(archive, state.watch);
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) visit_joint(archive, state, i);
}

template <class Archive, class AnyWorks>
void visit_work_sums(Archive& archive, AnyWorks& works) {
  for (auto* work : {&works.by_air, &works.by_loads, &works.by_ground, &works.by_base,
                     &works.lost_in_joints, &works.lost_by_mass}) {
    archive.number("account of energy", *work);
  }
}

// Of `last` nothing is known before the first substep.
template <class Archive, class AnyWorks>
void visit_works(Archive& archive, AnyWorks& works, const Mechanism& mechanism) {
  if constexpr (Archive::reads) works = make_works(mechanism);
  visit_work_sums(archive, works);
  archive.truth("truth of an account", works.begun);
  if (!works.begun) return;
  for (auto& forces : works.last) {
    for (auto* wrench : {&forces.air, &forces.loads, &forces.ground, &forces.mass}) {
      archive.number("force in an account", wrench->torque);
      archive.number("force in an account", wrench->force);
    }
    archive.number("force in an account", forces.damper);
  }
}

template <class Archive, class AnyReport>
void visit_report(Archive& archive, AnyReport& report) {
  for (auto* count : {&report.substeps, &report.corrections, &report.rejected, &report.braked}) {
    archive.number("count of a step", *count, Must::not_be_negative);
  }
  archive.truth("truth of a coarse step", report.coarse);
  archive.number("gain of energy", report.energy_gain);
  archive.number("turn of a step", report.worst_turn);
  archive.number("fastest body", report.worst_body);
  archive.truth("truth of a finite step", report.finite);
}

}  // namespace thigmo
