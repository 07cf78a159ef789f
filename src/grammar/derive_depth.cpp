#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "base/random.h"
#include "grammar/derivation.h"

namespace thigmo {

namespace {

// Step by step until the string has so many modules: enough to share out among threads. The number
// must not depend on the threads, so that errors are found in the same order with any of them.
constexpr std::size_t shared_from = 1000;

// How often a thread adds what it has written to what all have written.
constexpr std::size_t noted_after = 4096;  // modules

bool reads_clock_or_chance(const Program& p, Code code) {
  for (std::int32_t i = code.begin; i < code.end; ++i) {
    const Op& op = p.ops[static_cast<std::size_t>(i)];
    if (op.code == OpCode::global &&
        (op.index == p.dt_global || op.index == p.time_global || op.index == p.step_global)) {
      return true;
    }
    if (op.code == OpCode::call && function_info(static_cast<Function>(op.index)).random) {
      return true;
    }
  }
  return false;
}

}  // namespace

// Modules whose future depends on nothing but themselves can be derived to the end one after the
// other: what no rule touches any more is then written once, instead of being copied in every step.
void Derivation::find_independence() {
  const Program& p = *program_;
  const LSystem& system = p.systems[0];
  independent_ = !p.multi_module && p.sub_open == 256 && p.cut == 256 && !p.uses_time &&
                 p.systems.size() == 1 && !has_decomposition_ && !p.writes_globals &&
                 !p.asks_turtle && system.start_each.empty() && system.end_each.empty();
  for (const Rule& rule : system.productions.rules) {
    independent_ = independent_ && !rule.has_context();
  }
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    passive_[k] = system.productions.by_kind[k].empty();
    stationary_[k] = true;
    for (const std::int32_t r : system.productions.by_kind[k]) {
      const Rule& rule = system.productions.rules[static_cast<std::size_t>(r)];
      const bool changes = rule.weight || reads_clock_or_chance(p, rule.condition) ||
                           reads_clock_or_chance(p, rule.before);
      stationary_[k] = stationary_[k] && !changes;
    }
  }
}

// Is it time to leave the steps and go into the depth?
bool Derivation::goes_deep(const ModuleString& now, double left, const Watch& watch) const {
  constexpr double long_enough = 100;  // steps: a string that stays short is not waited for
  if (!independent_ || recording_ || watch || left < 2) return false;
  if (now.kinds.size() < shared_from && now.steps < long_enough) return false;
  return !deterministic_ || slow_growth_;
}

// All steps that are left, module by module.
void Derivation::derive_deep(const ModuleString& now, double steps, ModuleString& out) {
  clear(out);
  read_group();
  const std::size_t n = now.kinds.size();
  const int threads = options_.threads > 0 ? options_.threads : hardware_threads();
  const std::size_t count =
      threads > 1 && n >= shared_from ? static_cast<std::size_t>(threads) * 8 : 1;
  std::vector<Range> ranges(count);
  std::size_t parameter = 0, i = 0;
  for (std::size_t r = 0; r < count; ++r) {
    ranges[r] = {.begin = n * r / count, .end = n * (r + 1) / count, .parameter = parameter};
    for (; i < ranges[r].end; ++i) parameter += arity_[now.kinds[i]];
  }
  written_modules_ = written_bytes_ = 0;
  if (count == 1) return deep_range(now, ranges[0], steps, rewriter_, out);
  std::vector<ModuleString> parts(count);
  for (std::size_t r = 1; r < count; ++r) rewriter_of(r).set_globals(rewriter_.globals);
  parallel_for(count, threads, [&](std::size_t r) {
    deep_range(now, ranges[r], steps, r == 0 ? rewriter_ : *others_[r - 1], parts[r]);
  });
  join(parts, out);
}

void Derivation::deep_range(const ModuleString& now, const Range& range, double steps,
                            Rewriter& rewriter, ModuleString& out) const {
  DeepWork work{.rewriter = rewriter, .out = out, .steps = steps};
  std::size_t parameter = range.parameter;
  for (std::size_t i = range.begin; i < range.end && !rewriter.failed();) {
    std::size_t end = i, end_parameter = parameter;
    while (end < range.end && passive_[now.kinds[end]]) end_parameter += arity_[now.kinds[end++]];
    rewriter.copy(now, i, end - i, parameter, end_parameter - parameter, out);
    i = end;
    parameter = end_parameter;
    if (i == range.end) break;
    deep_module({.kind = now.kinds[i],
                 .parameters = now.parameters.data() + parameter,
                 .identity = now.identities.empty() ? 0 : now.identities[i],
                 .birth = now.births.empty() ? Birth{} : now.births[i]},
                now.steps, work);
    parameter += arity_[now.kinds[i++]];
  }
  note_written(work);
}

