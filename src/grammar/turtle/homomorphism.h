#pragma once

#include <vector>

#include "grammar/rewrite/expander.h"

namespace thigmo {

// Where a module that is drawn comes from: the module of the string that the homomorphism made it of.
struct Drawn {
  std::size_t index = 0;               // in the string
  const double* parameters = nullptr;  // of that module
};

// Calls emit(Module, Drawn), which gives a Result<Done>, for every module of the string as the
// homomorphism leaves it.
template <class Emit>
Result<Done> for_each_drawn(const ModuleString& string, const GrowOptions& options,
                            const Emit& emit) {
  const Program& p = *string.program;
  Rewriter rewriter(p, options.limits);
  if (!string.globals.empty()) rewriter.set_globals(string.globals);
  Expander expander(p, options.limits, rewriter);
  ContextTables tables;
  const Surroundings around{.string = tables.view(p, string, true)};
  const LSystem* system = &p.systems[0];
  std::vector<const LSystem*> systems{system};
  std::uint64_t seed = options.seed.value_or(static_cast<std::uint64_t>(p.seed.value_or(0.0)));
  if (system->homomorphism.seed) {
    const Result<double> own = rewriter.run(*system->homomorphism.seed);
    if (!own) return own.diagnostics();
    seed = static_cast<std::uint64_t>(*own);
  }
  seed = mix_bits(seed, 0x686f6d6f);  // other numbers than the productions draw
  std::size_t parameter = 0;
  for (std::size_t i = 0; i < string.kinds.size(); ++i) {
    const Module module = module_at(string, i, parameter);
    const Drawn drawn{i, module.parameters};
    if (module.kind == p.sub_open) {
      for (const LSystem& other : p.systems) {
        if (static_cast<double>(other.label) == module.parameters[0]) system = &other;
      }
      systems.push_back(system);
    } else if (module.kind == p.sub_close && systems.size() > 1) {
      systems.pop_back();
      system = systems.back();
    }
    parameter += as_size(p.kinds[module.kind].arity);
    if (system->homomorphism.by_kind[module.kind].empty()) {
      const Result<Done> done = emit(module, drawn);
      if (!done) return done.diagnostics();
      continue;
    }
    const Expansion expansion{.table = system->homomorphism,
                              .around = around,
                              .seed = seed,
                              .birth_step = string.births.empty() ? no_index : module.birth.step};
    const Result<Done> done = expander.expand(
        expansion, module, i, [&](const Module& part) { return emit(part, drawn); });
    if (!done) return done.diagnostics();
  }
  return Done{};
}

}  // namespace thigmo
