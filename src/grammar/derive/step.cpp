#include "grammar/derive/step.h"

#include <fmt/format.h>

#include <utility>

#include "grammar/derive/decompose.h"
#include "grammar/derive/fixed_step.h"
#include "grammar/derive/general_step.h"
#include "grammar/derive/right_step.h"

namespace thigmo {

namespace {

// What the model's variables say about this step.
Result<Step> begin_step(const Task& task, Index number, double dt, Rewriter& rewriter) {
  const Program& p = *task.program;
  Step step{.number = number,
            .birth_step = task.with_births ? number : no_index,
            .dt = dt,
            .group = chosen_group(p, rewriter),
            .seed = mix_bits(task.seed, static_cast<std::uint64_t>(number))};
  for (const Code code : p.lifetimes) {
    const Result<double> lifetime = rewriter.run(code);
    if (!lifetime) return lifetime.diagnostics();
    if (!(*lifetime > 0)) {
      return diagnostic_in(p.source, at(p.ops, code.begin).place,
                           fmt::format("a module cannot live for {}", *lifetime));
    }
    step.lifetimes.push_back(*lifetime);
  }
  return step;
}

// No module has parameters, an identity or a birth, and rules have no statements that matter.
bool is_plain(const Task& task, const Prediction& prediction, const ModuleString& now) {
  return task.traits.deterministic && prediction.parameters == 0 && now.parameters.empty() &&
         !task.program->uses_random && !task.with_births && !task.program->writes_globals;
}

Result<Done> rewrite_general(const Task& task, const Step& step, const Prediction& prediction,
                             const ModuleString& now, const std::vector<ShareRange>& ranges,
                             DeriveWorkspace& work, ModuleString& next) {
  const Program& p = *task.program;
  const bool brackets =
      prediction.counts[p.open_bracket] > 0 || prediction.counts[p.close_bracket] > 0;
  const StringView view = work.tables.view(p, now, brackets);
  if (looks_at_new_right(p, step)) {
    return step_from_right(task, step, now, view, work.team.first(), work.parents, next);
  }
  return step_from_left(task, step, now, ranges, view, work.team, work.parents, next);
}

// The fastest way that gives the string of the rules.
Result<Done> rewrite(const Task& task, const Step& step, const Prediction& prediction,
                     const ModuleString& now, DeriveWorkspace& work, ModuleString& next) {
  const std::vector<ShareRange> ranges = ranges_of(task, work.shares);
  if (task.traits.deterministic && !task.with_parents) {
    if (is_plain(task, prediction, now)) {
      step_plain(task, now, ranges, work.plain, next);
      return Done{};
    }
    const auto parameters = static_cast<std::size_t>(prediction.parameters);
    return step_fixed(task, step, now, ranges, parameters, work.team, next);
  }
  const Result<Done> done = rewrite_general(task, step, prediction, now, ranges, work, next);
  if (!done || !task.traits.decomposes) return done;
  ModuleString undecomposed;
  std::swap(undecomposed.kinds, next.kinds);
  std::swap(undecomposed.parameters, next.parameters);
  std::swap(undecomposed.identities, next.identities);
  std::swap(undecomposed.births, next.births);
  return decompose(task, step, undecomposed, work.expander, work.parents, next);
}

}  // namespace

std::int32_t chosen_group(const Program& program, Rewriter& rewriter) {
  return program.uses_groups ? group_of(rewriter.global(program.group_global)) : 0;
}

Result<Done> take_step(const Task& task, Index number, double dt, const Prediction& prediction,
                       const ModuleString& now, DeriveWorkspace& work, ModuleString& next) {
  const LSystem& model = task.program->systems[0];
  Rewriter& rewriter = work.team.first();
  // A string that grows little by little over very many steps is work, too.
  const std::int64_t each = task.traits.deterministic ? 1 : work_of_trial;
  if (!rewriter.take_work(static_cast<std::int64_t>(now.kinds.size()) * each)) {
    return error(
        fmt::format("step {} of the derivation needs more work than its limit allows", number),
        "derive fewer steps, or raise the limit");
  }
  if (const Result<double> ran = rewriter.run(model.start_each); !ran) return ran.diagnostics();
  const Result<Step> step = begin_step(task, number, dt, rewriter);
  if (!step) return step.diagnostics();
  clear(next);
  work.parents.of.clear();
  const Result<Done> done = rewrite(task, *step, prediction, now, work, next);
  if (!done) return done.diagnostics();
  if (const Result<double> ran = rewriter.run(model.end_each); !ran) return ran.diagnostics();
  multiply_shares(task, work.shares);
  return Done{};
}

}  // namespace thigmo
