#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "grammar/derive/traits.h"
#include "grammar/rewrite/module_string.h"
#include "grammar/rewrite/options.h"

namespace thigmo {

// What stays the same through a derivation.
struct Task {
  std::shared_ptr<const Program> program;
  GrowOptions options = {};
  Traits traits = {};
  double steps = 0;        // to derive
  std::uint64_t seed = 0;  // of all chance
  bool with_births = false;
  bool with_parents = false;

  Keeps keeps() const { return {.identities = program->uses_random, .births = with_births}; }
  int threads() const { return options.threads > 0 ? options.threads : hardware_threads(); }
};

// What all modules of one step share.
struct Step {
  Index number = 0;             // from 1
  Index birth_step = no_index;  // the same where births are kept
  double dt = 1;                // time that passes in it
  std::int32_t group = 0;       // whose rules apply
  std::uint64_t seed = 0;
  std::vector<double> lifetimes = {};  // of timed modules, by KindInfo::lifetime
};

// The key of what chance decides about a module in this step.
inline std::uint64_t random_key(const Step& step, const ModuleString& string, std::size_t index) {
  return string.identities.empty() ? 0 : mix_bits(step.seed, string.identities[index]);
}

// For every module written so far the module of the string before that it comes from. Empty and
// without effect where nobody asked for them.
struct Parents {
  bool wanted = false;
  std::vector<std::int64_t> of = {};
};
// The modules up to `size` that have no parent yet come from `parent`.
inline void note_parent(Parents& parents, std::size_t parent, std::size_t size) {
  if (parents.wanted) parents.of.resize(size, static_cast<std::int64_t>(parent));
}

// The group of rules that the model has chosen by its variable of that name.
inline std::int32_t group_of(double variable) {
  return static_cast<std::int32_t>(std::clamp(variable, -1.0, 1e6));
}

}  // namespace thigmo
