#include "base/parallel.h"

#include <algorithm>

#ifndef __EMSCRIPTEN__
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace thigmo {

#ifdef __EMSCRIPTEN__

void parallel_for(std::size_t count, int, IndexWork work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

int hardware_threads() { return 1; }

#else

void parallel_for(std::size_t count, int threads, IndexWork work) {
  const int most = hardware_threads();  // asking for more would only make TBB complain
  threads = threads > 0 ? std::min(threads, most) : most;
  if (threads == 1 || count < 2) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t i = range.begin(); i < range.end(); ++i) work(i);
                      });
  });
}

int hardware_threads() { return tbb::this_task_arena::max_concurrency(); }

#endif

}  // namespace thigmo
