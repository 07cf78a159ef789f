#include "grammar/derive/plain_step.h"

#include <algorithm>
#include <cstring>

namespace thigmo {

namespace {

// A successor is copied as one block of this size, the next one over its unused end.
constexpr std::size_t block = 32;

void prepare(const Task& task, PlainSuccessors& successors) {
  std::vector<Kind>& store = successors.store;
  store.reserve(256 * block);
  for (std::size_t k = 0; k < task.program->kinds.size(); ++k) {
    const Rule* rule = task.traits.outcomes[k].only;
    const std::vector<Kind> self{static_cast<Kind>(k)};
    const std::vector<Kind>& successor = rule != nullptr ? rule->successor.kinds : self;
    if (successor.size() > block) {
      successors.of[k] = {successor.data(), successor.size()};
      continue;
    }
    successors.of[k] = {store.data() + store.size(), successor.size()};
    store.insert(store.end(), successor.begin(), successor.end());
    store.resize((store.size() + block - 1) / block * block);
    if (successor.empty()) store.resize(store.size() + block);
  }
}

void copy_range(const ModuleString& now, const ShareRange& range, const PlainSuccessors& successors,
                Kind* out_begin) {
  Kind* out = out_begin + range.out;
  Kind* const end = out_begin + range.out_end;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const auto [bytes, length] = successors.of[now.kinds[i]];
    // Whole blocks only where they stay inside the own range.
    if (length <= block && static_cast<std::size_t>(end - out) >= block) {
      std::memcpy(out, bytes, block);
    } else {
      std::copy(bytes, bytes + length, out);
    }
    out += length;
  }
}

}  // namespace

void step_plain(const Task& task, const ModuleString& now, const std::vector<ShareRange>& ranges,
                PlainSuccessors& successors, ModuleString& next) {
  if (successors.store.empty()) prepare(task, successors);
  next.kinds.resize_for_writing(ranges.back().out_end);
  parallel_for(ranges.size(), ranges.size() > 1 ? task.options.threads : 1,
               [&](std::size_t r) { copy_range(now, ranges[r], successors, next.kinds.data()); });
}

}  // namespace thigmo
