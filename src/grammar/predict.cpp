#include "grammar/predict.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grammar/rules.h"

namespace thigmo {

namespace {

using Amounts = std::vector<double>;  // of each kind

// Sums of positive numbers beyond this are all the same to us, and must not become infinite.
constexpr double enough = 1e300;

// Multiplications that a forecast may take: one or two milliseconds.
constexpr double effort_limit = 1e6;

bool constant_positive(const Program& program, Code code) {
  if (code.end - code.begin != 1) return false;
  const Op& op = program.ops[static_cast<std::size_t>(code.begin)];
  return op.code == OpCode::constant && op.value > 0;
}

// The outcomes of one kind under one table, as the least of them.
class Least {
 public:
  void include(const std::vector<Kind>& kinds) {
    std::array<int, 256> counts{};
    for (const Kind k : kinds) ++counts[k];
    for (std::size_t i = 0; i < 256; ++i) {
      least_[i] = first_ ? counts[i] : std::min(least_[i], counts[i]);
    }
    first_ = false;
  }
  std::vector<std::pair<Kind, double>> result() const {
    std::vector<std::pair<Kind, double>> out;
    for (std::size_t i = 0; i < 256; ++i) {
      if (least_[i] > 0) out.push_back({static_cast<Kind>(i), least_[i]});
    }
    return out;
  }

 private:
  std::array<int, 256> least_{};
  bool first_ = true;
};

const RuleTable& table_of(const LSystem& system, RuleSet set) {
  return set == RuleSet::production      ? system.productions
         : set == RuleSet::decomposition ? system.decomposition
                                         : system.homomorphism;
}

void include_outcomes(const Program& p, const RuleTable& table, Kind kind, Least& least) {
  std::vector<const Rule*> rules;
  bool certain = false;
  for (const std::int32_t r : table.by_kind[kind]) {
    const Rule& rule = table.rules[static_cast<std::size_t>(r)];
    rules.push_back(&rule);
    certain = rule.always_applies() && rule.group == 0;
    if (certain) break;  // nothing behind it is ever tried
  }
  // Without contexts and conditions one of the weighted rules applies for certain.
  certain =
      certain || (!rules.empty() && std::all_of(rules.begin(), rules.end(), [&](const Rule* r) {
        return r->weight && r->condition.empty() && !r->has_context() && r->group == 0 &&
               constant_positive(p, *r->weight);
      }));
  // A timed module may not have come to its end.
  if (!certain || p.kinds[kind].lifetime >= 0) least.include({kind});
  for (const Rule* rule : rules) least.include(rule->successor.kinds);
}

double sum(const Amounts& amounts) {
  double all = 0;
  for (const double amount : amounts) all += amount;
  return all;
}

// One application of the rules.
Amounts applied(const Fewest& fewest, const Amounts& amounts, double& effort) {
  Amounts after(amounts.size());
  for (std::size_t k = 0; k < amounts.size(); ++k) {
    if (amounts[k] == 0) continue;
    for (const auto& [kind, times] : fewest[k]) {
      after[kind] = std::min(enough, after[kind] + amounts[k] * times);
    }
    effort += 1.0 + static_cast<double>(fewest[k].size());
  }
  effort += static_cast<double>(amounts.size());
  return after;
}

struct Depth {
  double levels = enough;
  bool must_end = false;  // what is not finished then is an error of its own, found when it happens
};

// The same to the depth of the expansion, until nothing changes.
Amounts expanded(const Fewest& fewest, const Amounts& start, Depth depth, double& effort) {
  Amounts amounts = start;
  for (double d = 0; d < depth.levels && effort < effort_limit; ++d) {
    Amounts after = applied(fewest, amounts, effort);
    if (after == amounts) return amounts;
    amounts = std::move(after);
  }
  return depth.must_end ? start : amounts;
}

Depth depth_of(const Program& p, RuleSet set, const Limits& limits) {
  Depth depth;
  for (const LSystem& system : p.systems) {
    const RuleTable& table = table_of(system, set);
    depth.levels = std::min<double>(depth.levels, table.maximum_depth.value_or(limits.recursion));
    depth.must_end = depth.must_end || !table.maximum_depth;
  }
  return depth;
}

// How many modules there always are that rules must be tried on: those of kinds of which every
// outcome has again such a kind.
double always_tried(const Program& p, const ModuleString& axiom) {
  KindSet lasting;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    for (const LSystem& system : p.systems) {
      if (!system.productions.by_kind[k].empty()) lasting[k] = true;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const LSystem& system : p.systems) {
      for (const RuleTable* table : {&system.productions, &system.decomposition}) {
        for (const Rule& rule : table->rules) {
          const auto& kinds = rule.successor.kinds;
          const bool lasts = std::any_of(kinds.begin(), kinds.end(),
                                         [&](const Kind kind) { return lasting[kind]; });
          for (const Kind kind : rule.strict) {
            if (!lasting[kind] || (lasts && rule.strict.size() == 1)) continue;
            lasting[kind] = false;
            changed = true;
          }
        }
      }
    }
  }
  return static_cast<double>(std::count_if(axiom.kinds.begin(), axiom.kinds.end(),
                                           [&](const Kind kind) { return lasting[kind]; }));
}

bool has_rules(const Program& p, RuleSet set) {
  return std::any_of(p.systems.begin(), p.systems.end(),
                     [set](const LSystem& s) { return !table_of(s, set).rules.empty(); });
}

bool every_kind_has_one_successor(const Program& p) {
  if (p.multi_module || p.uses_time || p.uses_groups || p.systems.size() > 1 ||
      has_rules(p, RuleSet::decomposition)) {
    return false;
  }
  const RuleTable& table = p.systems[0].productions;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    for (const std::int32_t r : table.by_kind[k]) {
      if (table.rules[static_cast<std::size_t>(r)].always_applies()) break;
      return false;
    }
  }
  return true;
}

