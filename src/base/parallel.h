#pragma once

#include <cstddef>
#include <functional>

namespace thigmo {

// Calls work(i) for i in [0, count) on at most `threads` threads (0: as many as the machine has).
// The calls must be independent; whatever they sum is summed afterwards, in index order, so that
// results have the same bits for any number of threads.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

int hardware_threads();

}  // namespace thigmo
