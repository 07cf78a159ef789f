#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/index.h"
#include "thigmo/ids.h"

namespace thigmo {

// Where a segment is: in the plant of a slot, under this number. Nowhere: it is gone.
struct SegmentPlace {
  Index slot = no_index;
  Index segment = no_index;
};

// Segments that came into a world together: a plant, or the upper part of a segment that was cut through.
struct SegmentBirth {
  Index count = 0;
  Index slot = no_index;  // of the plant where each still has its own number; -1: see places
  std::vector<SegmentPlace> places;  // of each; none where all are gone
  // The segment that an upper part was cut from, and where on that it began [m]: for those who have seen both.
  // Who reads a saved world has not.
  SegmentId cut_from = {};
  double height = 0;
};

// A place for a plant's name. Those of plants that are gone are used again, with another generation.
struct PlantSlot {
  Index plant = no_index;  // into Simulation::plants; -1: gone
  std::uint32_t generation = 0;
};

// Which plant and which segment a name means.
struct Registry {
  std::vector<PlantSlot> slots;
  std::vector<Index> free_slots;
  std::vector<SegmentBirth> births;
};

// A slot for the plant with this number.
Index take_slot(Index plant, Registry& registry);
void free_slot(Index slot, Registry& registry);

// As many new names; all in the plant of this slot, numbered as its segments are.
std::uint32_t add_birth(Index count, Index slot, Registry& registry);

std::optional<std::size_t> find_plant(const Registry& registry, PlantId id);
std::optional<SegmentPlace> find_place(const Registry& registry, SegmentId id);

// Notes where a segment is now, or that it is gone.
void set_place(SegmentId id, const SegmentPlace& place, Registry& registry);

}  // namespace thigmo
