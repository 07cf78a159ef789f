#pragma once

#include <vector>

#include "mechanics/mechanism.h"

namespace thigmo {

// The vibration of the main axis: of all that start when the base is shaken, the one with the largest
// modal mass. Twigs and petioles that vibrate more slowly have little.
struct Sway {
  double elastic_frequency = 0;  // of the same shape, without gravity [Hz]; 0: nothing can vibrate
  double frequency = 0;          // standing in the rest pose under gravity [Hz]; 0: it would fall
  double mass_share = 0;  // (φᵀ M a)²/(φᵀ M φ · aᵀ M a), a: all moves as the base is shaken
  std::vector<double> bending_share;  // of each body's joint in the elastic energy
};
Sway main_sway(const Mechanism& mechanism, const Vec3& gravity_world);

// Which axis each body belongs to. A body continues its parent's axis, or begins one of its own.
struct Axes {
  std::vector<Index> of_body;
  Index count = 0;
};

// As next_on_axis says.
Axes axes_of(const Plant& plant, const Mechanism& mechanism);

// Lowest frequency of each axis about the rest pose, its base clamped and its side axes riding on it as
// rigid bodies [Hz]; 0 where nothing can vibrate. Within some percent.
std::vector<double> axis_frequencies(const Mechanism& mechanism, const Axes& axes);

}  // namespace thigmo
