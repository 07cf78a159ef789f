#pragma once

// The constants of a mechanism, in the order and the form in which the sweeps read them.

#include "mechanics/kernel/sweep_packs.h"

namespace thigmo {

template <class Real>
void pack_bodies(const Mechanism& mechanism, const ScheduleView& schedule, Index begin, Index end,
                 std::byte* bytes) {
  auto* out = reinterpret_cast<PackConstants<Real>*>(bytes);
  for (Index k = begin; k < end; ++k) {
    const Lane* lanes = pack_of<Real>(schedule, k).lane;
    Vec3T<Real> root, moment, drag_point;
    Sym3T<Real> inertia{};
    QuatT<Real> parent_from_rest;
    Real mass, damping_time, across, around, length;
    for (int l = 0; l < Real::width; ++l) {
      const Body& body = at(mechanism.body, lanes[l].body);
      set(parent_from_rest, l, body.parent_from_rest);
      set(root, l, body.base_in_parent);
      mass.set(l, body.mass);
      set(moment, l, body.first_moment);
      add_to_lane(inertia, l, widened(body.inertia));
      damping_time.set(l, body.damping_time);
      set(drag_point, l, widened(body.drag_point));
      across.set(l, body.drag_across);
      around.set(l, body.drag_around);
      length.set(l, body.length);
    }
    out[k] = {.parent_from_rest = parent_from_rest,
              .base_in_parent = root,
              .mass = mass,
              .first_moment = moment,
              .springs = round_springs<Real>(mechanism, lanes),
              .inertia = inertia,
              .drag_point = drag_point,
              .damping_time = damping_time,
              .drag_across = across,
              .drag_around = around,
              .length = length};
  }
}

template <class Real>
void pack_springs(const Mechanism& mechanism, const ScheduleView& schedule, Index begin, Index end,
                  std::byte* bytes) {
  auto* out = reinterpret_cast<PackConstants<Real>*>(bytes);
  for (Index k = begin; k < end; ++k) {
    const Lane* lanes = pack_of<Real>(schedule, k).lane;
    Real damping_time;
    for (int l = 0; l < Real::width; ++l) {
      damping_time.set(l, at(mechanism.body, lanes[l].body).damping_time);
    }
    out[k].springs = round_springs<Real>(mechanism, lanes);
    out[k].damping_time = damping_time;
  }
}

template <class Real>
void pack_flat_springs(const Mechanism& mechanism, const ScheduleView& schedule, Index begin,
                       Index end, std::byte* bytes) {
  auto* out = reinterpret_cast<FlatSprings<Real>*>(bytes);
  for (Index k = begin; k < end; ++k) {
    out[k] = flat_springs<Real>(mechanism, pack_of<Real>(schedule, k).lane);
  }
}

}  // namespace thigmo
