#pragma once

// What changes by keys, field by field.

#include <algorithm>
#include <functional>

#include "simulation/save/registry_fields.h"

namespace thigmo {

// Whether the times of keys rise, and each has a value.
template <class Value>
bool is_in_order(const KeyedValue<Value>& keyed) {
  return keyed.times.size() == keyed.values.size() &&
         std::adjacent_find(keyed.times.begin(), keyed.times.end(), std::greater_equal<>()) ==
             keyed.times.end();
}

template <class Archive, class AnyKeyed>
void visit_keyed_value(Archive& archive, AnyKeyed& keyed, Must must = Must::be_finite) {
  visit_numbers(archive, "time of a key", keyed.times, Must::be_finite);
  visit_numbers(archive, "value of a key", keyed.values, must);
  if constexpr (Archive::reads) {
    if (!is_in_order(keyed)) archive.refuse("keys are in disorder");
  }
}

template <class Archive, class AnyWood>
void visit_keyed_wood(Archive& archive, AnyWood& wood) {
  visit_keyed_value(archive, wood.stiffness, Must::be_positive);
  visit_keyed_value(archive, wood.damping, Must::not_be_negative);
  archive.number("stiffness by keys", wood.stiffness_now, Must::be_positive);
  archive.number("damping by keys", wood.damping_now, Must::not_be_negative);
  visit_list(archive, "segments of a wood", wood.segments, sizeof(SegmentId),
             [&](auto& id) { visit_segment_id(archive, id); });
  visit_list(archive, "joints of a wood", wood.given, sizeof(Vec3) + sizeof(float),
             [&](auto& given) {
               archive.number("stiffness of a joint", given.stiffness, Must::not_be_negative);
               archive.number("damping of a joint", given.damping_time, Must::not_be_negative);
             });
  if constexpr (Archive::reads) {
    if (wood.given.size() != wood.segments.size()) archive.refuse("a wood lacks joints");
  }
}
inline constexpr std::size_t keyed_wood_bytes = 6 * 8 + 2 * 8;

template <class Archive, class AnyKeyed>
void visit_keyed(Archive& archive, AnyKeyed& keyed) {
  visit_keyed_value(archive, keyed.gravity_world);
  visit_keyed_value(archive, keyed.uniform_wind);
  visit_keyed_value(archive, keyed.gust_speed, Must::not_be_negative);
  visit_list(archive, "woods by keys", keyed.woods, keyed_wood_bytes,
             [&](auto& wood) { visit_keyed_wood(archive, wood); });
}

}  // namespace thigmo
