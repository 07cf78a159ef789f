#include "bench/bench.h"

#include <algorithm>
#include <stdexcept>

namespace thigmo::bench {

Report run_parts(const std::string& gallery, const std::vector<std::string>& names) {
  Report report{.machine = this_machine()};
  try {
    for (const Part& part : parts) {
      const bool wanted =
          names.empty() || std::find(names.begin(), names.end(), part.name) != names.end();
      if (wanted) part.run(gallery, report);
    }
  } catch (const std::runtime_error& failure) {
    report.failure = failure.what();
  }
  return report;
}

}  // namespace thigmo::bench
