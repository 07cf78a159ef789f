#pragma once

#include <fmt/format.h>

#include <vector>

#include "base/random.h"
#include "grammar/predict.h"
#include "grammar/rewriter.h"

namespace thigmo {

// One module as decomposition or homomorphism leave it.
struct ModuleSeen {
  Kind kind = 0;
  const double* parameters = nullptr;
  std::uint64_t identity = 0;
  Birth birth;
};

// Applies the rules of a decomposition or homomorphism to one module again and again, to the depth
// of the table, without recursion.
class Expander {
 public:
  Expander(const Program& program, const Limits& limits, Rewriter& rewriter)
      : program_(program), limits_(limits), rewriter_(rewriter) {}

  // Calls emit(ModuleSeen) for what the module becomes. `index` is its place in `string`, for the
  // context; `step` is written into the births of new modules.
  template <class Emit>
  void expand(const RuleTable& table, const ModuleSeen& module, std::size_t index,
              const StringView& string, std::uint64_t seed, Index step, std::int32_t group,
              const Emit& emit) {
    if (table.by_kind[module.kind].empty() || table.maximum_depth == 0) {
      emit(module);
      return;
    }
    std::size_t depth = 0;
    ModuleSeen here = module;
    const auto limit = static_cast<std::size_t>(table.maximum_depth.value_or(limits_.recursion));
    while (true) {
      const Rule* rule = nullptr;
      if (!table.by_kind[here.kind].empty() && depth < limit) {
        const Subject subject{.kind = here.kind,
                              .parameters = here.parameters,
                              .index = index,
                              .random_key = mix_bits(seed, here.identity, depth + 1)};
        rule = rewriter_.choose(table, subject, string, nullptr, nullptr, group);
        if (rewriter_.failed()) return;
      }
      rewriter_.machine.work_left -= rule != nullptr ? work_of_event : 1;
      if (rewriter_.machine.work_left < 0) {
        return rewriter_.fail("the model needs more work than its limit allows", table.place);
      }
      if (rule != nullptr) {
        if (depth + 1 == limit && !table.maximum_depth) {
          return rewriter_.fail(fmt::format("the expansion of '{}' goes deeper than {}",
                                            program_.kinds[here.kind].name, limits_.recursion),
                                rule->place);
        }
        if (++depth > levels_.size()) levels_.emplace_back();
        Level& level = levels_[depth - 1];
        level.modules.kinds.clear();
        level.modules.parameters.clear();
        level.modules.identities.clear();
        level.modules.births.clear();
        level.module = level.parameter = 0;
        rewriter_.write(*rule, here.identity, step, level.modules);
        if (rewriter_.failed()) return;
      } else {
        emit(here);
        if (rewriter_.failed()) return;
      }
      while (depth > 0 && levels_[depth - 1].module == levels_[depth - 1].modules.kinds.size()) {
        --depth;
      }
      if (depth == 0) return;
      Level& level = levels_[depth - 1];
      const std::size_t m = level.module++;
      here.kind = level.modules.kinds[m];
      here.parameters = level.modules.parameters.data() + level.parameter;
      here.identity = level.modules.identities.empty() ? 0 : level.modules.identities[m];
      here.birth = level.modules.births.empty() ? Birth{} : level.modules.births[m];
      level.parameter += static_cast<std::size_t>(program_.kinds[here.kind].arity);
    }
  }

 private:
  struct Level {
    ModuleString modules;
    std::size_t module = 0;
    std::size_t parameter = 0;
  };

  const Program& program_;
  const Limits& limits_;
  Rewriter& rewriter_;
  std::vector<Level> levels_;
};

}  // namespace thigmo
