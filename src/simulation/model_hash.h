#pragma once

#include <cstdint>

#include "simulation/simulation.h"

namespace thigmo {

// Fingerprint of what moves: bodies, joints, step, air, loads and all that the scenario says of the motion
// (Scenario::fingerprint), not states.
std::uint64_t model_hash(const Simulation& simulation);

}  // namespace thigmo
