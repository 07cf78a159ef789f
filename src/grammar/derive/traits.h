#pragma once

#include <array>

#include "grammar/rewrite/fewest.h"

namespace thigmo {

// What a module of one kind can become in a step.
struct Outcome {
  double longest = 1;          // modules, at most
  double most_parameters = 0;  // parameters, at most
  const Rule* only = nullptr;  // the rule that always applies
};

// What is known about a program before it is derived.
struct Traits {
  std::array<Outcome, 256> outcomes{};
  std::array<std::size_t, 256> arity{};
  bool deterministic = false;  // every kind has exactly one successor
  Fewest fewest = {};          // which: what a step makes of each kind
  bool decomposes = false;
  bool independent = false;            // no module's future depends on another one
  std::array<bool, 256> passive{};     // no rule for this kind
  std::array<bool, 256> stationary{};  // where no rule applies, none ever will
};
Traits find_traits(const Program& program);

}  // namespace thigmo
