#pragma once

#include <optional>
#include <vector>

#include "grammar/rewrite/fewest.h"

namespace thigmo {

// What a derivation must come to, found without making its strings.
struct Forecast {
  enum class What {
    length,   // the string is longer than the limit of symbols
    work,     // the steps together try rules on more modules than the limit of work allows
    drawing,  // the strings that are drawn for what ?P and ?E ask take more than that limit
    events    // modules live so shortly that one step does not come to an end
  };
  What what = What::length;
  double step = 0;     // after which it shows
  double amount = 0;   // modules
  bool exact = false;  // else at least so many
};

// By counts of kinds, which multiply: a lower bound for every model without cuts, exact where every
// kind has one successor. `steps_copy`: the derivation goes step by step through the whole string.
std::optional<Forecast> forecast_by_kinds(const Program& program, const ModuleString& axiom,
                                          double steps, const Limits& limits, bool steps_copy);

}  // namespace thigmo
