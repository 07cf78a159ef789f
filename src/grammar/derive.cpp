#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "grammar/derivation.h"
#include "grammar/expander.h"

namespace thigmo {

namespace {

std::array<double, 256> count_kinds(const ModuleString& string) {
  // Four counters, so that equal neighbours do not wait for each other.
  std::array<std::array<std::int64_t, 256>, 4> counts{};
  const std::size_t n = string.kinds.size();
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t j = 0; j < 4; ++j) ++counts[j][string.kinds[i + j]];
  }
  for (; i < n; ++i) ++counts[0][string.kinds[i]];
  std::array<double, 256> sums{};
  for (std::size_t k = 0; k < 256; ++k) {
    sums[k] = static_cast<double>(counts[0][k] + counts[1][k] + counts[2][k] + counts[3][k]);
  }
  return sums;
}

double bytes_per_module(const Program& program, bool with_births) {
  return 1.0 + (program.uses_random ? 8.0 : 0.0) + (with_births ? sizeof(Birth) : 0.0) +
         (program.uses_context ? 16.0 : 0.0);
}

}  // namespace

Derivation::Derivation(std::shared_ptr<const Program> program, const GrowOptions& options,
                       bool with_births)
    : program_(std::move(program)),
      options_(options),
      with_births_(with_births),
      seed_(options.seed.value_or(static_cast<std::uint64_t>(program_->seed.value_or(0.0)))),
      rewriter_(*program_, options_.limits) {
  find_outcomes();
}

// What one module of each kind can become in a step: the range of its counts.
void Derivation::find_outcomes() {
  const Program& p = *program_;
  deterministic_ = !p.uses_time && p.cut == 256 && p.systems.size() == 1 && !p.multi_module &&
                   !p.systems[0].decomposition.present && !p.uses_groups && !p.ring;
  countable_ = !p.multi_module && p.cut == 256 && !p.uses_time && !p.uses_groups &&
               p.systems.size() == 1 && !p.systems[0].decomposition.present;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    std::vector<const Rule*> rules;
    bool must = false;
    for (const LSystem& system : p.systems) {
      for (const std::int32_t r : system.productions.by_kind[k]) {
        const Rule& rule = system.productions.rules[static_cast<std::size_t>(r)];
        const bool always = rule.condition.empty() && !rule.has_context() && !rule.weight;
        rules.push_back(&rule);
        if (always) {
          must = true;
          break;
        }
        deterministic_ = false;
      }
    }
    Outcome& outcome = outcomes_[k];
    double longest = must ? 0 : 1, most_parameters = must ? 0 : p.kinds[k].arity;
    for (const Rule* rule : rules) {
      longest = std::max(longest, static_cast<double>(rule->successor.kinds.size()));
      most_parameters =
          std::max(most_parameters, static_cast<double>(rule->successor.parameters.size()));
    }
    outcome.longest = longest;
    outcome.most_parameters = most_parameters;
    if (must && rules.size() == 1) outcome.only = rules[0];
    // Without contexts and conditions one of the weighted rules applies for certain.
    const bool certain =
        !rules.empty() && (must || std::all_of(rules.begin(), rules.end(), [&](const Rule* r) {
                             return r->weight && r->condition.empty() && !r->has_context() &&
                                    r->group == 0 && constant_positive(*r->weight);
                           }));
    // Fewest modules of each kind that must come out.
    if (!countable_) continue;
    std::array<int, 256> fewest{};
    bool first = true;
    const auto include = [&](const std::array<int, 256>& counts) {
      for (std::size_t i = 0; i < 256; ++i) {
        fewest[i] = first ? counts[i] : std::min(fewest[i], counts[i]);
      }
      first = false;
    };
    if (!certain) {
      std::array<int, 256> self{};
      self[k] = 1;
      include(self);
    }
    for (const Rule* rule : rules) {
      std::array<int, 256> counts{};
      for (const Kind kind : rule->successor.kinds) ++counts[kind];
      include(counts);
    }
    for (std::size_t i = 0; i < 256; ++i) {
      if (fewest[i] > 0) outcome.fewest.push_back({static_cast<Kind>(i), fewest[i]});
    }
  }
}

bool Derivation::constant_positive(Code code) const {
  if (code.end - code.begin != 1) return false;
  const Op& op = program_->ops[static_cast<std::size_t>(code.begin)];
  return op.code == OpCode::constant && op.value > 0;
}

Diagnostic Derivation::too_long(double length, double step, bool exact) const {
  return diagnostic_in(
      program_->source, program_->axiom_place,
      fmt::format("after step {} the string would have {}{:.4g} modules; the limit is {}", step,
                  exact ? "" : "up to ", length, options_.limits.symbols),
      "use fewer steps, or raise the limit of symbols");
}

