#pragma once

#include "grammar/derive/shares.h"
#include "grammar/derive/team.h"

namespace thigmo {

// Tries the rules on every module from the left to the right. Where there are several ranges, threads
// take one each.
Result<Done> step_from_left(const Task& task, const Step& step, const ModuleString& now,
                            const std::vector<ShareRange>& ranges, const StringView& view,
                            Team& team, Parents& parents, ModuleString& next);

}  // namespace thigmo
