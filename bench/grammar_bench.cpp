#include <stdexcept>

#include "bench/bench.h"
#include "thigmo/thigmo.h"

namespace thigmo::bench {

void bench_grammar(const std::string& gallery, Report& report) {
  const DeriveRequest request{.file = gallery + "/plants/young_tree.lsys"};
  const double seconds = best_seconds(10, [&] {
    const Outcome<Derived> derived = derive(request);
    if (!derived) throw std::runtime_error(derived.error());
  });
  report.figures.push_back({.name = "young_tree.lsys from file to plant",
                            .value = seconds * 1e3,
                            .unit = "ms",
                            .higher_is_better = false});
}

}  // namespace thigmo::bench
