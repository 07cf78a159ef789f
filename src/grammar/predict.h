#pragma once

#include <optional>
#include <vector>

#include "grammar/grammar.h"
#include "grammar/program.h"

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

// What an event in the life of a timed module, or a successor that an expansion writes, takes of the
// limit of work: the time of some hundred instructions.
inline constexpr std::int64_t work_of_event = 100;
// And trying the rules on one module in a step of the whole string.
inline constexpr std::int64_t work_of_trial = 10;
// And drawing a string between two steps, for what ?P ?H ?L ?U and ?E ask, and each of its modules.
inline constexpr std::int64_t work_of_drawing = 20'000;
inline constexpr std::int64_t work_of_drawn_module = 100;

// A module of one kind becomes at least so many of each kind in one application of the rules.
using Fewest = std::vector<std::vector<std::pair<Kind, double>>>;
Fewest fewest_successors(const Program& program, RuleSet set);

// By counts of kinds, which multiply: a lower bound for every model without cuts, exact where every
// kind has one successor. `steps_copy`: the derivation goes step by step through the whole string.
std::optional<Forecast> forecast_by_kinds(const Program& program, const ModuleString& axiom,
                                          double steps, const Limits& limits, bool steps_copy);

// By the modules that differ, each with how often it stands in the string: exact for models without
// context and chance, while their modules are of few kinds and values. Gives up after a few
// milliseconds. `globals` are the model's variables before the first step.
std::optional<Forecast> forecast_by_values(const Program& program, const ModuleString& axiom,
                                           double steps, const std::vector<double>& globals,
                                           const Limits& limits);

// The modules that the homomorphism draws of the string, at least.
double fewest_drawn(const ModuleString& string, const Limits& limits);

}  // namespace thigmo
