#pragma once

#include "grammar/derive/task.h"
#include "grammar/rewrite/rewriter.h"

namespace thigmo {

// Lives that end this little later than now end now: rounding may lose as much in many small steps.
inline constexpr double lifetime_slack = 1e-9;

// `excess` before the end of a step, without the last digits that ages lose when they are summed up.
double event_time(double step_end, double excess);

// Takes a timed module through one step. It ages; when it reaches its lifetime its rule is applied at
// that very moment, and the new modules have the rest of the step behind them, which may be the end of
// their own lives. So the string at a given time does not depend on how the time was cut into steps
// (timed L-systems: Prusinkiewicz and Lindenmayer 1990, ch. 6).
Result<Done> develop(const Task& task, const Step& step, const Module& module,
                     const RuleTable& table, std::size_t index, const Surroundings& around,
                     Rewriter& rewriter, ModuleString& out);

}  // namespace thigmo
