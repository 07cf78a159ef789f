#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "simulation/simulation.h"

namespace thigmo {

// All of a simulation: whoever reads it goes on with the same bits, whatever was done to it before. "THGSNAP8", the
// byte order of the machine, the fingerprint of the scenario, all plants, what acts on them and all names, and a
// checksum. Models that plants share are written once.
std::string write_snapshot(const Simulation& simulation);

// Makes the simulation again that was saved. Refused when the bytes are damaged, of another version, or no run could
// have left them: every number, size and index is looked at before it is used, and memory grows with the bytes.
Result<Simulation> read_snapshot(std::string_view bytes, std::string_view file);

// The same for a run of a scenario: `simulation` is as the scenario makes it, and goes on from the snapshot, which
// must be of that scenario. What the scenario may say otherwise is as it says now: its probes, how violent motions
// may be, and the notes; and paths, which are known up to its duration. Its timeline has all edits again: see
// skip_past_edits.
Result<Done> restore_run(std::string_view bytes, std::string_view file, Simulation& simulation);

}  // namespace thigmo
