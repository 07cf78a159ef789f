#include "bench/bench.h"

#include <stdexcept>

namespace thigmo::bench {

Report run_all(const std::string& gallery) {
  Report report{.machine = this_machine()};
  try {
    bench_motion(gallery, report);
    bench_compiling(gallery, report);
    bench_grammar(gallery, report);
    bench_statics(gallery, report);
    bench_shape(gallery, report);
    bench_edits(gallery, report);
  } catch (const std::runtime_error& failure) {
    report.failure = failure.what();
  }
  return report;
}

}  // namespace thigmo::bench
