#pragma once

#include "simulation/edit.h"

namespace thigmo {

Result<EditResult> apply_cut(const Cut& cut, Simulation& simulation);
Result<EditResult> apply_remove(const RemoveSegment& remove, Simulation& simulation);
Result<EditResult> apply_remove(const RemovePlant& remove, Simulation& simulation);

}  // namespace thigmo
