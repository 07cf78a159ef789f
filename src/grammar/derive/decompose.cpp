#include "grammar/derive/decompose.h"

#include <fmt/format.h>

#include "grammar/derive/calls.h"

namespace thigmo {

Result<Done> decompose(const Task& task, const Step& step, const ModuleString& in,
                       Expander& expander, Parents& parents, ModuleString& out) {
  const Program& p = *task.program;
  const Surroundings around{.string = {.kinds = in.kinds.data(),
                                       .parameters = in.parameters.data(),
                                       .size = in.kinds.size()}};
  const auto limit = static_cast<std::size_t>(task.options.limits.symbols);
  const std::vector<std::int64_t> old_parents = std::move(parents.of);
  parents.of.clear();
  Calls calls;
  std::size_t parameter = 0;
  for (std::size_t i = 0; i < in.kinds.size(); ++i) {
    const Module module = module_at(in, i, parameter);
    if (is_call(p, module.kind)) {
      const Result<Done> followed = follow_call(p, module.kind, module.parameters, calls);
      if (!followed) return followed.diagnostics();
    }
    const RuleTable& table = p.systems[calls.innermost()].decomposition;
    const auto emit = [&](const Module& seen) -> Result<Done> {
      append(seen, task.traits.arity[seen.kind], task.keeps(), out);
      if (out.kinds.size() <= limit) return Done{};
      return diagnostic_in(p.source, table.place,
                           fmt::format("the decomposition grows beyond {} modules", limit));
    };
    const Expansion expansion{.table = table,
                              .around = around,
                              .seed = mix_bits(step.seed, 0x6465636f),
                              .birth_step = step.birth_step};
    const Result<Done> expanded = expander.expand(expansion, module, i, emit);
    if (!expanded) return expanded.diagnostics();
    if (parents.wanted) {
      note_parent(parents, static_cast<std::size_t>(old_parents[i]), out.kinds.size());
    }
    parameter += task.traits.arity[module.kind];
  }
  return Done{};
}

}  // namespace thigmo
