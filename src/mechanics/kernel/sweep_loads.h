#pragma once

// Forces, moments and grabs at points of single bodies.

#include "mechanics/kernel/from_parents.h"
#include "mechanics/kernel/sweep_packs.h"

namespace thigmo {

// A body's lane in a block; no scratch: it is another block's.
template <class Real>
struct FoundLane {
  PackScratch<Real>* scratch = nullptr;
  int lane = 0;
  Quat world_from_body;
};
template <class Real>
FoundLane<Real> find_body(const KernelTask& task, const Block& block,
                          const Local<PackScratch<Real>>& own, Index body) {
  const Index slot = task.schedule.slot[body];
  const Index pack = slot / Real::width;
  if (pack < block.begin || pack >= block.end) return {};
  const int lane = slot % Real::width;
  return {&own[pack], lane, get(own[pack].world_from_body, lane)};
}

template <class Real>
void add_load(const KernelTask& task, const Block& block, const Local<PackScratch<Real>>& own,
              const PointLoad& load) {
  const auto [s, lane, world_from_body] = find_body<Real>(task, block, own, load.body);
  if (!s) return;
  const auto [force, moment, arm] = in_world(load, world_from_body);
  set(s->force, lane, get(s->force, lane) - force);
  set(s->torque, lane, get(s->torque, lane) - cross(arm, force) - moment);
}

// A spring and damper from a point of the body to where it is drawn, x_t: F = k (x_t - x) + c (v_t - v).
template <class Real>
void add_grab(const KernelTask& task, const Block& block, const Local<PackScratch<Real>>& own,
              const GrabLoad& grab) {
  using V = Vec3T<Real>;
  const auto [s, lane, world_from_body] = find_body<Real>(task, block, own, grab.body);
  if (!s) return;
  // Only one lane of the pack has a spring.
  const V arm = broadcast<Real>(rotate(world_from_body, grab.point_in_body));
  Real stiffness(0.0), damping(0.0);
  stiffness.set(lane, grab.stiffness);
  damping.set(lane, grab.damping);
  const V stretch = broadcast<Real>(grab.target_world) - s->joint_world - arm;
  const V speed = broadcast<Real>(grab.target_velocity_world) - s->velocity - cross(s->omega, arm);
  const Sym3T<Real> by_velocity = identity_times(damping * Real(task.scheme.c_v));
  const Sym3T<Real> m = by_velocity + identity_times(stiffness * Real(task.scheme.c_x));
  push(arm, stretch * stiffness + speed * damping, m, task.corrected ? m : by_velocity, *s);
}

}  // namespace thigmo
