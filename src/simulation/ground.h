#pragma once

#include <optional>

#include "mechanics/model/loads.h"
#include "mechanics/model/mechanism.h"

namespace thigmo {

// A level ground, what is not said of it chosen for each plant: it gives by a millimetre under the plant's whole
// weight on one tip, and stops what falls without much of a bounce.
struct GroundForm {
  double height = 0;                     // [m]
  std::optional<double> stiffness = {};  // [N/m] at each tip
  std::optional<double> damping = {};    // [N s/m] at each tip
  double friction = 0.6;
};
Ground ground_for(const GroundForm& form, const Mechanism& mechanism);

}  // namespace thigmo
