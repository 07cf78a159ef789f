#pragma once

#include "grammar/derive/team.h"

namespace thigmo {

// Modules whose future depends on nothing but themselves can be derived to the end one after the
// other: what no rule touches any more is then written once, instead of being copied in every step.

// Is it time to leave the steps and go into the depth? `slow_growth`: the steps would copy far more
// than the last string holds.
bool goes_deep(const Task& task, const ModuleString& now, double steps_left, bool slow_growth);

// Would they? Looks at most 200 steps ahead.
bool grows_slowly(const Task& task, const ModuleString& axiom);

// All steps that are left, module by module.
Result<Done> derive_deep(const Task& task, const ModuleString& now, std::int32_t group, Team& team,
                         ModuleString& out);

}  // namespace thigmo
