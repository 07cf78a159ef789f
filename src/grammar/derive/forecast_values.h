#pragma once

#include <optional>
#include <vector>

#include "grammar/derive/forecast.h"

namespace thigmo {

// By the modules that differ, each with how often it stands in the string: exact for models without
// context and chance, while their modules are of few kinds and values. Gives up after a few
// milliseconds. `globals` are the model's variables before the first step.
std::optional<Forecast> forecast_by_values(const Program& program, const ModuleString& axiom,
                                           double steps, const std::vector<double>& globals,
                                           const Limits& limits);

}  // namespace thigmo
