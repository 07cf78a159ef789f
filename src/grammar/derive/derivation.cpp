#include "grammar/derive/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grammar/derive/brackets.h"
#include "grammar/derive/depth.h"
#include "grammar/derive/step.h"
#include "grammar/turtle/turtle.h"

namespace thigmo {

namespace {

Task make_task(std::shared_ptr<const Program> program, const GrowOptions& options,
               const DeriveWishes& wishes) {
  const auto own_seed = static_cast<std::uint64_t>(program->seed.value_or(0.0));
  Task task{.program = std::move(program)};
  task.options = options;
  task.traits = find_traits(*task.program);
  task.steps = options.steps.value_or(task.program->steps.value_or(0.0));
  task.seed = options.seed.value_or(own_seed);
  task.with_births = wishes.births;
  task.with_parents = wishes.parents;
  return task;
}

// The axiom, after the model's first block.
Result<ModuleString> make_axiom(const Task& task, Rewriter& rewriter) {
  ModuleString axiom;
  axiom.program = task.program;
  rewriter.set_random_key(mix_bits(task.seed, 0x6178696f6d));
  const Result<double> started = rewriter.run(task.program->systems[0].start);
  if (!started) return started.diagnostics();
  const Result<Done> written = rewriter.write_axiom(axiom);
  if (!written) return written.diagnostics();
  if (!task.with_births) axiom.births = {};
  return axiom;
}

// Sets the variables that tell the time, for the step behind those that are done, of which only a
// part may be left. Gives the time that passes in it.
double set_clock(const Program& p, double done, double part, Rewriter& rewriter) {
  const double whole = p.time_step.value_or(1.0);
  const double dt = part * whole;
  rewriter.global(p.dt_global) = dt;
  rewriter.global(p.time_global) = done * whole + dt;
  rewriter.global(p.step_global) = done + 1;
  return dt;
}

// Fills the parameters of ?P ?H ?L ?U and ?E from the drawing of the string.
Result<Done> ask_turtle(const Task& task, Rewriter& rewriter, ModuleString& string) {
  const Program& p = *task.program;
  if (!p.asks_turtle) return Done{};
  const auto modules = static_cast<std::int64_t>(string.kinds.size());
  if (!rewriter.take_work(work_of_drawing + work_of_drawn_module * modules)) {
    return diagnostic_in(p.source, p.axiom_place,
                         fmt::format("drawing the string after step {} for '?P ?H ?L ?U ?E' "
                                     "needs more work than its limit allows",
                                     string.steps),
                         "derive fewer steps, or raise the limit of work");
  }
  string.globals = rewriter.globals();
  const Result<Done> answered = answer_questions(task.options, string);
  string.globals.clear();
  return answered;
}

// Nothing in the string can change any more.
bool is_finished(const Task& task, const KindCounts& counts) {
  const Program& p = *task.program;
  if (p.uses_time || p.systems.size() > 1 || task.traits.decomposes || p.asks_turtle ||
      task.with_parents || !p.systems[0].start_each.empty() || !p.systems[0].end_each.empty()) {
    return false;
  }
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    const bool acts = !task.traits.passive[k] || static_cast<int>(k) == p.cut;
    if (acts && counts[k] > 0) return false;
  }
  return true;
}

// All steps. Where nobody watches, those that are left may be taken at once.
Result<Done> derive_steps(const Task& task, const Watch& watch, DeriveWorkspace& work,
                          ModuleString& now) {
  const Program& p = *task.program;
  const double steps = task.steps;
  const bool slow_growth = grows_slowly(task, now);
  Rewriter& rewriter = work.team.first();
  ModuleString next;
  next.program = task.program;
  for (double done = 0; done < steps; ++done) {
    const double dt = set_clock(p, done, std::min(1.0, steps - done), rewriter);
    if (!watch && goes_deep(task, now, steps - done, slow_growth)) {
      const Result<Done> derived =
          derive_deep(task, now, chosen_group(p, rewriter), work.team, next);
      if (!derived) return derived.diagnostics();
      set_clock(p, steps - 1, 1, rewriter);
      work.shares.clear();
      std::swap(now, next);
      return Done{};
    }
    count_shares(task, now, work.shares);
    const Result<Prediction> prediction = predict_step(task, now, work.shares, done + 1);
    if (!prediction) return prediction.diagnostics();
    if (!watch && is_finished(task, prediction->counts)) {
      set_clock(p, std::ceil(steps) - 1, steps - std::ceil(steps) + 1, rewriter);
      return Done{};
    }
    const auto number = static_cast<Index>(done) + 1;
    const Result<Done> stepped = take_step(task, number, dt, *prediction, now, work, next);
    if (!stepped) return stepped.diagnostics();
    next.steps = std::min(steps, done + 1);
    const Result<Done> asked = ask_turtle(task, rewriter, next);
    if (!asked) return asked.diagnostics();
    std::swap(now, next);
    if (watch) watch(now, work.parents.of);
  }
  return Done{};
}

}  // namespace

Result<ModuleString> derive_string(std::shared_ptr<const Program> program,
                                   const GrowOptions& options, const DeriveWishes& wishes) {
  const Task task = make_task(std::move(program), options, wishes);
  const Program& p = *task.program;
  if (const auto checked = check_steps(task); !checked) return checked.diagnostics();

  DeriveWorkspace work(task);
  Rewriter& rewriter = work.team.first();
  Result<ModuleString> string = make_axiom(task, rewriter);
  if (!string) return string;
  const auto forecast = check_forecast(task, *string, rewriter.globals());
  if (!forecast) return forecast.diagnostics();
  if (const auto asked = ask_turtle(task, rewriter, *string); !asked) return asked.diagnostics();
  if (wishes.watch) wishes.watch(*string, {});

  const Result<Done> derived = derive_steps(task, wishes.watch, work, *string);
  if (!derived) return derived.diagnostics();
  const Result<double> ended = rewriter.run(p.systems[0].end);
  if (!ended) return ended.diagnostics();
  // Articulated bodies have more to say about brackets, and say it all at once.
  if (!p.articulated) {
    if (const auto checked = check_brackets(*string); !checked) return checked.diagnostics();
  }
  string->steps = task.steps;
  string->globals = rewriter.globals();
  if (!work.shares.empty()) {
    const KindCounts counts = sum_of_shares(work.shares);
    string->kind_counts.assign(counts.begin(), counts.end());
  }
  return string;
}

}  // namespace thigmo
