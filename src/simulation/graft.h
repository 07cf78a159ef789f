#pragma once

#include "simulation/edit.h"

namespace thigmo {

Result<EditResult> apply_graft(const Graft& graft, Simulation& simulation);

}  // namespace thigmo
