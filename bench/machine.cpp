#include <fstream>
#include <string>

#include "base/parallel.h"
#include "bench/bench.h"
#include "mechanics/kernel/processor.h"

// What the figures were measured on. This looks inside the library: which kernels it chose is no promise of
// its front.
namespace thigmo::bench {
namespace {

// As the system names it; empty where it does not.
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

}  // namespace

Machine this_machine() {
  const Processor processor = best_processor();
  return {.kernels = std::string(name_of(processor)),
          .lanes = widest_lanes(processor),
          .model = processor_model(),
          .threads = hardware_threads()};
}

}  // namespace thigmo::bench
