#pragma once

#include "simulation/edit.h"

namespace thigmo {

Result<EditResult> apply_change(const Change& change, Simulation& simulation);
Result<EditResult> apply_extend(const Extend& extend, Simulation& simulation);
Result<EditResult> apply_thicken(const Thicken& thicken, Simulation& simulation);

}  // namespace thigmo
