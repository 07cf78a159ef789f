#pragma once

#include "mechanics/model/mechanism.h"

namespace thigmo {

// Lowest natural frequency of small motions about the rest pose, without gravity [Hz]; 0 for a
// mechanism without bodies or without stiffness.
double first_frequency(const Mechanism& mechanism);

// The same in single precision, as for large mechanisms: right to 1e-6.
double first_frequency_single(const Mechanism& mechanism);

}  // namespace thigmo
