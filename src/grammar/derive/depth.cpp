#include "grammar/derive/depth.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "grammar/derive/prediction.h"
#include "grammar/derive/shares.h"

namespace thigmo {

namespace {

// Step by step until the string has so many modules: enough to share out among threads. The number
// must not depend on the threads, so that errors are found in the same order with any of them.
constexpr std::size_t shared_from = 1000;

// How often a thread adds what it has written to what all have written.
constexpr std::size_t noted_after = 4096;  // modules

// What all threads have written together.
struct Written {
  std::atomic<std::int64_t> modules = 0, bytes = 0;
};

// Modules written in one step that wait to be derived further: those of `pending` from `module` on.
struct Level {
  std::size_t begin = 0, begin_parameter = 0;
  std::size_t module = 0, parameter = 0;
  double written = 0;  // the step
};

// What a thread works on. What was written in a step waits in `pending`, level by level, until what
// stands before it is finished.
struct Work {
  const Task& task;
  Rewriter& rewriter;
  Surroundings alone;  // no module has a context
  Written& written;
  ModuleString& out;
  ModuleString pending = {};
  std::vector<Level> levels = {};
  std::size_t noted = 0;  // modules in the sum of all threads already
  double noted_bytes = 0;
};

// Adds what this thread has written since the last time, and compares with the limits.
Result<Done> note_written(Work& work) {
  const Program& p = *work.task.program;
  const Limits& limits = work.task.options.limits;
  const std::size_t modules = work.out.kinds.size() + work.pending.kinds.size();
  const double bytes =
      static_cast<double>(modules) * bytes_per_module(work.task) +
      8.0 * static_cast<double>(work.out.parameters.size() + work.pending.parameters.size());
  if (modules <= work.noted) return Done{};
  const auto all = work.written.modules += static_cast<std::int64_t>(modules - work.noted);
  const auto all_bytes = work.written.bytes += static_cast<std::int64_t>(bytes - work.noted_bytes);
  work.noted = modules;
  work.noted_bytes = bytes;
  if (all > limits.symbols) {
    return diagnostic_in(
        p.source, p.axiom_place,
        fmt::format("the string grows beyond the limit of {} modules", limits.symbols));
  }
  if (all_bytes > limits.memory_bytes) {
    return diagnostic_in(p.source, p.axiom_place,
                         fmt::format("the string needs more than {} bytes, the limit of memory",
                                     limits.memory_bytes));
  }
  return Done{};
}

Result<Done> note_growth(Work& work) {
  const std::size_t modules = work.out.kinds.size() + work.pending.kinds.size();
  if (modules < work.noted + noted_after) return Done{};
  return note_written(work);
}

// The rule for the next step in which one applies; `step` becomes that step.
Result<const Rule*> next_rule(const Module& here, double& step, Work& work) {
  const Program& p = *work.task.program;
  Rewriter& rewriter = work.rewriter;
  const double whole = p.time_step.value_or(1.0);
  work.alone.string = {.kinds = &here.kind, .parameters = here.parameters, .size = 1};
  Subject subject{.kind = here.kind, .parameters = here.parameters};
  while (step < work.task.steps) {
    ++step;
    rewriter.global(p.time_global) = step * whole;
    rewriter.global(p.step_global) = step;
    if (p.uses_random) {
      const std::uint64_t step_seed = mix_bits(work.task.seed, static_cast<std::uint64_t>(step));
      subject.random_key = mix_bits(step_seed, here.identity);
    }
    const Result<const Rule*> rule = rewriter.choose(p.systems[0].productions, subject, work.alone);
    if (!rule) return rule.diagnostics();
    if (!rewriter.take_work(1)) return out_of_work(p, p.axiom_place);
    if (*rule != nullptr) return *rule;
    if (work.task.traits.stationary[here.kind]) return nullptr;  // and none ever will
  }
  return nullptr;
}

// Levels whose last module is being rewritten are not needed any more, so that a module that
// writes itself last needs no more room than one.
void leave_finished_levels(Work& work) {
  while (!work.levels.empty() && work.levels.back().module == work.pending.kinds.size()) {
    shorten(work.pending, work.levels.back().begin, work.levels.back().begin_parameter);
    work.levels.pop_back();
  }
}

// Copies the modules from `at` on that no rule replaces.
void copy_passive(const ModuleString& from, std::size_t end, Stretch& at, Work& work) {
  const Traits& traits = work.task.traits;
  at.begin = at.end;
  at.parameter = at.parameter_end;
  while (at.end < end && traits.passive[from.kinds[at.end]]) {
    at.parameter_end += traits.arity[from.kinds[at.end++]];
  }
  if (at.end > at.begin) append(from, at, work.out);
}

// The next module that a rule may replace; those on the way to it are finished. False: none is left.
bool next_module(Module& here, double& written, Work& work) {
  ModuleString& pending = work.pending;
  while (true) {
    leave_finished_levels(work);
    if (work.levels.empty()) return false;
    Level& level = work.levels.back();
    Stretch passed{.end = level.module, .parameter_end = level.parameter};
    copy_passive(pending, pending.kinds.size(), passed, work);
    level.module = passed.end;
    level.parameter = passed.parameter_end;
    if (level.module == pending.kinds.size()) continue;
    here = module_at(pending, level.module, level.parameter);
    written = level.written;
    ++level.module;
    level.parameter += work.task.traits.arity[here.kind];
    return true;
  }
}

// What the rule writes in this step: finished in the last one, else one level more.
Result<Done> write_level(const Rule& rule, const Module& here, double step, Work& work) {
  leave_finished_levels(work);
  const bool last = step == work.task.steps;
  const ModuleString& pending = work.pending;
  const Level level{.begin = pending.kinds.size(),
                    .begin_parameter = pending.parameters.size(),
                    .module = pending.kinds.size(),
                    .parameter = pending.parameters.size(),
                    .written = step};
  const Index birth_step = work.task.with_births ? static_cast<Index>(step) : no_index;
  const Result<Done> done =
      work.rewriter.write(rule, here.identity, birth_step, last ? work.out : work.pending);
  if (!done) return done.diagnostics();
  if (!last) work.levels.push_back(level);
  return note_growth(work);
}

// One module, written in the step `written`, and all that comes from it.
Result<Done> derive_module(Module here, double written, Work& work) {
  do {
    double step = written;
    const Result<const Rule*> rule = next_rule(here, step, work);
    if (!rule) return rule.diagnostics();
    if (*rule == nullptr) {
      append(here, work.task.traits.arity[here.kind], work.task.keeps(), work.out);
      continue;
    }
    const Result<Done> done = write_level(**rule, here, step, work);
    if (!done) return done.diagnostics();
  } while (next_module(here, written, work));
  return Done{};
}

Result<Done> derive_range(const ModuleString& now, const ShareRange& range, Work work) {
  Stretch passed{.end = range.begin, .parameter_end = range.parameter};
  while (true) {
    copy_passive(now, range.end, passed, work);
    if (passed.end == range.end) break;
    const Result<Done> done =
        derive_module(module_at(now, passed.end, passed.parameter_end), now.steps, work);
    if (!done) return done.diagnostics();
    passed.parameter_end += work.task.traits.arity[now.kinds[passed.end++]];
  }
  return note_written(work);
}

std::vector<ShareRange> even_ranges(const Task& task, const ModuleString& now) {
  const std::size_t n = now.kinds.size();
  const int threads = task.threads();
  const std::size_t count = threads > 1 && n >= shared_from ? as_size(threads) * 8 : 1;
  std::vector<ShareRange> ranges(count);
  std::size_t parameter = 0, i = 0;
  for (std::size_t r = 0; r < count; ++r) {
    ranges[r] = {.begin = n * r / count, .end = n * (r + 1) / count, .parameter = parameter};
    for (; i < ranges[r].end; ++i) parameter += task.traits.arity[now.kinds[i]];
  }
  return ranges;
}

}  // namespace

bool goes_deep(const Task& task, const ModuleString& now, double steps_left, bool slow_growth) {
  constexpr double long_enough = 100;  // steps: a string that stays short is not waited for
  if (!task.traits.independent || task.with_parents || steps_left < 2) return false;
  if (now.kinds.size() < shared_from && now.steps < long_enough) return false;
  return !task.traits.deterministic || slow_growth;
}

// Going into the depth costs some copies a module, so that only sums far beyond are worth it.
bool grows_slowly(const Task& task, const ModuleString& axiom) {
  constexpr double farthest_look = 200;
  if (!task.traits.deterministic) return false;
  if (task.steps > farthest_look) return true;
  std::vector<double> counts(task.program->kinds.size());
  for (const Kind kind : axiom.kinds) ++counts[kind];
  double longest = static_cast<double>(axiom.kinds.size()), all = 0;
  for (double step = 0; step < task.steps; ++step) {
    std::vector<double> next(counts.size());
    double length = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      for (const auto& [kind, times] : task.traits.fewest[k]) {
        next[kind] += counts[k] * times;
        length += counts[k] * times;
      }
    }
    all += length;
    longest = std::max(longest, length);
    counts = std::move(next);
  }
  return all > 8 * longest;
}

Result<Done> derive_deep(const Task& task, const ModuleString& now, std::int32_t group, Team& team,
                         ModuleString& out) {
  clear(out);
  const std::vector<ShareRange> ranges = even_ranges(task, now);
  Written written;
  const auto derive_into = [&](std::size_t r, Rewriter& rewriter, ModuleString& to) {
    return derive_range(now, ranges[r],
                        Work{.task = task,
                             .rewriter = rewriter,
                             .alone = {.group = group},
                             .written = written,
                             .out = to});
  };
  if (ranges.size() == 1) return derive_into(0, team.first(), out);
  std::vector<ModuleString> parts(ranges.size());
  const Result<Done> done = for_ranges(
      team, ranges.size(), task,
      [&](std::size_t r, Rewriter& rewriter) { return derive_into(r, rewriter, parts[r]); });
  if (!done) return done.diagnostics();
  join(parts, task, out);
  return Done{};
}

}  // namespace thigmo