// One module and all that comes from it. What was written in a step waits in `pending`, level by
// level, until what stands before it is finished.
void Derivation::deep_module(ModuleSeen here, double written, DeepWork& work) const {
  const Program& p = *program_;
  Rewriter& rewriter = work.rewriter;
  ModuleString& pending = work.pending;
  while (true) {
    double step = written;
    const Rule* const rule = next_rule(here, step, work);
    if (rewriter.failed()) return;
    if (rule == nullptr) {
      work.out.kinds.push_back(here.kind);
      work.out.parameters.append(here.parameters, arity_[here.kind]);
      if (p.uses_random) work.out.identities.push_back(here.identity);
      if (with_births_) work.out.births.push_back(here.birth);
    } else {
      const bool last = step == work.steps;
      ModuleString& to = last ? work.out : pending;
      leave_finished_levels(work);
      const DeepLevel level{.begin = pending.kinds.size(),
                            .begin_parameter = pending.parameters.size(),
                            .module = pending.kinds.size(),
                            .parameter = pending.parameters.size(),
                            .written = step};
      rewriter.write(*rule, here.identity, with_births_ ? static_cast<Index>(step) : no_index, to);
      if (!last) work.levels.push_back(level);
      note_growth(work);
      if (rewriter.failed()) return;
    }
    if (!next_module(here, written, work)) return;
  }
}

// The rule for the next step in which one applies; `step` becomes that step.
const Rule* Derivation::next_rule(const ModuleSeen& here, double& step, DeepWork& work) const {
  const Program& p = *program_;
  Rewriter& rewriter = work.rewriter;
  const double whole = p.time_step.value_or(1.0);
  const Subject subject{.kind = here.kind, .parameters = here.parameters};
  const StringView alone{.kinds = &here.kind, .parameters = here.parameters, .size = 1};
  while (step < work.steps) {
    ++step;
    rewriter.globals[static_cast<std::size_t>(p.time_global)] = step * whole;
    rewriter.globals[static_cast<std::size_t>(p.step_global)] = step;
    Subject now = subject;
    if (p.uses_random) {
      now.random_key = mix_bits(mix_bits(seed_, static_cast<std::uint64_t>(step)), here.identity);
    }
    const Rule* const rule =
        rewriter.choose(p.systems[0].productions, now, alone, nullptr, nullptr, group_);
    if (--rewriter.machine.work_left < 0) {
      rewriter.fail("the model needs more work than its limit allows", p.axiom_place);
    }
    if (rule != nullptr || rewriter.failed()) return rule;
    if (stationary_[here.kind]) return nullptr;  // and none ever will
  }
  return nullptr;
}

// Levels whose last module is being rewritten are not needed any more, so that a module that
// writes itself last needs no more room than one.
void Derivation::leave_finished_levels(DeepWork& work) const {
  while (!work.levels.empty() && work.levels.back().module == work.pending.kinds.size()) {
    const DeepLevel& level = work.levels.back();
    work.pending.kinds.resize(level.begin);
    work.pending.parameters.resize(level.begin_parameter);
    if (program_->uses_random) work.pending.identities.resize(level.begin);
    if (with_births_) work.pending.births.resize(level.begin);
    work.levels.pop_back();
  }
}

// The next module that a rule may replace; those on the way to it are finished. False: none is left.
bool Derivation::next_module(ModuleSeen& here, double& written, DeepWork& work) const {
  ModuleString& pending = work.pending;
  while (true) {
    leave_finished_levels(work);
    if (work.levels.empty()) return false;
    DeepLevel& level = work.levels.back();
    std::size_t end = level.module, end_parameter = level.parameter;
    while (end < pending.kinds.size() && passive_[pending.kinds[end]]) {
      end_parameter += arity_[pending.kinds[end++]];
    }
    if (end > level.module) {
      work.rewriter.copy(pending, level.module, end - level.module, level.parameter,
                         end_parameter - level.parameter, work.out);
    }
    level.module = end;
    level.parameter = end_parameter;
    if (end == pending.kinds.size()) continue;
    here = {.kind = pending.kinds[end],
            .parameters = pending.parameters.data() + end_parameter,
            .identity = pending.identities.empty() ? 0 : pending.identities[end],
            .birth = pending.births.empty() ? Birth{} : pending.births[end]};
    written = level.written;
    ++level.module;
    level.parameter += arity_[here.kind];
    return true;
  }
}

void Derivation::note_growth(DeepWork& work) const {
  if (work.out.kinds.size() + work.pending.kinds.size() >= work.noted + noted_after) {
    note_written(work);
  }
}

// Adds what this thread has written since the last time, and compares with the limits.
void Derivation::note_written(DeepWork& work) const {
  const std::size_t modules = work.out.kinds.size() + work.pending.kinds.size();
  const double bytes =
      static_cast<double>(modules) * bytes_per_module(*program_, with_births_) +
      8.0 * static_cast<double>(work.out.parameters.size() + work.pending.parameters.size());
  if (modules <= work.noted) return;
  const auto all = written_modules_ += static_cast<std::int64_t>(modules - work.noted);
  const auto all_bytes = written_bytes_ += static_cast<std::int64_t>(bytes - work.noted_bytes);
  work.noted = modules;
  work.noted_bytes = bytes;
  if (all > options_.limits.symbols) {
    work.rewriter.fail(
        fmt::format("the string grows beyond the limit of {} modules", options_.limits.symbols),
        program_->axiom_place);
  } else if (all_bytes > options_.limits.memory_bytes) {
    work.rewriter.fail(fmt::format("the string needs more than {} bytes, the limit of memory",
                                   options_.limits.memory_bytes),
                       program_->axiom_place);
  }
}

}  // namespace thigmo
