#pragma once

#include <cstdint>

#include "simulation/simulation.h"

namespace thigmo {

// Fingerprint of what moves, as a scenario has made it: bodies, joints, step, air, loads and all that the scenario
// says of the motion (`said`), not states.
std::uint64_t model_hash(const Simulation& simulation, std::uint64_t said);

}  // namespace thigmo
