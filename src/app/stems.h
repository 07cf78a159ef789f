#pragma once

// What of all that was recorded is the same wood. A segment that came into the world whole is a stem; segments
// that it was cut into, and made whole again of, are stretches of it. Between all places where it ever was cut
// lie its parts: they keep their shape as long as they are there.

#include <span>
#include <vector>

#include "app/epoch.h"

namespace thigmo {

// From and to on a stem [m].
struct StemRange {
  Index stem = no_index;
  double from = 0, to = 0;
};

// What a part stands on: another part, or nothing.
struct PartLink {
  enum class Kind { none, joint, beside };  // beside: on the ground, with another root of its plant
  Kind kind = Kind::none;
  Index part = no_index;
  Vec3 base;  // where, in the frame of that part [m]
};

struct StemPart {
  StemRange stretch;
  std::size_t first_epoch = 0, last_epoch = 0;  // in which it is there
  PartLink link = {};                           // in the first of these
  bool stays = true;                            // and in all of them
};

// Where a part is: on a segment of a plant of an epoch, so far from its base [m].
struct PartPlace {
  Index plant = no_index;  // -1: nowhere
  Index segment = 0;
  double height = 0;
};

struct StemParts {
  std::vector<StemPart> parts;
  std::vector<Index> in_order;                 // as they came, parents first
  std::vector<std::vector<PartPlace>> places;  // of each part in each epoch
};

StemParts find_parts(std::span<const Epoch> epochs, const Registry& registry);

}  // namespace thigmo
