#pragma once

#include "grammar/derive/plain_step.h"
#include "grammar/derive/prediction.h"
#include "grammar/derive/team.h"
#include "grammar/rewrite/expander.h"

namespace thigmo {

// What steps need besides the strings, kept from step to step.
struct DeriveWorkspace {
  explicit DeriveWorkspace(const Task& task)
      : team(*task.program, task.options.limits),
        expander(*task.program, task.options.limits, team.first()),
        parents{.wanted = task.with_parents} {}

  Team team;
  Expander expander;      // of the decomposition
  ContextTables tables;   // of the string before the step
  Shares shares;          // of the same string
  PlainSuccessors plain;  // where the model needs no more
  Parents parents;        // of the string after the step
};

// The group whose rules apply from here on.
std::int32_t chosen_group(const Program& program, Rewriter& rewriter);

// One derivation step from `now` to `next`, with the model's blocks before and after it. `dt` is the
// time that passes in it.
Result<Done> take_step(const Task& task, Index number, double dt, const Prediction& prediction,
                       const ModuleString& now, DeriveWorkspace& work, ModuleString& next);

}  // namespace thigmo
