#pragma once

#include "grammar/derive/task.h"
#include "grammar/rewrite/rewriter.h"

namespace thigmo {

// Do rules of this step look at what stands to their right already rewritten?
bool looks_at_new_right(const Program& program, const Step& step);

// Then the rules are tried from the last module to the first, and the pieces put in order at the end.
Result<Done> step_from_right(const Task& task, const Step& step, const ModuleString& now,
                             const StringView& view, Rewriter& rewriter, Parents& parents,
                             ModuleString& next);

}  // namespace thigmo
