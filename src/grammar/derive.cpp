#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "grammar/derivation.h"
#include "grammar/predict.h"
#include "grammar/rules.h"
#include "grammar/turtle.h"

namespace thigmo {

double bytes_per_module(const Program& program, bool with_births) {
  return 1.0 + (program.uses_random ? 8.0 : 0.0) + (with_births ? sizeof(Birth) : 0.0) +
         (program.uses_context ? 8.0 : 0.0);
}

void clear(ModuleString& string) {
  string.kinds.clear();
  string.parameters.clear();
  string.identities.clear();
  string.births.clear();
}

Derivation::Derivation(std::shared_ptr<const Program> program, const GrowOptions& options,
                       bool with_births)
    : program_(std::move(program)),
      options_(options),
      with_births_(with_births),
      seed_(options.seed.value_or(static_cast<std::uint64_t>(program_->seed.value_or(0.0)))),
      rewriter_(*program_, options_.limits),
      expander_(*program_, options_.limits, rewriter_) {
  for (const LSystem& system : program_->systems) {
    has_decomposition_ = has_decomposition_ || !system.decomposition.rules.empty();
  }
  find_outcomes();
  find_independence();
}

// What one module of each kind can become in a step.
void Derivation::find_outcomes() {
  const Program& p = *program_;
  deterministic_ = !p.multi_module && p.cut == 256 && !p.uses_time && !p.uses_groups &&
                   p.sub_open == 256 && p.systems.size() == 1 && !has_decomposition_ &&
                   !p.uses_new_context;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    arity_[k] = static_cast<std::size_t>(p.kinds[k].arity);
    std::vector<const Rule*> rules;
    bool must = false;
    for (const LSystem& system : p.systems) {
      for (const std::int32_t r : system.productions.by_kind[k]) {
        const Rule& rule = system.productions.rules[static_cast<std::size_t>(r)];
        rules.push_back(&rule);
        if (rule.always_applies()) {
          must = true;
          break;  // nothing behind it is ever tried
        }
        deterministic_ = false;
      }
    }
    Outcome& outcome = outcomes_[k];
    outcome.longest = must ? 0 : 1;
    outcome.most_parameters = must ? 0 : p.kinds[k].arity;
    for (const Rule* rule : rules) {
      const auto modules = static_cast<double>(rule->successor.kinds.size());
      const auto parameters = static_cast<double>(rule->successor.parameters.size());
      outcome.longest = std::max(outcome.longest, modules);
      outcome.most_parameters = std::max(outcome.most_parameters, parameters);
    }
    if (must && rules.size() == 1) outcome.only = rules[0];
  }
  if (deterministic_) fewest_ = fewest_successors(p, RuleSet::production);
}

namespace {

enum class Bound { exact, at_least, at_most };

Diagnostic too_long(const Program& program, double length, double step, Bound bound,
                    const Limits& limits) {
  const char* const words = bound == Bound::exact      ? ""
                            : bound == Bound::at_least ? "at least "
                                                       : "up to ";
  return diagnostic_in(
      program.source, program.axiom_place,
      fmt::format("after step {} the string would have {}{:.4g} modules; the limit is {}", step,
                  words, length, limits.symbols),
      "use fewer steps, or raise the limit of symbols");
}

Diagnostic refusal(const Program& program, const Forecast& forecast, const Limits& limits) {
  switch (forecast.what) {
    case Forecast::What::work:
      return diagnostic_in(program.source, program.axiom_place,
                           fmt::format("the {} steps would rewrite at least {:.4g} modules in all; "
                                       "the limit of work is {}",
                                       forecast.step, forecast.amount, limits.work),
                           "use fewer steps, or raise the limit of work");
    case Forecast::What::drawing:
      return diagnostic_in(program.source, program.axiom_place,
                           fmt::format("the strings of {} steps would be drawn for '?P ?H ?L ?U "
                                       "?E', at least {:.4g} modules in all; the limit of work is "
                                       "{}",
                                       forecast.step, forecast.amount, limits.work),
                           "use fewer steps, or raise the limit of work");
    case Forecast::What::events:
      return diagnostic_in(
          program.source, program.axiom_place,
          forecast.amount >= 1e300
              ? fmt::format("the development does not come to an end within step {}: modules are "
                            "born at the end of their lives",
                            forecast.step)
              : fmt::format("within step {} modules would come to the end of their lives about "
                            "{:.4g} times",
                            forecast.step, forecast.amount),
          "let modules live longer, or take smaller time steps");
    case Forecast::What::length:
      break;
  }
  if (program.uses_time) {
    return diagnostic_in(program.source, program.axiom_place,
                         fmt::format("within step {} the string would get {:.4g} modules; the "
                                     "limit is {}",
                                     forecast.step, forecast.amount, limits.symbols),
                         "use fewer steps, or raise the limit of symbols");
  }
  return too_long(program, forecast.amount, forecast.step,
                  forecast.exact ? Bound::exact : Bound::at_least, limits);
}

}  // namespace

