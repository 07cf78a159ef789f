#pragma once

#include "mechanics/model/mechanism.h"

namespace thigmo {

// The mechanism of a plant: inertias of its frusta and organs, joint springs from beam theory, dampers
// by the plant's damping law. Gravity counts for the frequency that they are tuned to.
Mechanism compile_mechanism(const Plant& plant, const DragModel& drag = {},
                            const Vec3& gravity_world = {});

}  // namespace thigmo
