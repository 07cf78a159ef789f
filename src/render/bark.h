#pragma once

#include "plant/plant.h"

namespace thigmo {

// A place on a stem's bark.
struct BarkPlace {
  Vec3 normal_world;  // unit
  Vec3 axis_world;    // unit, along the stem
  Vec3 across_world;  // where the bark's turn begins; goes along the tube without twisting
  double radius = 0;  // [m]
  double along = 0;   // from the start of the tube [m]
  Index tube = 0;     // tells one tube from another
};

// Ridges and furrows of bark, without a texture: noise in the stem's own coordinates, stretched
// along the grain, so that it stays with the wood when the plant moves.
struct Bark {
  Vec3 tint;          // multiplies the reflectance
  Vec3 normal_world;  // unit
};
Bark bark_at(const BarkPlace& place);

}  // namespace thigmo
