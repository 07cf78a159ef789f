#include "grammar/derive/brackets.h"

#include <fmt/format.h>

#include <vector>

namespace thigmo {

namespace {

// Brackets stay balanced when the axiom and every successor are.
bool balanced_by_construction(const Program& p) {
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
SourcePosition place_of_lone_bracket(const Program& p) {
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

}  // namespace

Result<Done> check_brackets(const ModuleString& string) {
  const Program& p = *string.program;
  if (balanced_by_construction(p)) return Done{};
  const std::optional<std::size_t> lone =
      lone_bracket(p, std::span<const Kind>(string.kinds.data(), string.kinds.size()));
  if (!lone) return Done{};
  return diagnostic_in(
      p.source, place_of_lone_bracket(p),
      fmt::format("the string after step {} has a '{}' without its partner, module {}",
                  string.steps, string.kinds[*lone] == p.close_bracket ? ']' : '[', *lone),
      "check the brackets of the axiom and of every successor");
}

}  // namespace thigmo
