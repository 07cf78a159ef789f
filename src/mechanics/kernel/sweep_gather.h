#pragma once

// The second sweep, tips to root: what each joint lets through becomes part of the parent.

#include "mechanics/kernel/sweep_packs.h"
#include "mechanics/kernel/sweep_predict.h"

namespace thigmo {

// One lane of what came through, added to a parent's lane, and to the root.
template <class Real, class To>
inline void add_lane(const Inertia<Real>& t, int from, To& p, int to) {
  add_through(t, p, [from, to](Real& sum, const Real& part) { sum.set(to, sum[to] + part[from]); });
}
template <class Real>
inline void add_lane_to_root(const Inertia<Real>& t, int from, RootInertia& root) {
  add_through(t, root, [from](double& sum, const Real& part) { sum += part[from]; });
}

// How the joints of a pack turn but for what the acceleration to be found adds; world axes.
template <class Real>
inline Vec3T<Real> known_spin(const KernelTask& task, Index k, const PackScratch<Real>& s) {
  return rotate(s.world_from_body, load_vector<Real>(task.state.joint_velocity, k) +
                                       load_vector<Real>(task.state.joint_acceleration, k) *
                                           Real(task.scheme.known_a));
}

// What the parents feel of springs that turned with the guess, where places were taken with one.
template <class Real>
inline Vec3T<Real> guessed_torque(const KernelTask& task, Index k, const PackScratch<Real>& s) {
  const Vec3T<Real> found =
      last_found<Real>(task, k, load_vector<Real>(task.state.joint_acceleration, k));
  return cross(s.link.turning, rotate(s.world_from_body, found));
}

// What a pack lets through, to the parents.
template <class Real>
[[gnu::always_inline]] inline void hand_on(const KernelTask& task,
                                           const Local<PackScratch<Real>>& own,
                                           const PackLanes& pack, const Inertia<Real>& t) {
  if (pack->on_root && !task.root_inertia) return;
  if (pack->boundary != no_index) {
    // The first block, which other threads' blocks share, takes it from here afterwards.
    outbox<Real>(task)[pack->boundary] = t;
  } else if (pack->on_root) {
    for (int l = 0; l < pack->filled; ++l) add_lane_to_root(t, l, *task.root_inertia);
  } else if (pack->aligned) {
    add_through(t, own[pack->parents[0]], [](Real& sum, const Real& part) { sum += part; });
  } else if (Real::width >= least_shuffled_lanes && pack->rounds > 0) {
    for (Index i = 0; i < pack->rounds; ++i) {
      const Index round = pack->first_round + i;
      const typename Real::Places from =
          places<Real>(of_pack<Real::width>(task.schedule.from, round));
      add_through(t, own[task.schedule.rounds[round].parent_pack],
                  [&from](Real& sum, const Real& part) { sum += shuffled(part, Real(0.0), from); });
    }
  } else {
    for (int l = 0; l < pack->filled; ++l) {
      add_lane(t, l, own[pack.lane[l].parent_pack], pack.lane[l].parent_lane);
    }
  }
}

template <class Real>
[[gnu::noinline]] void brake_pack(const KernelTask& task, Index k, PackScratch<Real>& s) {
  s.link = braked(s.link, Inertia<Real>{s.a, s.b, s.c, s.torque, s.force}, known_spin(task, k, s),
                  Real(task.free_spin), Real(task.brake), Real(task.scheme.c_v));
}

// The lanes of a serial pack, last first: what one lets through may be for the one before.
template <class Real>
void pass_lane_by_lane(const KernelTask& task, const Block& block,
                       const Local<PackScratch<Real>>& own, Index k) {
  using One = typename Real::Alone;
  using V = Vec3T<Real>;
  const PackLanes pack = pack_of<Real>(task.schedule, k);
  PackScratch<Real>& s = own[k];
  const bool braking = task.free_spin < no_brake;
  const V spin = braking ? known_spin(task, k, s) : V{};
  const V guessed = task.corrected ? guessed_torque(task, k, s) : V{};
  for (int l = pack->filled; l-- > 0;) {
    const Index parent = pack.lane[l].parent_pack;
    const Inertia<One> body{lane_of(s.a, l), lane_of(s.b, l), lane_of(s.c, l), lane_of(s.torque, l),
                            lane_of(s.force, l)};
    if (braking) {
      const Link<One> link = braked(lane_of(s.link, l), body, lane_of(spin, l), One(task.free_spin),
                                    One(task.brake), One(task.scheme.c_v));
      set_lane(s.link.torque, l, link.torque);
      set_lane(s.link.block, l, link.block);
    }
    if (parent == no_index && !task.root_inertia) continue;
    const Link<One> link = lane_of(s.link, l);
    Inertia<One> through = pass(body, link).through;
    if (task.corrected) through.torque += lane_of(guessed, l);
    const auto set_lane_of = [l](Real& to, const One& part) { to.set(l, part.value); };
    if (parent < block.begin && pack->boundary != no_index) {
      add_through(through, outbox<Real>(task)[pack->boundary], set_lane_of);
    } else if (parent == no_index) {
      add_through(through, *task.root_inertia,
                  [](double& sum, const One& part) { sum += part.value; });
    } else {
      const int to = pack.lane[l].parent_lane;
      add_through(through, own[parent],
                  [to](Real& sum, const One& part) { sum.set(to, sum[to] + part.value); });
    }
  }
}

// The tension along a body, where it is one: its own weight at the middle of its mass, all that hangs
// on it as if on its tip. The force that its joint carries is the one that the articulated inertia
// asks for, Bᵀ α + C v̇ + f.
template <class Real>
inline void keep_tension(const PackConstants<Real>& body, const PackScratch<Real>& s,
                         PackKeptTension<Real>& keep) {
  const Vec3T<Real> tip = s.axis * Real(body.length);
  keep.tension = -dot(tip, s.force) - s.own_tension;
  keep.tension_alpha = -(s.b * tip);
  keep.tension_accel = -(s.c * tip);
}

template <class Real>
void gather(const KernelTask& task, const Block& block, std::byte* bytes) {
  const auto own = local<PackScratch<Real>>(bytes, block, task.trunk);
  for (Index k = block.end; k-- > block.begin;) {
    const PackLanes pack = pack_of<Real>(task.schedule, k);
    PackScratch<Real>& s = own[k];
    if (pack->serial) pass_lane_by_lane<Real>(task, block, own, k);
    if (task.free_spin < no_brake && !pack->serial) brake_pack(task, k, s);
    Passed<Real> passed = pass(Inertia<Real>{s.a, s.b, s.c, s.torque, s.force}, s.link);
    if (task.corrected && !pack->serial) passed.through.torque += guessed_torque(task, k, s);
    PackKept<Real>& keep = kept<Real>(task)[k];
    keep.turn = passed.answer.turn;
    keep.turn_alpha = passed.answer.turn_alpha;
    keep.turn_accel = passed.answer.turn_accel;
    if (task.with_tension) keep_tension(constants<Real>(task)[k], s, kept_tensions<Real>(task)[k]);
    if (!pack->serial) hand_on<Real>(task, own, pack, passed.through);
  }
}

// What the other blocks hand to the first.
template <class Real>
void take_outbox(const KernelTask& task) {
  auto* trunk = reinterpret_cast<PackScratch<Real>*>(task.trunk);
  const Index end_of_trunk = task.schedule.blocks[0].end;
  for (Index i = 0; i < task.schedule.boundary_count; ++i) {
    const PackLanes pack = pack_of<Real>(task.schedule, task.schedule.boundaries[i]);
    const Inertia<Real>& through = outbox<Real>(task)[i];
    for (int l = 0; l < pack->filled; ++l) {
      const Index parent = pack.lane[l].parent_pack;
      if (parent >= end_of_trunk) continue;  // of a serial pack, within its block
      if (parent != no_index) {
        add_lane(through, l, trunk[parent], pack.lane[l].parent_lane);
      } else if (task.root_inertia) {
        add_lane_to_root(through, l, *task.root_inertia);
      }
    }
  }
}

}  // namespace thigmo
