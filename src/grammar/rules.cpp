#include "grammar/rules.h"

namespace thigmo {

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

Place place_of_module(const ModuleString& string, std::size_t module) {
  const Program& program = *string.program;
  if (module < string.births.size()) {
    const Rule* rule = rule_with_number(program, string.births[module].rule);
    if (rule != nullptr) return rule->place;
  }
  // Without steps the string is the axiom.
  const bool is_axiom = string.kinds.size() == program.axiom_places.size() && string.steps == 0;
  return is_axiom && module < program.axiom_places.size() ? program.axiom_places[module]
                                                          : program.axiom_place;
}

Origin origin_of_module(const ModuleString& string, std::size_t module) {
  const Birth birth = module < string.births.size() ? string.births[module] : Birth{};
  return {.module = static_cast<Index>(module),
          .rule = birth.rule,
          .step = birth.step,
          .symbol = string.program->kinds[string.kinds[module]].name[0]};
}

}  // namespace thigmo
