#pragma once

#include <fmt/format.h>

#include <vector>

#include "base/random.h"
#include "grammar/rewrite/rewriter.h"

namespace thigmo {

// How a module is expanded: by which rules, in which surroundings.
struct Expansion {
  const RuleTable& table;
  const Surroundings& around;
  std::uint64_t seed = 0;
  Index birth_step = no_index;  // is written into the births of new modules
};

// Applies the rules of a decomposition or homomorphism to one module again and again, to the depth
// of the table, without recursion.
class Expander {
 public:
  Expander(const Program& program, const Limits& limits, Rewriter& rewriter)
      : program_(program), limits_(limits), rewriter_(rewriter) {}

  // Calls emit(Module), which gives a Result<Done>, for what the module becomes. `index` is its place
  // in the string, for the context.
  template <class Emit>
  Result<Done> expand(const Expansion& expansion, const Module& module, std::size_t index,
                      const Emit& emit) {
    const RuleTable& table = expansion.table;
    if (table.by_kind[module.kind].empty() || table.maximum_depth == 0) return emit(module);
    depth_ = 0;
    Module here = module;
    do {
      const Result<const Rule*> chosen = choose(expansion, here, index);
      if (!chosen) return chosen.diagnostics();
      const Rule* const rule = *chosen;
      if (!rewriter_.take_work(rule != nullptr ? work_of_event : 1)) {
        return out_of_work(program_, table.place);
      }
      const Result<Done> done = rule != nullptr ? go_deeper(expansion, *rule, here) : emit(here);
      if (!done) return done.diagnostics();
    } while (next(here));
    return Done{};
  }

 private:
  // What a rule wrote, and the module of it that comes next.
  struct Level {
    ModuleString modules;
    std::size_t module = 0;
    std::size_t parameter = 0;
  };

  int most_levels(const RuleTable& table) const {
    return table.maximum_depth.value_or(limits_.recursion);
  }

  Result<const Rule*> choose(const Expansion& expansion, const Module& here, std::size_t index) {
    const RuleTable& table = expansion.table;
    if (table.by_kind[here.kind].empty() || depth_ >= most_levels(table)) return nullptr;
    const auto level = static_cast<std::uint64_t>(depth_) + 1;
    const Subject subject{.kind = here.kind,
                          .parameters = here.parameters,
                          .index = index,
                          .random_key = mix_bits(expansion.seed, here.identity, level)};
    return rewriter_.choose(table, subject, expansion.around);
  }

  Result<Done> go_deeper(const Expansion& expansion, const Rule& rule, const Module& here) {
    if (depth_ + 1 == most_levels(expansion.table) && !expansion.table.maximum_depth) {
      return diagnostic_in(program_.source, rule.place,
                           fmt::format("the expansion of '{}' goes deeper than {}",
                                       program_.kinds[here.kind].name, limits_.recursion));
    }
    if (++depth_ > static_cast<int>(levels_.size())) levels_.emplace_back();
    Level& level = at(levels_, depth_ - 1);
    clear(level.modules);
    level.module = level.parameter = 0;
    return rewriter_.write(rule, here.identity, expansion.birth_step, level.modules);
  }

  // The next module that waits; false when none is left.
  bool next(Module& here) {
    while (depth_ > 0 &&
           at(levels_, depth_ - 1).module == at(levels_, depth_ - 1).modules.kinds.size()) {
      --depth_;
    }
    if (depth_ == 0) return false;
    Level& level = at(levels_, depth_ - 1);
    here = module_at(level.modules, level.module++, level.parameter);
    level.parameter += as_size(program_.kinds[here.kind].arity);
    return true;
  }

  const Program& program_;
  const Limits& limits_;
  Rewriter& rewriter_;
  std::vector<Level> levels_;
  int depth_ = 0;  // levels in use
};

}  // namespace thigmo
