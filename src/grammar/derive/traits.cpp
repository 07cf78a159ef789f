#include "grammar/derive/traits.h"

#include <algorithm>

#include "base/index.h"

namespace thigmo {

namespace {

// The rules that may be tried on a kind; none stands behind one that always applies.
struct Candidates {
  std::vector<const Rule*> rules;
  bool one_always_applies = false;
  bool some_may_not = false;  // apply
};

Candidates candidates_for(const Program& p, std::size_t kind) {
  Candidates out;
  for (const LSystem& system : p.systems) {
    for (const std::int32_t r : system.productions.by_kind[kind]) {
      const Rule& rule = at(system.productions.rules, r);
      out.rules.push_back(&rule);
      if (rule.always_applies()) {
        out.one_always_applies = true;
        break;
      }
      out.some_may_not = true;
    }
  }
  return out;
}

Outcome outcome_of(const KindInfo& kind, const Candidates& candidates) {
  const bool must = candidates.one_always_applies;
  Outcome outcome{.longest = must ? 0.0 : 1.0,
                  .most_parameters = must ? 0.0 : static_cast<double>(kind.arity)};
  for (const Rule* rule : candidates.rules) {
    const auto modules = static_cast<double>(rule->successor.kinds.size());
    const auto parameters = static_cast<double>(rule->successor.parameters.size());
    outcome.longest = std::max(outcome.longest, modules);
    outcome.most_parameters = std::max(outcome.most_parameters, parameters);
  }
  if (must && candidates.rules.size() == 1) outcome.only = candidates.rules[0];
  return outcome;
}

void find_outcomes(const Program& p, Traits& traits) {
  traits.deterministic = !p.multi_module && p.cut == 256 && !p.uses_time && !p.uses_groups &&
                         p.sub_open == 256 && p.systems.size() == 1 && !traits.decomposes &&
                         !p.uses_new_context;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    const Candidates candidates = candidates_for(p, k);
    traits.arity[k] = as_size(p.kinds[k].arity);
    traits.outcomes[k] = outcome_of(p.kinds[k], candidates);
    traits.deterministic = traits.deterministic && !candidates.some_may_not;
  }
  if (traits.deterministic) traits.fewest = fewest_successors(p, RuleSet::production);
}

bool reads_clock_or_chance(const Program& p, Code code) {
  for (std::int32_t i = code.begin; i < code.end; ++i) {
    const Op& op = at(p.ops, i);
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

// Modules whose future depends on nothing but themselves can be derived to the end one after the
// other.
void find_independence(const Program& p, Traits& traits) {
  const LSystem& system = p.systems[0];
  traits.independent = !p.multi_module && p.sub_open == 256 && p.cut == 256 && !p.uses_time &&
                       p.systems.size() == 1 && !traits.decomposes && !p.writes_globals &&
                       !p.asks_turtle && system.start_each.empty() && system.end_each.empty();
  for (const Rule& rule : system.productions.rules) {
    traits.independent = traits.independent && !rule.has_context();
  }
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    traits.passive[k] = system.productions.by_kind[k].empty();
    traits.stationary[k] = true;
    for (const std::int32_t r : system.productions.by_kind[k]) {
      const Rule& rule = at(system.productions.rules, r);
      const bool changes = rule.weight || reads_clock_or_chance(p, rule.condition) ||
                           reads_clock_or_chance(p, rule.before);
      traits.stationary[k] = traits.stationary[k] && !changes;
    }
  }
}

}  // namespace

Traits find_traits(const Program& program) {
  Traits traits;
  traits.decomposes = has_rules(program, RuleSet::decomposition);
  find_outcomes(program, traits);
  find_independence(program, traits);
  return traits;
}

}  // namespace thigmo
