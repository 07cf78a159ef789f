#include "grammar/derive/shares.h"

#include <algorithm>
#include <numeric>

namespace thigmo {

namespace {

// Below this many modules the threads cost more than they bring.
constexpr std::size_t parallel_threshold = 30000;

bool in_parallel(const Task& task, const ModuleString& string) {
  const Program& p = *task.program;
  return !task.with_parents && task.threads() > 1 && string.kinds.size() >= parallel_threshold &&
         !p.writes_globals && !p.multi_module && p.cut == 256 && p.systems.size() == 1 &&
         !p.uses_new_context;
}

// Shares that grew apart would let threads wait for each other.
bool still_even(const Shares& shares, std::size_t modules) {
  std::int64_t longest = 0;
  for (const KindCounts& share : shares) {
    longest = std::max(longest, std::accumulate(share.begin(), share.end(), std::int64_t{0}));
  }
  return static_cast<std::size_t>(longest) <= 2 * modules / shares.size() + 1;
}

}  // namespace

void count_shares(const Task& task, const ModuleString& string, Shares& shares) {
  const std::size_t n = string.kinds.size();
  const std::size_t wanted = in_parallel(task, string) ? as_size(task.threads()) * 8 : 1;
  if (shares.size() == wanted && still_even(shares, n)) return;
  shares.assign(wanted, {});
  parallel_for(wanted, task.threads(), [&](std::size_t r) {
    const std::size_t begin = n * r / wanted, end = n * (r + 1) / wanted;
    shares[r] = count_kinds(string.kinds.data() + begin, end - begin);
  });
}

void multiply_shares(const Task& task, Shares& shares) {
  if (!task.traits.deterministic) return shares.clear();
  for (KindCounts& share : shares) {
    KindCounts after{};
    for (std::size_t k = 0; k < task.program->kinds.size(); ++k) {
      if (share[k] == 0) continue;
      for (const auto& [kind, times] : task.traits.fewest[k]) {
        after[kind] += share[k] * static_cast<std::int64_t>(times);
      }
    }
    share = after;
  }
}

KindCounts sum_of_shares(const Shares& shares) {
  KindCounts sum{};
  for (const KindCounts& share : shares) {
    for (std::size_t k = 0; k < 256; ++k) sum[k] += share[k];
  }
  return sum;
}

std::vector<ShareRange> ranges_of(const Task& task, const Shares& shares) {
  std::vector<ShareRange> ranges(shares.size());
  ShareRange next;
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    ShareRange& range = ranges[r] = next;
    for (std::size_t k = 0; k < task.program->kinds.size(); ++k) {
      const auto times = static_cast<std::size_t>(shares[r][k]);
      const Outcome& outcome = task.traits.outcomes[k];
      next.begin += times;
      next.parameter += times * task.traits.arity[k];
      if (!task.traits.deterministic) continue;
      next.out += times * static_cast<std::size_t>(outcome.longest);
      next.out_parameter += times * static_cast<std::size_t>(outcome.most_parameters);
    }
    range.end = next.begin;
    range.out_end = next.out;
  }
  return ranges;
}

}  // namespace thigmo
