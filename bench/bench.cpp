#include "bench/bench.h"

#include <chrono>
#include <limits>
#include <stdexcept>

namespace thigmo::bench {

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

Report run_all(const std::string& gallery) {
  Report report;
  try {
    bench_motion(gallery, report);
    bench_grammar(gallery, report);
    bench_statics(gallery, report);
    bench_shape(gallery, report);
  } catch (const std::runtime_error& failure) {
    report.failure = failure.what();
  }
  return report;
}

}  // namespace thigmo::bench
