#include "grammar/derive/fixed_step.h"

#include <algorithm>
#include <cstring>

namespace thigmo {

namespace {

// Copies modules [i, end), which no rule replaces, with so many parameters.
void copy_modules(const ModuleString& now, std::size_t i, std::size_t end, Keeps keeps,
                  std::size_t out, ModuleString& next) {
  std::memcpy(next.kinds.data() + out, now.kinds.data() + i, end - i);
  if (keeps.identities) {
    std::copy(now.identities.data() + i, now.identities.data() + end, next.identities.data() + out);
  }
  if (keeps.births) {
    std::copy(now.births.data() + i, now.births.data() + end, next.births.data() + out);
  }
}

// The kinds, identities and births of what the rule writes for module i.
void write_modules(const Rule& rule, const ModuleString& now, std::size_t i, const Step& step,
                   Keeps keeps, std::size_t out, ModuleString& next) {
  const std::size_t count = rule.successor.kinds.size();
  std::copy_n(rule.successor.kinds.begin(), count, next.kinds.data() + out);
  if (keeps.identities) {
    for (std::size_t c = 0; c < count; ++c) {
      next.identities[out + c] = mix_bits(now.identities[i], c + 1);
    }
  }
  if (keeps.births) {
    std::fill_n(next.births.data() + out, count, Birth{rule.number, step.number});
  }
}

Result<Done> write_range(const Task& task, const Step& step, const ModuleString& now,
                         const ShareRange& range, Rewriter& rewriter, ModuleString& next) {
  const Keeps keeps = task.keeps();
  const std::array<std::size_t, 256>& arity = task.traits.arity;
  std::array<const Rule*, 256> only{};
  for (std::size_t k = 0; k < 256; ++k) only[k] = task.traits.outcomes[k].only;
  std::vector<double> frame(static_cast<std::size_t>(task.program->frame_size) + 1);
  const double* in = now.parameters.data() + range.parameter;
  double* parameters = next.parameters.data() + range.out_parameter;
  std::size_t out = range.out;
  for (std::size_t i = range.begin; i < range.end;) {
    std::size_t end = i, taken = 0;
    while (end < range.end && only[now.kinds[end]] == nullptr) taken += arity[now.kinds[end++]];
    if (end > i) {
      copy_modules(now, i, end, keeps, out, next);
      if (taken > 0) std::memcpy(parameters, in, taken * sizeof(double));
      out += end - i;
      parameters += taken;
      in += taken;
      i = end;
      continue;
    }
    const Rule& rule = *only[now.kinds[i]];
    std::copy_n(in, arity[now.kinds[i]], frame.data());
    if (keeps.identities) rewriter.set_random_key(random_key(step, now, i));
    const Result<Done> written = rewriter.evaluate(rule, frame.data(), parameters);
    if (!written) return written.diagnostics();
    write_modules(rule, now, i, step, keeps, out, next);
    out += rule.successor.kinds.size();
    parameters += rule.successor.parameters.size();
    in += arity[now.kinds[i++]];
  }
  return Done{};
}

}  // namespace

Result<Done> step_fixed(const Task& task, const Step& step, const ModuleString& now,
                        const std::vector<ShareRange>& ranges, std::size_t parameters, Team& team,
                        ModuleString& next) {
  const std::size_t length = ranges.back().out_end;
  next.kinds.resize_for_writing(length);
  next.parameters.resize_for_writing(parameters);
  if (task.keeps().identities) next.identities.resize_for_writing(length);
  if (task.keeps().births) next.births.resize_for_writing(length);
  return for_ranges(team, ranges.size(), task, [&](std::size_t r, Rewriter& rewriter) {
    return write_range(task, step, now, ranges[r], rewriter, next);
  });
}

}  // namespace thigmo
