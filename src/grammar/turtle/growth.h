#pragma once

#include <cstdint>

#include "base/diagnostic.h"
#include "plant/plant.h"

namespace thigmo {

// What the turtle made of a string.
struct Growth {
  Plant plant;
  Diagnostics warnings;
  Box drawn;                 // around both ends of everything drawn; at the origin when nothing was
  Box drawn_and_filled;      // around the vertices of polygons too
  Vec3 end_position;         // of the turtle [m]
  std::int64_t symbols = 0;  // of the plain string
  std::int64_t segments = 0;        // of the plant
  std::int64_t organs = 0;          // of the plant
  std::int64_t drawn_segments = 0;  // F and G, those of length 0 too
  double drawn_length = 0;          // [m]
  std::int64_t polygons = 0;
  std::int64_t deepest_bracket = 0;
};

}  // namespace thigmo
