#include "simulation/registry.h"

#include "base/assert.h"

namespace thigmo {

Index take_slot(Index plant, Registry& registry) {
  if (registry.free_slots.empty()) {
    registry.slots.push_back({.plant = plant});
    return static_cast<Index>(registry.slots.size()) - 1;
  }
  const Index slot = registry.free_slots.back();
  registry.free_slots.pop_back();
  at(registry.slots, slot).plant = plant;
  return slot;
}

void free_slot(Index slot, Registry& registry) {
  PlantSlot& freed = at(registry.slots, slot);
  freed.plant = no_index;
  ++freed.generation;
  registry.free_slots.push_back(slot);
}

std::uint32_t add_birth(Index count, Index slot, Registry& registry) {
  registry.births.push_back({.count = count, .slot = slot, .places = {}});
  return static_cast<std::uint32_t>(registry.births.size() - 1);
}

std::optional<std::size_t> find_plant(const Registry& registry, PlantId id) {
  if (id.slot >= registry.slots.size()) return std::nullopt;
  const PlantSlot& slot = registry.slots[id.slot];
  if (slot.plant == no_index || slot.generation != id.generation) return std::nullopt;
  return as_size(slot.plant);
}

std::optional<SegmentPlace> find_place(const Registry& registry, SegmentId id) {
  if (id.birth >= registry.births.size()) return std::nullopt;
  const SegmentBirth& birth = registry.births[id.birth];
  if (id.number >= as_size(birth.count)) return std::nullopt;
  if (birth.slot != no_index) {
    return SegmentPlace{.slot = birth.slot, .segment = static_cast<Index>(id.number)};
  }
  if (birth.places.empty()) return std::nullopt;  // all of them are gone
  const SegmentPlace& place = birth.places[id.number];
  if (place.slot == no_index) return std::nullopt;
  return place;
}

void set_place(SegmentId id, const SegmentPlace& place, Registry& registry) {
  SegmentBirth& birth = registry.births[id.birth];
  if (birth.slot != no_index) {
    birth.places.resize(as_size(birth.count));
    for (Index i = 0; i < birth.count; ++i) at(birth.places, i) = {birth.slot, i};
    birth.slot = no_index;
  }
  THIGMO_ASSERT(id.number < birth.places.size());
  birth.places[id.number] = place;
}

}  // namespace thigmo
