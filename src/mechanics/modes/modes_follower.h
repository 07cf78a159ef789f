#pragma once

#include "mechanics/modes/modes.h"

namespace thigmo {

// Follower forces, and moments: loads without an energy. Their stiffness is not symmetric.
bool has_follower_loads(const Loads& loads);
Modes find_follower_modes(const Mechanism& mechanism, const Loads& loads, const Statics& statics,
                          const ModeOptions& options);

}  // namespace thigmo
