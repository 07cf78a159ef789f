#pragma once

#include "grammar/derive/task.h"
#include "grammar/rewrite/expander.h"

namespace thigmo {

// Decomposition: every module of the new string, again and again, to the depth that was set.
Result<Done> decompose(const Task& task, const Step& step, const ModuleString& in,
                       Expander& expander, Parents& parents, ModuleString& out);

}  // namespace thigmo
