#pragma once

#include "plant/plant.h"

namespace thigmo {

// Ridges and furrows of bark, without a texture: noise in the stem's own coordinates, stretched
// along the grain, so that it stays with the wood when the plant moves.
struct Bark {
  Vec3 tint;               // multiplies the reflectance
  Vec3 normal_in_segment;  // unit
};
// `along` is the length from the start of the axis [m].
Bark bark_at(const Segment& segment, const Vec3& normal_in_segment, double along);

}  // namespace thigmo
