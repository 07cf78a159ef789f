#include "grammar/rules/program.h"

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

std::optional<std::size_t> lone_bracket(const Program& program, std::span<const Kind> kinds) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == program.open_bracket) open.push_back(i);
    if (kinds[i] != program.close_bracket) continue;
    if (open.empty()) return i;
    open.pop_back();
  }
  if (open.empty()) return std::nullopt;
  return open.back();
}

Result<Done> check_shape(const StemShape& shape) {
  if (!(shape.flatness >= 0.01 && shape.flatness <= 100)) {
    return error("a section is 0.01 to 100 times as high as it is wide");
  }
  if (!(shape.hollow <= 0.99)) return error("a stem is hollow to at most 0.99 of its radius");
  return Done{};
}

}  // namespace thigmo
