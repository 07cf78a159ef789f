#pragma once

#include <utility>
#include <vector>

#include "grammar/rewrite/module_string.h"
#include "grammar/rewrite/options.h"

namespace thigmo {

// How many modules rules must make at least, by counts of kinds, which multiply.

// A module of one kind becomes at least so many of each kind in one application of the rules.
using Fewest = std::vector<std::vector<std::pair<Kind, double>>>;
Fewest fewest_successors(const Program& program, RuleSet set);

using Amounts = std::vector<double>;  // of each kind
double sum(const Amounts& amounts);

// Sums of positive numbers beyond this are all the same to us, and must not become infinite.
inline constexpr double enough = 1e300;

// Multiplications that a forecast may take: one or two milliseconds.
inline constexpr double effort_limit = 1e6;

// One application of the rules; what it takes is added to `effort`.
Amounts applied(const Fewest& fewest, const Amounts& amounts, double& effort);

struct Depth {
  double levels = enough;
  bool must_end = false;  // what is not finished then is an error of its own, found when it happens
};

Depth depth_of(const Program& program, RuleSet set, const Limits& limits);

// Applied again and again to the depth of the expansion, until nothing changes.
Amounts expanded(const Fewest& fewest, const Amounts& start, Depth depth, double& effort);

bool has_rules(const Program& program, RuleSet set);

// The modules that the homomorphism draws of the string, at least.
double fewest_drawn(const ModuleString& string, const Limits& limits);

}  // namespace thigmo
