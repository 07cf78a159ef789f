#pragma once

// What happened in a world.

#include <cstdint>

#include "thigmo/ids.h"

namespace thigmo {

enum class EventKind : std::uint8_t {
  added,    // a plant came into the world
  removed,  // a plant or a segment with all on it left it
  cut,      // `other` is the piece that was cut off at `segment`
  grafted,  // on `segment`; `other` is the plant that this was before
  changed,  // grew, thickened or is made of something else now
  touched,  // a plant met the ground
  slept,    // a plant came to rest and costs nothing until something moves it
  woke,
  stopped,  // a plant's motion could not be continued
};
const char* to_string(EventKind kind);

struct Event {
  EventKind kind = EventKind::added;
  double time = 0;  // [s]
  PlantId plant;
  SegmentId segment;  // names nothing where the whole plant is meant
  PlantId other;
};

}  // namespace thigmo
