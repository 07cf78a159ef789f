#include "grammar/derive/forecast.h"

#include <algorithm>
#include <cmath>

namespace thigmo {

namespace {

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

bool every_kind_has_one_successor(const Program& p) {
  if (p.multi_module || p.uses_time || p.uses_groups || p.systems.size() > 1 ||
      has_rules(p, RuleSet::decomposition)) {
    return false;
  }
  const RuleTable& table = p.systems[0].productions;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    for (const std::int32_t r : table.by_kind[k]) {
      if (at(table.rules, r).always_applies()) break;
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

}  // namespace thigmo
