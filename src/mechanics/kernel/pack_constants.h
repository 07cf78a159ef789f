#pragma once

// The constants of a mechanism, in the order and the form in which the sweeps read them.

#include "mechanics/kernel/pack_memory.h"
#include "mechanics/kernel/sweep_packs.h"

namespace thigmo {

// The bodies of a pack lie far apart: those of the one after the next are asked for ahead.
template <class Real>
void fetch_bodies(const Mechanism& mechanism, const ScheduleView& schedule, Index k, Index end) {
  constexpr Index ahead = 2;
  if (k + ahead >= end) return;
  const Lane* lanes = pack_of<Real>(schedule, k + ahead).lane;
  for (int l = 0; l < Real::width; ++l) fetch(&at(mechanism.body, lanes[l].body), 1);
}

// Number by number, straight to where it belongs: packs that are filled first and stored then take three times as
// long.
template <class Real>
void pack_bodies(const Mechanism& mechanism, const ScheduleView& schedule, Index begin, Index end,
                 std::byte* bytes) {
  auto* out = reinterpret_cast<PackConstants<Real>*>(bytes);
  for (Index k = begin; k < end; ++k) {
    fetch_bodies<Real>(mechanism, schedule, k, end);
    const Lane* lanes = pack_of<Real>(schedule, k).lane;
    PackConstants<Real>& pack = out[k];
    for (int l = 0; l < Real::width; ++l) {
      const Body& body = at(mechanism.body, lanes[l].body);
      set(pack.parent_from_rest, l, body.parent_from_rest);
      set(pack.base_in_parent, l, body.base_in_parent);
      pack.mass.set(l, body.mass);
      set(pack.first_moment, l, body.first_moment);
      set_round_spring(pack.springs, l, body);
      set(pack.inertia, l, widened(body.inertia));
      set(pack.drag_point, l, widened(body.drag_point));
      pack.damping_time.set(l, body.damping_time);
      pack.drag_across.set(l, body.drag_across);
      pack.drag_around.set(l, body.drag_around);
      pack.length.set(l, body.length);
    }
  }
}

template <class Real>
void pack_springs(const Mechanism& mechanism, const ScheduleView& schedule, Index begin, Index end,
                  std::byte* bytes) {
  auto* out = reinterpret_cast<PackConstants<Real>*>(bytes);
  for (Index k = begin; k < end; ++k) {
    fetch_bodies<Real>(mechanism, schedule, k, end);
    const Lane* lanes = pack_of<Real>(schedule, k).lane;
    for (int l = 0; l < Real::width; ++l) {
      const Body& body = at(mechanism.body, lanes[l].body);
      set_round_spring(out[k].springs, l, body);
      out[k].damping_time.set(l, body.damping_time);
    }
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