// Refuses, before anything is derived, what must become too long: counts of kinds multiply.
std::optional<Diagnostic> Derivation::predict_all(const ModuleString& axiom, double steps) const {
  std::array<double, 256> counts = count_kinds(axiom);
  const std::size_t kinds = program_->kinds.size();
  if (!countable_) return std::nullopt;
  double length = static_cast<double>(axiom.kinds.size());
  for (double step = 1; step <= steps; ++step) {
    std::array<double, 256> next{};
    for (std::size_t k = 0; k < kinds; ++k) {
      if (counts[k] == 0) continue;
      for (const auto& [kind, times] : outcomes_[k].fewest) next[kind] += counts[k] * times;
    }
    double sum = 0;
    for (std::size_t k = 0; k < kinds; ++k) sum += next[k];
    if (sum > static_cast<double>(options_.limits.symbols)) {
      return too_long(sum, step, deterministic_);
    }
    if (next == counts) break;  // nothing more will change
    if (sum == length && step > 2000) break;
    length = sum;
    counts = next;
  }
  return std::nullopt;
}

// Refuses a step whose result may break a limit.
std::optional<Diagnostic> Derivation::predict_step(const ModuleString& string, double step,
                                                   Prediction& prediction) const {
  prediction.counts = count_kinds(string);
  prediction.length = prediction.parameters = 0;
  for (std::size_t k = 0; k < program_->kinds.size(); ++k) {
    prediction.length += prediction.counts[k] * outcomes_[k].longest;
    prediction.parameters += prediction.counts[k] * outcomes_[k].most_parameters;
  }
  if (prediction.length > static_cast<double>(options_.limits.symbols)) {
    return too_long(prediction.length, step, deterministic_);
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

Result<ModuleString> Derivation::run(std::vector<std::int64_t>* lengths) {
  const Program& p = *program_;
  const double steps = options_.steps.value_or(p.steps.value_or(0.0));
  if (!(steps >= 0) || steps > static_cast<double>(options_.limits.steps)) {
    return diagnostic_in(p.source, p.axiom_place,
                         fmt::format("the derivation length is {}; it may be 0 to {}", steps,
                                     options_.limits.steps));
  }
  ModuleString now, next;
  now.program = next.program = program_;
  rewriter_.machine.random_key = mix_bits(seed_, 0x6178696f6d);
  ::thigmo::run(rewriter_.machine, p.systems[0].start, frame_);
  rewriter_.write_axiom(now);
  if (!with_births_) now.births = {};
  if (rewriter_.failed()) return rewriter_.diagnostic();
  if (lengths) lengths->push_back(plain_length(now));
  if (auto refused = predict_all(now, steps)) return *refused;

  for (double done = 0; done < steps; ++done) {
    const double dt = std::min(1.0, steps - done);
    set_clock(done, dt);
    Prediction prediction;
    if (auto refused = predict_step(now, done + 1, prediction)) return *refused;
    ::thigmo::run(rewriter_.machine, p.systems[0].start_each, frame_);
    next.kinds.clear();
    next.parameters.clear();
    next.identities.clear();
    next.births.clear();
    step(now, next, static_cast<Index>(done) + 1, prediction);
    ::thigmo::run(rewriter_.machine, p.systems[0].end_each, frame_);
    if (rewriter_.failed()) return rewriter_.diagnostic();
    std::swap(now, next);
    if (lengths) lengths->push_back(plain_length(now));
  }
  ::thigmo::run(rewriter_.machine, p.systems[0].end, frame_);
  if (rewriter_.failed()) return rewriter_.diagnostic();
  now.steps = steps;
  now.globals = rewriter_.globals;
  return now;
}

void Derivation::set_clock(double done, double dt) {
  const Program& p = *program_;
  rewriter_.globals[static_cast<std::size_t>(p.dt_global)] = dt;
  rewriter_.globals[static_cast<std::size_t>(p.time_global)] = done + dt;
  rewriter_.globals[static_cast<std::size_t>(p.step_global)] = done + 1;
}

void Derivation::step(const ModuleString& now, ModuleString& next, Index number,
                      const Prediction& prediction) {
  const Program& p = *program_;
  const bool plain = deterministic_ && prediction.parameters == 0 && now.parameters.empty() &&
                     !p.uses_random && !with_births_ && !p.writes_globals;
  if (plain) {
    step_plain(now, next, prediction);
  } else {
    step_general(now, next, number);
  }
}

// Every module has one fixed successor without parameters: copy bytes.
void Derivation::step_plain(const ModuleString& now, ModuleString& next,
                            const Prediction& prediction) {
  constexpr std::size_t chunk =
      32;  // a successor is copied as a whole chunk, then the next over it
  struct Entry {
    const Kind* bytes;
    std::size_t length;
  };
  std::array<Entry, 256> entries{};
  std::vector<Kind> store;
  store.reserve(256 * chunk);
  for (std::size_t k = 0; k < program_->kinds.size(); ++k) {
    const Rule* rule = outcomes_[k].only;
    if (rule != nullptr && rule->successor.kinds.size() > chunk) {
      entries[k] = {rule->successor.kinds.data(), rule->successor.kinds.size()};
      continue;
    }
    const std::size_t start = store.size();
    if (rule == nullptr) {
      store.push_back(static_cast<Kind>(k));
    } else {
      store.insert(store.end(), rule->successor.kinds.begin(), rule->successor.kinds.end());
    }
    entries[k] = {store.data() + start, store.size() - start};
    store.resize(start + chunk);
  }
  next.kinds.reserve(static_cast<std::size_t>(prediction.length) + chunk);
  Kind* out = next.kinds.data();
  for (const Kind kind : now.kinds) {
    const Entry entry = entries[kind];
    if (entry.length <= chunk) {
      std::memcpy(out, entry.bytes, chunk);
    } else {
      std::memcpy(out, entry.bytes, entry.length);
    }
    out += entry.length;
  }
  next.kinds.resize(static_cast<std::size_t>(out - next.kinds.data()));
}

void Derivation::step_general(const ModuleString& now, ModuleString& next, Index number) {
  const Program& p = *program_;
  StringView view{
      .kinds = now.kinds.data(), .parameters = now.parameters.data(), .size = now.kinds.size()};
  if (p.uses_context) {
    tables_.fill(p, now);
    view.partner = tables_.partner.data();
    view.parameter_at = tables_.parameter_at.data();
  }
  const std::uint64_t step_seed = mix_bits(seed_, static_cast<std::uint64_t>(number));
  const std::int32_t group =
      p.uses_groups
          ? static_cast<std::int32_t>(rewriter_.globals[static_cast<std::size_t>(p.group_global)])
          : 0;
  const Index birth_step = with_births_ ? number : no_index;
  std::array<std::uint8_t, 256> passive{};  // nothing can happen to these kinds
  std::array<std::size_t, 256> arity{};
  std::vector<std::size_t> systems{0};
  const auto find_passive = [&] {
    const RuleTable& table = p.systems[systems.back()].productions;
    for (std::size_t k = 0; k < p.kinds.size(); ++k) {
      arity[k] = static_cast<std::size_t>(p.kinds[k].arity);
      passive[k] = table.by_kind[k].empty() && static_cast<int>(k) != p.cut &&
                   static_cast<int>(k) != p.sub_open && static_cast<int>(k) != p.sub_close;
    }
  };
  find_passive();

  const std::size_t n = now.kinds.size();
  std::size_t parameter = 0;
  for (std::size_t i = 0; i < n;) {
    std::size_t run_end = i, run_parameter = parameter;
    while (run_end < n && passive[now.kinds[run_end]]) run_parameter += arity[now.kinds[run_end++]];
    if (run_end > i) {
      rewriter_.copy(now, i, run_end - i, parameter, run_parameter - parameter, next);
      i = run_end;
      parameter = run_parameter;
      continue;
    }
    const Kind kind = now.kinds[i];
    if (kind == p.cut) {  // to the end of its branch, itself included
      for (int depth = 0; i < n; ++i) {
        if (now.kinds[i] == p.open_bracket) ++depth;
        if (now.kinds[i] == p.close_bracket && --depth < 0) break;
        parameter += arity[now.kinds[i]];
      }
      continue;
    }
    if (kind == p.sub_open || kind == p.sub_close) {
      rewriter_.copy(now, i, 1, parameter, arity[kind], next);
      enter_or_leave(kind, now.parameters.data() + parameter, systems);
      if (rewriter_.failed()) return;
      find_passive();
      parameter += arity[kind];
      ++i;
      continue;
    }
    const std::uint64_t identity = p.uses_random ? now.identities[i] : 0;
    const Subject subject{.kind = kind,
                          .parameters = now.parameters.data() + parameter,
                          .index = i,
                          .random_key = p.uses_random ? mix_bits(step_seed, identity) : 0};
    const Rule* rule =
        rewriter_.choose(p.systems[systems.back()].productions, subject, view, &next, group);
    if (rule == nullptr) {
      if (rewriter_.failed()) return;
      rewriter_.copy(now, i, 1, parameter, arity[kind], next);
      parameter += arity[kind];
      ++i;
      continue;
    }
    rewriter_.write(*rule, identity, birth_step, next);
    if (rewriter_.failed()) return;
    parameter += static_cast<std::size_t>(rule->strict_parameters);
    i += rule->strict.size();
  }
}

void Derivation::enter_or_leave(Kind kind, const double* parameters,
                                std::vector<std::size_t>& systems) {
  const Program& p = *program_;
  if (kind == p.sub_close) {
    if (systems.size() > 1) systems.pop_back();
    return;
  }
  for (std::size_t s = 0; s < p.systems.size(); ++s) {
    if (static_cast<double>(p.systems[s].label) == parameters[0]) {
      systems.push_back(s);
      return;
    }
  }
  rewriter_.machine.error = fmt::format("there is no L-system with label {}", parameters[0]);
  rewriter_.machine.error_place = p.axiom_place;
}

}  // namespace thigmo
