#include "grammar/rewrite/fewest.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/index.h"

namespace thigmo {

namespace {

bool constant_positive(const Program& program, Code code) {
  if (code.end - code.begin != 1) return false;
  const Op& op = at(program.ops, code.begin);
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

void include_outcomes(const Program& p, const RuleTable& table, Kind kind, Least& least) {
  std::vector<const Rule*> rules;
  bool certain = false;
  for (const std::int32_t r : table.by_kind[kind]) {
    const Rule& rule = at(table.rules, r);
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

}  // namespace

double sum(const Amounts& amounts) {
  double all = 0;
  for (const double amount : amounts) all += amount;
  return all;
}

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

bool has_rules(const Program& p, RuleSet set) {
  return std::any_of(p.systems.begin(), p.systems.end(),
                     [set](const LSystem& s) { return !table_of(s, set).rules.empty(); });
}

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
