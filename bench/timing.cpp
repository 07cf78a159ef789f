#ifdef __linux__
#include <malloc.h>
#endif
#include <time.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>

#include "bench/bench.h"

namespace thigmo::bench {

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

double resident_bytes() {
  return_free_memory();
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

double best_seconds(int runs, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const Clock::time_point start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

double best_cpu_seconds(int runs, const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const double start = now();
    work();
    best = std::min(best, now() - start);
  }
  return best;
}

}  // namespace thigmo::bench
