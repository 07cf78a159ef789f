#pragma once

// What packs of bodies take over from their parents, wherever those lie.

#include <type_traits>

#include "mechanics/kernel/pack_lanes.h"
#include "mechanics/kernel/sweep_packs.h"

namespace thigmo {

// The same for all lanes, and for a single one.
template <class Real>
inline Vec3T<Real> broadcast(const Vec3& v) {
  return {Real(v.x), Real(v.y), Real(v.z)};
}
template <class Real>
inline QuatT<Real> broadcast(const Quat& q) {
  return {Real(q.w), Real(q.x), Real(q.y), Real(q.z)};
}

// A field of the parents of a pack's bodies, as `Out`.
template <class Real, class Out, class Items, class Field>
[[gnu::always_inline]] inline Out from_parents(const Items& all, const PackLanes& pack,
                                               Field field) {
  if (pack->aligned) return all[pack->parents[0]].*field;
  if constexpr (Real::width >= least_shuffled_lanes) {
    if (pack->parents[0] != no_index) {
      return shuffled(Out(all[pack->parents[0]].*field), Out(all[pack->parents[1]].*field),
                      places<Real>(pack.places));
    }
  }
  Out out{};
  for (int l = 0; l < Real::width; ++l) {
    set_lane(out, l, lane_of(all[pack.lane[l].parent_pack].*field, pack.lane[l].parent_lane));
  }
  return out;
}

// A field that each body has from its parent and by `step`, own = step(parent, lane): sets it, and
// gives that of the parents. The lanes of a serial pack follow each other.
template <class Real, class Item, class Field, class Root, class Step>
[[gnu::always_inline]] inline auto carry(const Local<Item>& all, Index k, const PackLanes& pack,
                                         Field field, const Root& of_root, const Step& step) {
  using One = typename Real::Alone;
  using Value = std::decay_t<decltype(all[k].*field)>;
  Value& own = all[k].*field;
  Value parents;
  if (!pack->serial) {
    parents =
        pack->on_root ? broadcast<Real>(of_root) : from_parents<Real, Value>(all, pack, field);
    own = step(parents, -1);
    return parents;
  }
  auto last = broadcast<One>(of_root);
  for (int l = 0; l < Real::width; ++l) {
    const Index parent = pack.lane[l].parent_pack;
    if (parent == no_index) {
      last = broadcast<One>(of_root);
    } else if (parent != k || pack.lane[l].parent_lane != l - 1) {
      last = lane_of(all[parent].*field, pack.lane[l].parent_lane);
    }
    set_lane(parents, l, last);
    last = step(last, l);
    set_lane(own, l, last);
  }
  return parents;
}

// The same for a field that grows by `growth` from parent to child.
template <class Real, class Item, class Field>
[[gnu::always_inline]] inline Vec3T<Real> add_up(const Local<Item>& all, Index k,
                                                 const PackLanes& pack, Field field,
                                                 const Vec3& of_root, const Vec3T<Real>& growth) {
  return carry<Real>(all, k, pack, field, of_root, [&growth](const auto& parent, int lane) {
    if constexpr (std::is_same_v<std::decay_t<decltype(parent)>, Vec3T<Real>>) {
      return parent + growth;
    } else {
      return parent + lane_of(growth, lane);
    }
  });
}

// And for rotations, own = parent · rotation.
template <class Real, class Item, class Field>
[[gnu::always_inline]] inline QuatT<Real> turn_on(const Local<Item>& all, Index k,
                                                  const PackLanes& pack, Field field,
                                                  const Quat& of_root,
                                                  const QuatT<Real>& rotation) {
  return carry<Real>(all, k, pack, field, of_root, [&rotation](const auto& parent, int lane) {
    if constexpr (std::is_same_v<std::decay_t<decltype(parent)>, QuatT<Real>>) {
      return parent * rotation;
    } else {
      return parent * lane_of(rotation, lane);
    }
  });
}

}  // namespace thigmo
