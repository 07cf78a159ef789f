#include "grammar/derive/prediction.h"

#include <fmt/format.h>

#include <cmath>

#include "grammar/derive/forecast.h"
#include "grammar/derive/forecast_values.h"

namespace thigmo {

namespace {

enum class Bound { exact, at_least, at_most };

Diagnostic too_long(const Program& program, double length, double step, Bound bound,
                    const Limits& limits) {
  const char* const words = bound == Bound::exact      ? ""
                            : bound == Bound::at_least ? "at least "
                                                       : "up to ";
  return diagnostic_in(
      program.source, program.axiom_place,
      fmt::format("after step {} the string would have {}{:.4g} modules; the limit is {}", step,
                  words, length, limits.symbols),
      "use fewer steps, or raise the limit of symbols");
}

Diagnostic refusal(const Program& program, const Forecast& forecast, const Limits& limits) {
  switch (forecast.what) {
    case Forecast::What::work:
      return diagnostic_in(program.source, program.axiom_place,
                           fmt::format("the {} steps would rewrite at least {:.4g} modules in all; "
                                       "the limit of work is {}",
                                       forecast.step, forecast.amount, limits.work),
                           "use fewer steps, or raise the limit of work");
    case Forecast::What::drawing:
      return diagnostic_in(program.source, program.axiom_place,
                           fmt::format("the strings of {} steps would be drawn for '?P ?H ?L ?U "
                                       "?E', at least {:.4g} modules in all; the limit of work is "
                                       "{}",
                                       forecast.step, forecast.amount, limits.work),
                           "use fewer steps, or raise the limit of work");
    case Forecast::What::events:
      return diagnostic_in(
          program.source, program.axiom_place,
          forecast.amount >= 1e300
              ? fmt::format("the development does not come to an end within step {}: modules are "
                            "born at the end of their lives",
                            forecast.step)
              : fmt::format("within step {} modules would come to the end of their lives about "
                            "{:.4g} times",
                            forecast.step, forecast.amount),
          "let modules live longer, or take smaller time steps");
    case Forecast::What::length:
      break;
  }
  if (program.uses_time) {
    return diagnostic_in(program.source, program.axiom_place,
                         fmt::format("within step {} the string would get {:.4g} modules; the "
                                     "limit is {}",
                                     forecast.step, forecast.amount, limits.symbols),
                         "use fewer steps, or raise the limit of symbols");
  }
  return too_long(program, forecast.amount, forecast.step,
                  forecast.exact ? Bound::exact : Bound::at_least, limits);
}

}  // namespace

double bytes_per_module(const Task& task) {
  return 1.0 + (task.program->uses_random ? 8.0 : 0.0) + (task.with_births ? sizeof(Birth) : 0.0) +
         (task.program->uses_context ? 8.0 : 0.0);
}

Result<Done> check_steps(const Task& task) {
  const double steps = task.steps;
  const auto refuse = [&](std::string message, std::string hint) {
    if (task.options.steps) return error(std::move(message), std::move(hint));
    return diagnostic_in(task.program->source, task.program->steps_place, std::move(message),
                         std::move(hint));
  };
  const std::int64_t most = task.options.limits.steps;
  if (!(steps >= 0) || steps > static_cast<double>(most)) {
    return refuse(fmt::format("the derivation length is {}; it may be 0 to {}", steps, most), "");
  }
  if (steps != std::floor(steps) && !task.program->uses_time) {
    return refuse(fmt::format("the derivation length {} is not whole", steps),
                  "a part of a step has a meaning only where rules use dt or modules 'lives'");
  }
  return Done{};
}

Result<Done> check_forecast(const Task& task, const ModuleString& axiom,
                            const std::vector<double>& globals) {
  const Program& p = *task.program;
  const Limits& limits = task.options.limits;
  auto forecast = forecast_by_kinds(p, axiom, task.steps, limits, !task.traits.independent);
  if (!forecast && !task.traits.deterministic) {
    forecast = forecast_by_values(p, axiom, task.steps, globals, limits);
  }
  if (forecast) return refusal(p, *forecast, limits);
  return Done{};
}

Result<Prediction> predict_step(const Task& task, const ModuleString& string, const Shares& shares,
                                double step) {
  const Program& p = *task.program;
  const Limits& limits = task.options.limits;
  Prediction prediction{.counts = sum_of_shares(shares)};
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    const auto count = static_cast<double>(prediction.counts[k]);
    prediction.length += count * task.traits.outcomes[k].longest;
    prediction.parameters += count * task.traits.outcomes[k].most_parameters;
  }
  if (prediction.length > static_cast<double>(limits.symbols)) {
    return too_long(p, prediction.length, step,
                    task.traits.deterministic ? Bound::exact : Bound::at_most, limits);
  }
  const double bytes =
      bytes_per_module(task) * (prediction.length + static_cast<double>(string.kinds.size())) +
      8.0 * (prediction.parameters + static_cast<double>(string.parameters.size()));
  if (bytes > static_cast<double>(limits.memory_bytes)) {
    return diagnostic_in(p.source, p.axiom_place,
                         fmt::format("step {} would need {:.3g} bytes; the limit is {}", step,
                                     bytes, limits.memory_bytes),
                         "use fewer steps, or raise the limit of memory");
  }
  return prediction;
}

}  // namespace thigmo