// Refuses, before anything is derived, what must become too long or take too much time.
std::optional<Diagnostic> Derivation::predict_all(const ModuleString& axiom, double steps) {
  const Limits& limits = options_.limits;
  auto forecast = forecast_by_kinds(*program_, axiom, steps, limits, !independent_);
  if (!forecast && !deterministic_) {
    forecast = forecast_by_values(*program_, axiom, steps, rewriter_.globals, limits);
  }
  if (forecast) return refusal(*program_, *forecast, limits);
  if (deterministic_) slow_growth_ = grows_slowly(axiom, steps);
  return std::nullopt;
}

// Would the steps copy far more than the last string holds? Going into the depth costs some copies a
// module, so that only sums far beyond are worth it.
bool Derivation::grows_slowly(const ModuleString& axiom, double steps) const {
  constexpr double farthest_look = 200;
  if (steps > farthest_look) return true;
  std::vector<double> counts(program_->kinds.size());
  for (const Kind kind : axiom.kinds) ++counts[kind];
  double longest = static_cast<double>(axiom.kinds.size()), all = 0;
  for (double step = 0; step < steps; ++step) {
    std::vector<double> next(counts.size());
    double length = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      for (const auto& [kind, times] : fewest_[k]) {
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

// Refuses a step whose result may break a limit.
std::optional<Diagnostic> Derivation::predict_step(const ModuleString& string, double step,
                                                   Prediction& prediction) {
  count_shares(string);
  prediction = {};
  for (const Counts& share : shares_) {
    for (std::size_t k = 0; k < 256; ++k) prediction.counts[k] += share[k];
  }
  for (std::size_t k = 0; k < program_->kinds.size(); ++k) {
    const auto count = static_cast<double>(prediction.counts[k]);
    prediction.length += count * outcomes_[k].longest;
    prediction.parameters += count * outcomes_[k].most_parameters;
  }
  if (prediction.length > static_cast<double>(options_.limits.symbols)) {
    return too_long(*program_, prediction.length, step,
                    deterministic_ ? Bound::exact : Bound::at_most, options_.limits);
  }
  const double each = bytes_per_module(*program_, with_births_);
  const double bytes =
      each * (prediction.length + static_cast<double>(string.kinds.size())) +
      8.0 * (prediction.parameters + static_cast<double>(string.parameters.size()));
  if (bytes > static_cast<double>(options_.limits.memory_bytes)) {
    return diagnostic_in(program_->source, program_->axiom_place,
                         fmt::format("step {} would need {:.3g} bytes; the limit is {}", step,
                                     bytes, options_.limits.memory_bytes),
                         "use fewer steps, or raise the limit of memory");
  }
  return std::nullopt;
}

std::optional<Diagnostic> Derivation::bad_length(double steps) const {
  const auto refuse = [this](std::string message, std::string hint) {
    if (options_.steps) return error(std::move(message), std::move(hint));
    return diagnostic_in(program_->source, program_->steps_place, std::move(message),
                         std::move(hint));
  };
  if (!(steps >= 0) || steps > static_cast<double>(options_.limits.steps)) {
    return refuse(
        fmt::format("the derivation length is {}; it may be 0 to {}", steps, options_.limits.steps),
        "");
  }
  if (steps != std::floor(steps) && !program_->uses_time) {
    return refuse(fmt::format("the derivation length {} is not whole", steps),
                  "a part of a step has a meaning only where rules use dt or modules 'lives'");
  }
  return std::nullopt;
}

// Brackets stay balanced when the axiom and every successor are.
bool Derivation::balanced_by_construction() const {
  const Program& p = *program_;
  if (lone_bracket(p, p.axiom)) return false;
  for (const LSystem& system : p.systems) {
    for (const RuleTable* table : {&system.productions, &system.decomposition}) {
      for (const Rule& rule : table->rules) {
        if (lone_bracket(p, rule.successor)) return false;
        for (const Kind kind : rule.strict) {
          if (is_bracket(p, kind)) return false;
        }
      }
    }
  }
  return true;
}

// The first bracket of the text that has no partner in its own successor.
Place Derivation::place_of_lone_bracket() const {
  const Program& p = *program_;
  if (const auto lone = lone_bracket(p, p.axiom)) return p.axiom.places[*lone];
  for (const LSystem& system : p.systems) {
    for (const RuleTable* table : {&system.productions, &system.decomposition}) {
      for (const Rule& rule : table->rules) {
        if (const auto lone = lone_bracket(p, rule.successor)) return rule.successor.places[*lone];
      }
    }
  }
  return p.axiom_place;
}

std::optional<Diagnostic> Derivation::unbalanced(const ModuleString& string) const {
  if (balanced_by_construction()) return std::nullopt;
  const Program& p = *program_;
  std::vector<std::size_t> open;
  std::size_t at = 0;
  bool closes = false;
  for (std::size_t i = 0; i < string.kinds.size() && !closes; ++i) {
    if (string.kinds[i] == p.open_bracket) open.push_back(i);
    if (string.kinds[i] != p.close_bracket) continue;
    closes = open.empty();
    at = i;
    if (!closes) open.pop_back();
  }
  if (!closes && open.empty()) return std::nullopt;
  if (!closes) at = open.back();
  return diagnostic_in(
      p.source, place_of_lone_bracket(),
      fmt::format("the string after step {} has a '{}' without its partner, module {}",
                  string.steps, closes ? ']' : '[', at),
      "check the brackets of the axiom and of every successor");
}

Result<ModuleString> Derivation::run(const Watch& watch) {
  const Program& p = *program_;
  const double steps = options_.steps.value_or(p.steps.value_or(0.0));
  if (auto refused = bad_length(steps)) return *refused;
  ModuleString now, next;
  now.program = next.program = program_;
  rewriter_.machine.random_key = mix_bits(seed_, 0x6178696f6d);
  execute(rewriter_.machine, p.systems[0].start, frame_);
  rewriter_.write_axiom(now);
  if (!with_births_) now.births = {};
  if (rewriter_.failed()) return rewriter_.diagnostic();
  std::optional<Diagnostic> refused = predict_all(now, steps);
  if (refused || !ask_turtle(now, refused)) return *refused;
  if (watch) watch(now, {});

  for (double done = 0; done < steps; ++done) {
    set_clock(done, std::min(1.0, steps - done));
    if (goes_deep(now, steps - done, watch)) {
      derive_deep(now, steps, next);
      if (rewriter_.failed()) return rewriter_.diagnostic();
      set_clock(steps - 1, 1);
      std::swap(now, next);
      shares_.clear();
      break;
    }
    Prediction prediction;
    if ((refused = predict_step(now, done + 1, prediction))) return *refused;
    if (!watch && is_finished(prediction)) {
      set_clock(std::ceil(steps) - 1, steps - std::ceil(steps) + 1);
      break;
    }
    // A string that grows little by little over very many steps is work, too.
    rewriter_.machine.work_left -=
        static_cast<std::int64_t>(now.kinds.size()) * (deterministic_ ? 1 : work_of_trial);
    if (rewriter_.machine.work_left < 0) {
      return error(
          fmt::format("step {} of the derivation needs more work than its limit allows", done + 1),
          "derive fewer steps, or raise the limit");
    }
    execute(rewriter_.machine, p.systems[0].start_each, frame_);
    if (!rewriter_.failed()) step(now, next, static_cast<Index>(done) + 1, prediction);
    execute(rewriter_.machine, p.systems[0].end_each, frame_);
    if (rewriter_.failed()) return rewriter_.diagnostic();
    multiply_shares();
    next.steps = std::min(steps, done + 1);
    if (!ask_turtle(next, refused)) return *refused;
    std::swap(now, next);
    if (watch) watch(now, parents_);
  }
  execute(rewriter_.machine, p.systems[0].end, frame_);
  if (rewriter_.failed()) return rewriter_.diagnostic();
  // Articulated bodies have more to say about brackets, and say it all at once.
  if (!p.articulated && (refused = unbalanced(now))) return *refused;
  now.steps = steps;
  now.globals = rewriter_.globals;
  if (!shares_.empty()) {
    now.kind_counts.resize(256);
    for (const Counts& share : shares_) {
      for (std::size_t k = 0; k < 256; ++k) now.kind_counts[k] += share[k];
    }
  }
  return now;
}

// Nothing in the string can change any more.
bool Derivation::is_finished(const Prediction& prediction) const {
  const Program& p = *program_;
  if (p.uses_time || p.systems.size() > 1 || has_decomposition_ || p.asks_turtle || recording_ ||
      !p.systems[0].start_each.empty() || !p.systems[0].end_each.empty()) {
    return false;
  }
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    const bool acts = !passive_[k] || static_cast<int>(k) == p.cut;
    if (acts && prediction.counts[k] > 0) return false;
  }
  return true;
}

void Derivation::set_clock(double done, double part) {
  const Program& p = *program_;
  const double whole = p.time_step.value_or(1.0);
  dt_ = part * whole;
  rewriter_.globals[static_cast<std::size_t>(p.dt_global)] = dt_;
  rewriter_.globals[static_cast<std::size_t>(p.time_global)] = done * whole + dt_;
  rewriter_.globals[static_cast<std::size_t>(p.step_global)] = done + 1;
}

// Fills the parameters of ?P ?H ?L ?U and ?E from the drawing of the string.
bool Derivation::ask_turtle(ModuleString& string, std::optional<Diagnostic>& refused) {
  if (!program_->asks_turtle) return true;
  rewriter_.machine.work_left -=
      work_of_drawing + work_of_drawn_module * static_cast<std::int64_t>(string.kinds.size());
  if (rewriter_.machine.work_left < 0) {
    refused = diagnostic_in(program_->source, program_->axiom_place,
                            fmt::format("drawing the string after step {} for '?P ?H ?L ?U ?E' "
                                        "needs more work than its limit allows",
                                        string.steps),
                            "derive fewer steps, or raise the limit of work");
    return false;
  }
  string.globals = rewriter_.globals;
  refused = Turtle(string, options_).answer(string);
  string.globals.clear();
  return !refused;
}

}  // namespace thigmo
