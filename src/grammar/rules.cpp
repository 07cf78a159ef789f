#include "grammar/rules.h"

namespace thigmo {

std::array<std::int64_t, 256> count_kinds(const Kind* kinds, std::size_t size) {
  // Four counters, so that equal neighbours do not wait for each other.
  std::array<std::array<std::int64_t, 256>, 4> counts{};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (std::size_t j = 0; j < 4; ++j) ++counts[j][kinds[i + j]];
  }
  for (; i < size; ++i) ++counts[0][kinds[i]];
  for (std::size_t k = 0; k < 256; ++k) counts[0][k] += counts[1][k] + counts[2][k] + counts[3][k];
  return counts[0];
}

const Rule* rule_with_number(const Program& program, Index number) {
  for (const LSystem& system : program.systems) {
    for (const RuleTable* table :
         {&system.productions, &system.decomposition, &system.homomorphism}) {
      for (const Rule& rule : table->rules) {
        if (rule.number == number) return &rule;
      }
    }
  }
  return nullptr;
}

std::optional<std::size_t> lone_bracket(const Program& program, const Successor& successor) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < successor.kinds.size(); ++i) {
    if (successor.kinds[i] == program.open_bracket) open.push_back(i);
    if (successor.kinds[i] != program.close_bracket) continue;
    if (open.empty()) return i;
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return open.back();
}

Place place_of_module(const ModuleString& string, std::size_t module) {
  const Program& program = *string.program;
  if (module < string.births.size()) {
    const Rule* rule = rule_with_number(program, string.births[module].rule);
    if (rule != nullptr) return rule->place;
  }
  // Without steps the string is the axiom.
  const std::vector<Place>& places = program.axiom.places;
  const bool is_axiom = string.kinds.size() == places.size() && string.steps == 0;
  return is_axiom && module < places.size() ? places[module] : program.axiom_place;
}

Origin origin_of_module(const ModuleString& string, std::size_t module) {
  const Birth birth = module < string.births.size() ? string.births[module] : Birth{};
  return {.module = static_cast<Index>(module),
          .rule = birth.rule,
          .step = birth.step,
          .symbol = string.program->kinds[string.kinds[module]].name[0]};
}

}  // namespace thigmo
