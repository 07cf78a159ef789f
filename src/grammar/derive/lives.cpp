#include "grammar/derive/lives.h"

#include <algorithm>
#include <cmath>

namespace thigmo {

namespace {

// A module that was written in this step and has some of it before it.
struct Waiting {
  Kind kind = 0;
  std::vector<double> parameters = {};
  std::uint64_t identity = 0;
  Birth birth = {};
  double elapsed = 0;  // since it was written
};

Waiting waiting_from(const Module& module, std::size_t arity, double elapsed) {
  return {.kind = module.kind,
          .parameters = {module.parameters, module.parameters + arity},
          .identity = module.identity,
          .birth = module.birth,
          .elapsed = elapsed};
}

// Onto the stack from the last to the first, so that the first comes out next.
void push_all(const ModuleString& modules, const Traits& traits, double elapsed,
              std::vector<Waiting>& stack) {
  std::size_t parameter = modules.parameters.size();
  for (std::size_t m = modules.kinds.size(); m-- > 0;) {
    const std::size_t arity = traits.arity[modules.kinds[m]];
    parameter -= arity;
    stack.push_back(waiting_from(module_at(modules, m, parameter), arity, elapsed));
  }
}

// Rules know the moment of their event; the step itself ends later.
struct Clock {
  explicit Clock(double& variable) : time(variable), step_end(variable) {}
  ~Clock() { time = step_end; }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  double& time;
  const double step_end;
};

}  // namespace

double event_time(double step_end, double excess) {
  const double time = step_end - excess;
  const double digits = std::pow(10.0, 12 - std::ceil(std::log10(std::max(step_end, 1e-300))));
  const double rounded = std::round(time * digits) / digits;
  return std::isfinite(rounded) ? rounded : time;
}

Result<Done> develop(const Task& task, const Step& step, const Module& module,
                     const RuleTable& table, std::size_t index, const Surroundings& around,
                     Rewriter& rewriter, ModuleString& out) {
  const Program& p = *task.program;
  std::vector<Waiting> stack{waiting_from(module, task.traits.arity[module.kind], step.dt)};
  ModuleString successor;
  const Clock clock(rewriter.global(p.time_global));

  // The rule that replaces a module at the end of its life; null while it lives on. Its age becomes
  // what it is then, and `excess` is how long ago that was.
  const auto end_of_life = [&](Waiting& here, double& excess) -> Result<const Rule*> {
    const std::int32_t life = p.kinds[here.kind].lifetime;
    if (life < 0) return nullptr;
    const double lifetime = at(step.lifetimes, life);
    const double age = here.parameters[0] + here.elapsed;
    here.parameters[0] = age;
    if (!(age >= lifetime - lifetime_slack)) return nullptr;
    excess = std::max(0.0, age - lifetime);
    here.parameters[0] = lifetime;
    clock.time = event_time(clock.step_end, excess);
    const Subject subject{.kind = here.kind,
                          .parameters = here.parameters.data(),
                          .index = index,
                          .random_key = mix_bits(task.seed, here.identity)};
    Result<const Rule*> rule = rewriter.choose(table, subject, around);
    if (rule && *rule == nullptr) here.parameters[0] = age;
    if (rule && *rule != nullptr && (*rule)->strict.size() > 1) {
      return diagnostic_in(p.source, (*rule)->place, "a timed module must be replaced alone");
    }
    return rule;
  };

  while (!stack.empty()) {
    Waiting here = std::move(stack.back());
    stack.pop_back();
    double excess = 0;
    const Result<const Rule*> chosen = end_of_life(here, excess);
    if (!chosen) return chosen.diagnostics();
    const Rule* const rule = *chosen;
    if (rule == nullptr) {
      append(Module{here.kind, here.parameters.data(), here.identity, here.birth},
             here.parameters.size(), task.keeps(), out);
      continue;
    }
    clear(successor);
    const Result<Done> written = rewriter.write(*rule, here.identity, step.birth_step, successor);
    if (!written) return written.diagnostics();
    const bool has_work = rewriter.take_work(work_of_event);
    const auto modules = static_cast<std::int64_t>(out.kinds.size() + stack.size());
    if (modules > task.options.limits.symbols || !has_work) {
      return diagnostic_in(p.source, rule->place,
                           "the development of this module passes the limits within one step");
    }
    push_all(successor, task.traits, excess, stack);
  }
  return Done{};
}

}  // namespace thigmo
