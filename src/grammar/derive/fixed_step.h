#pragma once

#include "grammar/derive/shares.h"
#include "grammar/derive/team.h"

namespace thigmo {

// Every kind has one successor, so that all sizes are known before: every range writes to its place.
// `parameters` are those of the new string.
Result<Done> step_fixed(const Task& task, const Step& step, const ModuleString& now,
                        const std::vector<ShareRange>& ranges, std::size_t parameters, Team& team,
                        ModuleString& next);

}  // namespace thigmo
