#pragma once

#include <algorithm>
#include <cmath>

#include "render/noise.h"

namespace thigmo {

// How the veins of a leaf run.
enum class Veins : unsigned char { none, feathered, parallel };

// How much paler a leaf is at (u, v) of its unit square: on the midrib and on side veins that run off to
// the tip's side, or on veins along a grass blade; between them it is mottled a little.
inline double vein_tint(Veins veins, double u, double v) {
  const double off = 2 * std::abs(u - 0.5);  // from the midrib, 1 at the widest margin
  const double phase = veins == Veins::parallel ? 22 * u : 9 * (v - 0.33 * off);
  const double nearest = std::abs(phase - std::round(phase));
  const double width = veins == Veins::parallel ? 0.25 : 0.07;
  const double strength = veins == Veins::parallel ? 0.10 : 0.22 * std::max(0.0, 1 - 0.9 * off);
  const double side = strength * std::max(0.0, 1 - nearest / width);
  const double midrib = 0.30 * std::max(0.0, 1 - off / 0.045);
  const double mottle = 0.12 * (value_noise(9 * u, 14 * v, 0, 21) - 0.5);
  return 1 + std::max(side, midrib) + mottle;
}

}  // namespace thigmo
