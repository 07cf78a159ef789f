#pragma once

#include "plant/plant.h"

namespace thigmo {

// The same plant with every segment cut into `pieces` equal parts, for more accurate mechanics of
// coarsely measured trees.
Plant subdivided(const Plant& plant, int pieces);

}  // namespace thigmo
