#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "simulation/model_hash.h"
#include "simulation/simulation.h"

namespace thigmo {

// Everything a run needs to go on with the same bits: "THGSNAP6", the fingerprint of the model, the
// state of every plant, its account of energy where one is kept, and a checksum; numbers in the byte
// order of the machine, which is checked.
std::string write_snapshot(const Simulation& simulation);

// Puts a snapshot's states into a simulation of the same scenario. Refused, and nothing changed, when
// the bytes are damaged, of another version or another model, or no run could have left them: every number
// is looked at.
Result<Done> read_snapshot(std::string_view bytes, std::string_view file, Simulation& simulation);

}  // namespace thigmo