// Long after the steps that can be looked at one by one: powers of the matrix of one step, for
// models of few kinds. `amounts` is what stands after `done` steps.
std::optional<Forecast> forecast_far(const Fewest& fewest, Amounts amounts, double done,
                                     double steps, double limit, bool exact) {
  const std::size_t n = amounts.size();
  constexpr std::size_t most_kinds = 48;  // 20 products of such matrices take two milliseconds
  if (n > most_kinds) return std::nullopt;
  using Matrix = std::vector<Amounts>;
  std::vector<Matrix> powers(1, Matrix(n, Amounts(n)));
  for (std::size_t k = 0; k < n; ++k) {
    for (const auto& [kind, times] : fewest[k]) powers[0][k][kind] = times;
  }
  const auto times_matrix = [n](const Amounts& row, const Matrix& matrix) {
    Amounts out(n);
    for (std::size_t k = 0; k < n; ++k) {
      if (row[k] == 0) continue;
      for (std::size_t j = 0; j < n; ++j) out[j] = std::min(enough, out[j] + row[k] * matrix[k][j]);
    }
    return out;
  };
  const double left = steps - done;
  while (std::ldexp(1.0, static_cast<int>(powers.size())) <= left) {
    const Matrix& last = powers.back();
    Matrix next(n);
    for (std::size_t k = 0; k < n; ++k) next[k] = times_matrix(last[k], last);
    powers.push_back(std::move(next));
  }
  // As many steps as the limit allows, from the largest power down.
  double taken = 0;
  for (std::size_t i = powers.size(); i-- > 0;) {
    const double size = std::ldexp(1.0, static_cast<int>(i));
    if (taken + size > left) continue;
    Amounts after = times_matrix(amounts, powers[i]);
    if (sum(after) > limit) continue;
    amounts = std::move(after);
    taken += size;
  }
  if (taken >= left) return std::nullopt;
  const double length = sum(times_matrix(amounts, powers[0]));
  if (!(length > limit)) return std::nullopt;
  return Forecast{.step = done + taken + 1, .amount = length, .exact = exact};
}

}  // namespace

Fewest fewest_successors(const Program& p, RuleSet set) {
  Fewest fewest(p.kinds.size());
  KindSet taken_together;  // by rules for several modules, which may take any of them away
  for (const LSystem& system : p.systems) {
    for (const Rule& rule : table_of(system, set).rules) {
      if (rule.strict.size() < 2) continue;
      for (const Kind kind : rule.strict) taken_together[kind] = true;
    }
  }
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    if (taken_together[k]) continue;
    Least least;
    for (const LSystem& system : p.systems) {
      include_outcomes(p, table_of(system, set), static_cast<Kind>(k), least);
    }
    fewest[k] = least.result();
  }
  return fewest;
}

std::optional<Forecast> forecast_by_kinds(const Program& p, const ModuleString& axiom, double steps,
                                          const Limits& limits, bool steps_copy) {
  if (p.cut != 256) return std::nullopt;
  const Fewest step = fewest_successors(p, RuleSet::production);
  const bool decomposes = has_rules(p, RuleSet::decomposition);
  const Fewest decomposition = fewest_successors(p, RuleSet::decomposition);
  const Depth depth = depth_of(p, RuleSet::decomposition, limits);
  const bool exact = every_kind_has_one_successor(p);
  Amounts amounts(p.kinds.size());
  for (const Kind kind : axiom.kinds) ++amounts[kind];
  const auto limit = static_cast<double>(limits.symbols);
  const double tried = always_tried(p, axiom) * steps;
  if (steps_copy && tried * work_of_trial > static_cast<double>(limits.work)) {
    return Forecast{.what = Forecast::What::work, .step = steps, .amount = tried};
  }
  double effort = 0, drawn = 0;
  if (p.asks_turtle && steps * work_of_drawing > static_cast<double>(limits.work)) {
    return Forecast{.what = Forecast::What::drawing, .step = steps, .amount = steps};
  }
  for (double done = 0; done < steps; ++done) {
    if (effort > effort_limit) {
      if (decomposes) return std::nullopt;
      return forecast_far(step, std::move(amounts), done, steps, limit, exact);
    }
    Amounts after = applied(step, amounts, effort);
    if (decomposes) after = expanded(decomposition, after, depth, effort);
    const double length = sum(after);
    if (length > limit) return Forecast{.step = done + 1, .amount = length, .exact = exact};
    if (p.asks_turtle) {
      drawn += length;
      const double work = drawn * work_of_drawn_module + (done + 1) * work_of_drawing;
      if (work > static_cast<double>(limits.work)) {
        return Forecast{.what = Forecast::What::drawing, .step = done + 1, .amount = drawn};
      }
    } else if (after == amounts) {
      break;
    }
    amounts = std::move(after);
  }
  return std::nullopt;
}

double fewest_drawn(const ModuleString& string, const Limits& limits) {
  const Program& p = *string.program;
  const auto size = static_cast<double>(string.kinds.size());
  if (!has_rules(p, RuleSet::homomorphism)) return size;
  const auto counts = count_kinds(string.kinds.data(), string.kinds.size());
  Amounts amounts(p.kinds.size());
  for (std::size_t k = 0; k < amounts.size(); ++k) amounts[k] = static_cast<double>(counts[k]);
  double effort = 0;
  return sum(expanded(fewest_successors(p, RuleSet::homomorphism), amounts,
                      depth_of(p, RuleSet::homomorphism, limits), effort));
}

}  // namespace thigmo
