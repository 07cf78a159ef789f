#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "simulation/simulation.h"

namespace thigmo {

// Everything a run needs to go on with the same bits: "THGSNAP5", the fingerprint of the model, the
// state of every plant, its account of energy where one is kept, and a checksum; numbers in the byte
// order of the machine, which is checked.
std::string write_snapshot(const Simulation& simulation);

// Puts a snapshot's states into a simulation of the same scenario. Refused, and nothing changed, when
// the bytes are damaged, of another version or another model, or no run could have left them: every number
// is looked at.
Result<Done> read_snapshot(std::string_view bytes, std::string_view file, Simulation& simulation);

// Fingerprint of what moves: bodies, joints, step, air, loads and all that the scenario says of the motion
// (Scenario::fingerprint), not states.
std::uint64_t model_hash(const Simulation& simulation);

}  // namespace thigmo
