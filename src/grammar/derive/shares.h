#pragma once

#include <vector>

#include "grammar/derive/task.h"

namespace thigmo {

// A string in shares, one after the other, that threads work on: the modules of each kind in every
// share. Where every kind has one successor they are multiplied instead of counted again, step after
// step. Empty: unknown.
using Shares = std::vector<KindCounts>;

// One share, as a range of the string: where a thread reads, and where it writes.
struct ShareRange {
  std::size_t begin = 0, end = 0, parameter = 0;
  // Where every kind has one successor.
  std::size_t out = 0, out_end = 0, out_parameter = 0;
};

// Counts the kinds of the string, in as many shares as the threads need, unless they are known.
void count_shares(const Task& task, const ModuleString& string, Shares& shares);

// What the shares hold after a step, or nothing where that is not certain.
void multiply_shares(const Task& task, Shares& shares);

KindCounts sum_of_shares(const Shares& shares);

// The shares as ranges, each with its first parameter and, when every kind has one successor, the
// exact place of its output.
std::vector<ShareRange> ranges_of(const Task& task, const Shares& shares);

}  // namespace thigmo
