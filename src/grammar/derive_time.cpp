#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "grammar/derivation.h"

namespace thigmo {

// `excess` before the end of a step, without the last digits that ages lose when they are summed up.
double event_time(double step_end, double excess) {
  const double time = step_end - excess;
  const double digits = std::pow(10.0, 12 - std::ceil(std::log10(std::max(step_end, 1e-300))));
  const double rounded = std::round(time * digits) / digits;
  return std::isfinite(rounded) ? rounded : time;
}

// A timed module ages; when it reaches its lifetime its rule is applied at that very moment, and
// the new modules have the rest of the step behind them, which may be the end of their own lives.
// So the string at a given time does not depend on how the time was cut into steps
// (timed L-systems: Prusinkiewicz & Lindenmayer 1990, ch. 6). Rules with << see what `out` holds, those with
// >> what is `written` behind the module, in a step from the right.
void Derivation::develop(const ModuleString& now, std::size_t index, std::size_t parameter,
                         const RuleTable& table, const StringView& view, Rewriter& rewriter,
                         ModuleString& out, const WrittenFromRight* written) const {
  struct Waiting {
    Kind kind;
    std::vector<double> parameters;
    std::uint64_t identity;
    Birth birth;
    double elapsed;  // since it was written
  };
  // A length of time that rounding may lose in many small steps.
  constexpr double slack = 1e-9;
  const Program& p = *program_;
  const Index birth_step = with_births_ ? number_ : no_index;
  const double* const first = now.parameters.data() + parameter;
  std::vector<Waiting> stack;
  stack.push_back({now.kinds[index],
                   {first, first + arity_[now.kinds[index]]},
                   now.identities.empty() ? 0 : now.identities[index],
                   now.births.empty() ? Birth{} : now.births[index],
                   dt_});
  ModuleString successor;
  // Rules know the moment of their event; the step itself ends later.
  double& clock = rewriter.globals[static_cast<std::size_t>(p.time_global)];
  const double step_end = clock;
  const struct Restore {
    double& clock;
    double value;
    ~Restore() { clock = value; }
  } restore{clock, step_end};
  while (!stack.empty()) {
    Waiting module = std::move(stack.back());
    stack.pop_back();
    const std::int32_t life = p.kinds[module.kind].lifetime;
    const Rule* rule = nullptr;
    double excess = 0;
    if (life >= 0) {
      const double lifetime = lifetimes_[static_cast<std::size_t>(life)];
      const double age = module.parameters[0] + module.elapsed;
      module.parameters[0] = age;
      if (age >= lifetime - slack) {
        excess = std::max(0.0, age - lifetime);
        module.parameters[0] = lifetime;
        clock = event_time(step_end, excess);
        const Subject subject{.kind = module.kind,
                              .parameters = module.parameters.data(),
                              .index = index,
                              .random_key = mix_bits(seed_, module.identity)};
        rule = rewriter.choose(table, subject, view, written == nullptr ? &out : nullptr, written,
                               group_);
        if (rewriter.failed()) return;
        if (rule == nullptr) module.parameters[0] = age;
        if (rule != nullptr && rule->strict.size() > 1) {
          return rewriter.fail("a timed module must be replaced alone", rule->place);
        }
      }
    }
    if (rule == nullptr) {
      out.kinds.push_back(module.kind);
      out.parameters.append(module.parameters.data(), module.parameters.size());
      if (p.uses_random) out.identities.push_back(module.identity);
      if (with_births_) out.births.push_back(module.birth);
      continue;
    }
    successor.kinds.clear();
    successor.parameters.clear();
    successor.identities.clear();
    successor.births.clear();
    rewriter.write(*rule, module.identity, birth_step, successor);
    if (rewriter.failed()) return;
    rewriter.machine.work_left -= work_of_event;
    if (static_cast<std::int64_t>(out.kinds.size() + stack.size()) > options_.limits.symbols ||
        rewriter.machine.work_left < 0) {
      return rewriter.fail("the development of this module passes the limits within one step",
                           rule->place);
    }
    // Onto the stack from the last to the first, so that the first comes out next.
    std::size_t end = successor.parameters.size();
    for (std::size_t m = successor.kinds.size(); m-- > 0;) {
      const std::size_t begin = end - arity_[successor.kinds[m]];
      stack.push_back({successor.kinds[m],
                       {successor.parameters.data() + begin, successor.parameters.data() + end},
                       p.uses_random ? successor.identities[m] : 0,
                       with_births_ ? successor.births[m] : Birth{},
                       excess});
      end = begin;
    }
  }
}

// Decomposition: every module of the new string, again and again, to the depth that was set.
void Derivation::decompose(const ModuleString& in, ModuleString& out) {
  const Program& p = *program_;
  StringView view{
      .kinds = in.kinds.data(), .parameters = in.parameters.data(), .size = in.kinds.size()};
  std::vector<std::size_t> systems{0};
  std::size_t parameter = 0;
  const auto limit = static_cast<std::size_t>(options_.limits.symbols);
  const std::vector<std::int64_t> old_parents = std::move(parents_);
  parents_.clear();
  for (std::size_t i = 0; i < in.kinds.size(); ++i) {
    const Kind kind = in.kinds[i];
    if (kind == p.sub_open || kind == p.sub_close) {
      enter_or_leave(kind, in.parameters.data() + parameter, systems, rewriter_);
    }
    const ModuleSeen module{.kind = kind,
                            .parameters = in.parameters.data() + parameter,
                            .identity = in.identities.empty() ? 0 : in.identities[i],
                            .birth = in.births.empty() ? Birth{} : in.births[i]};
    const RuleTable& table = p.systems[systems.back()].decomposition;
    expander_.expand(table, module, i, view, mix_bits(step_seed_, 0x6465636f),
                     with_births_ ? number_ : no_index, 0, [&](const ModuleSeen& seen) {
                       out.kinds.push_back(seen.kind);
                       out.parameters.append(seen.parameters, arity_[seen.kind]);
                       if (p.uses_random) out.identities.push_back(seen.identity);
                       if (with_births_) out.births.push_back(seen.birth);
                       if (out.kinds.size() > limit) {
                         rewriter_.fail(
                             fmt::format("the decomposition grows beyond {} modules", limit),
                             table.place);
                       }
                     });
    if (rewriter_.failed()) return;
    if (recording_) note_parents(static_cast<std::size_t>(old_parents[i]), out.kinds.size());
    parameter += arity_[kind];
  }
}

}  // namespace thigmo
