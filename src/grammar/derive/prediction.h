#pragma once

#include "base/result.h"
#include "grammar/derive/shares.h"

namespace thigmo {

// What a step can come to.
struct Prediction {
  KindCounts counts{};                // of the string before it
  double length = 0, parameters = 0;  // at most; exact when every kind has one successor
};

// Memory of a module, without its parameters [bytes].
double bytes_per_module(const Task& task);

// Refuses a number of steps that has no meaning.
Result<Done> check_steps(const Task& task);

// Refuses, before anything is derived, what must become too long or take too much time. `globals` are
// the model's variables before the first step.
Result<Done> check_forecast(const Task& task, const ModuleString& axiom,
                            const std::vector<double>& globals);

// Refuses a step whose result may break a limit.
Result<Prediction> predict_step(const Task& task, const ModuleString& string, const Shares& shares,
                                double step);

}  // namespace thigmo
