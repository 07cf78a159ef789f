#include "simulation/save/registry_fields.h"

#include <algorithm>

namespace thigmo {
namespace {

bool is_somewhere(const SegmentPlace& place) { return place.slot != no_index; }

// The plant of a slot; null where there is none.
SimulatedPlant* plant_of_slot(Index slot, Simulation& simulation) {
  const Index plant = at(simulation.registry.slots, slot).plant;
  return plant == no_index ? nullptr : &at(simulation.plants, plant);
}

Result<Done> connect_slots(Simulation& simulation) {
  Registry& registry = simulation.registry;
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    const Index slot = simulation.plants[i].slot;
    if (as_size(slot) >= registry.slots.size()) return error("a plant has no slot");
    if (at(registry.slots, slot).plant != no_index) return error("two plants have one slot");
    at(registry.slots, slot).plant = static_cast<Index>(i);
  }
  std::vector<std::uint8_t> is_free(registry.slots.size(), 0);
  for (const Index slot : registry.free_slots) {
    if (at(registry.slots, slot).plant != no_index || at(is_free, slot) != 0) {
      return error("a slot is not as free as it is said to be");
    }
    at(is_free, slot) = 1;
  }
  if (simulation.plants.size() + registry.free_slots.size() != registry.slots.size()) {
    return error("a slot has no plant and is not free");
  }
  return Done{};
}

// Segments that are where they came into the world.
Result<Done> connect_together(std::uint32_t number, Simulation& simulation) {
  const SegmentBirth& birth = simulation.registry.births[number];
  const SimulatedPlant* plant = plant_of_slot(birth.slot, simulation);
  if (plant == nullptr || !plant->ids.empty() || plant->birth != number ||
      plant->model->plant.segments.size() != as_size(birth.count)) {
    return error("a plant is not that of its segments' names");
  }
  return Done{};
}

Result<Done> connect_scattered(std::uint32_t number, Simulation& simulation) {
  const SegmentBirth& birth = simulation.registry.births[number];
  for (std::size_t i = 0; i < birth.places.size(); ++i) {
    const SegmentPlace& place = birth.places[i];
    if (!is_somewhere(place)) {
      if (place.segment != no_index) return error("a segment that is gone has a number");
      continue;
    }
    SimulatedPlant* plant = plant_of_slot(place.slot, simulation);
    if (plant == nullptr || place.segment < 0 || as_size(place.segment) >= plant->ids.size()) {
      return error("the name of a segment leads nowhere");
    }
    SegmentId& id = at(plant->ids, place.segment);
    if (id != SegmentId{}) return error("a segment has two names");
    id = {.number = static_cast<std::uint32_t>(i), .birth = number};
  }
  return Done{};
}

Result<Done> connect(Simulation& simulation) {
  if (const Result<Done> done = connect_slots(simulation); !done) return done;
  const std::vector<SegmentBirth>& births = simulation.registry.births;
  std::size_t together = 0;
  for (std::uint32_t i = 0; i < births.size(); ++i) {
    const BirthKind kind = kind_of(births[i]);
    if (kind == BirthKind::gone) continue;
    const Result<Done> done = kind == BirthKind::together ? connect_together(i, simulation)
                                                          : connect_scattered(i, simulation);
    if (!done) return done;
    if (kind == BirthKind::together) ++together;
  }
  for (const SimulatedPlant& plant : simulation.plants) {
    if (plant.ids.empty()) {
      if (together == 0) return error("the segments of a plant have no names");
      --together;
    }
    for (const SegmentId id : plant.ids) {
      if (id == SegmentId{}) return error("a segment has no name");
    }
    if (plant.birth >= births.size()) return error("a plant has no birth");
  }
  return Done{};
}

}  // namespace

BirthKind kind_of(const SegmentBirth& birth) {
  if (birth.slot != no_index) return BirthKind::together;
  const bool scattered = std::any_of(birth.places.begin(), birth.places.end(), is_somewhere);
  return scattered ? BirthKind::scattered : BirthKind::gone;
}

void connect_names(Simulation& simulation, FieldReader& reader) {
  if (!reader.sound()) return;
  if (const Result<Done> done = connect(simulation); !done) {
    reader.refuse(done.diagnostics().front().message);
  }
}

}  // namespace thigmo
