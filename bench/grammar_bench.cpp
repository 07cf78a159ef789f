#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/bench.h"
#include "thigmo/thigmo.h"

namespace thigmo::bench {

namespace {

// Seconds from the file to the string and its counts, and the modules of the string.
struct Derivation {
  double seconds = 0;
  double symbols = 0;
};

Derivation time_derivation(const std::string& file, int threads, int runs = 5) {
  Derivation derivation;
  derivation.seconds = best_seconds(runs, [&] {
    const Outcome<Derived> derived = derive({.file = file, .draw = false, .threads = threads});
    if (!derived) throw std::runtime_error(derived.error());
    derivation.symbols = static_cast<double>(derived->length);
  });
  return derivation;
}

// The same file with one thread and with two, by turns, so that both meet the same neighbours.
struct Pair {
  Derivation one, two;
  double ratio() const { return one.seconds / two.seconds; }
};

Pair time_pair(const std::string& file) {
  Pair best{.one = time_derivation(file, 1, 1), .two = time_derivation(file, 2, 1)};
  for (int i = 0; i < 20; ++i) {
    const Derivation one = time_derivation(file, 1, 1), two = time_derivation(file, 2, 1);
    if (one.seconds < best.one.seconds) best.one = one;
    if (two.seconds < best.two.seconds) best.two = two;
  }
  return best;
}

// How many times faster two threads copy so many bytes than one: what the memory of this machine has
// left for a second thread.
double copy_ratio(std::size_t bytes) {
  const std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes, 2);
  const auto copy = [&](std::size_t part, std::size_t parts) {
    const std::size_t begin = bytes * part / parts, end = bytes * (part + 1) / parts;
    std::memcpy(to.data() + begin, from.data() + begin, end - begin);
  };
  double one = 1e9, two = 1e9;
  for (int i = 0; i < 20; ++i) {
    one = std::min(one, best_seconds(1, [&] { copy(0, 1); }));
    two = std::min(two, best_seconds(1, [&] {
                     std::thread other([&] { copy(1, 2); });
                     copy(0, 2);
                     other.join();
                   }));
  }
  return one / two;
}

// A line of /proc/self/status, such as VmHWM [bytes]; 0 where there is no such file.
double status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, name.size() + 1, name + ":") != 0) continue;
    return std::stod(line.substr(name.size() + 1)) * 1024;
  }
  return 0;
}

// How much memory a derivation takes at its peak, beyond what the process has already [bytes]; 0
// where the system cannot tell.
double peak_memory(const std::string& file) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins anew
  const double before = status_bytes("VmRSS");
  time_derivation(file, 1, 1);
  return status_bytes("VmHWM") - before;
}

}  // namespace

void bench_grammar(const std::string& gallery, Report& report) {
  const std::string willow = gallery + "/plants/willow.lsys";
  std::uint64_t segments = 0;
  const double seconds = best_seconds(20, [&] {
    const Outcome<Grown> grown = grow({.file = willow});
    if (!grown) throw std::runtime_error(grown.error());
    segments = grown->segments;
  });
  report.figures.push_back({.name = fmt::format("willow.lsys to a plant of {} segments", segments),
                            .value = seconds * 1e3,
                            .unit = "ms",
                            .target = 20,
                            .higher_is_better = false});
  // With the mechanism of what grew and its stresses at rest: ready to be stepped.
  const double ready = best_seconds(10, [&] {
    World world;
    const Outcome<PlantId> plant = world.add({.file = willow});
    if (!plant) throw std::runtime_error(plant.error());
  });
  report.figures.push_back({.name = "the same, ready to move",
                            .value = ready * 1e3,
                            .unit = "ms",
                            .higher_is_better = false});

  const std::string models = gallery + "/../bench/models/";
  const Pair plain = time_pair(models + "plain.lsys");
  const Pair parametric = time_pair(models + "parametric.lsys");
  const Derivation context = time_derivation(models + "context.lsys", 1);
  constexpr double million = 1e6, context_steps = 1000;
  report.figures.push_back({.name = "45.5 million plain modules",
                            .value = plain.one.symbols / plain.one.seconds / million,
                            .unit = "M modules/s",
                            .target = 100});
  if (const double peak = peak_memory(models + "plain.lsys"); peak > 0) {
    report.figures.push_back({.name = "their memory at its peak",
                              .value = peak / million,
                              .unit = "MB",
                              .target = 70,
                              .higher_is_better = false});
  }
  report.figures.push_back({.name = "the same with two threads",
                            .value = plain.ratio(),
                            .unit = "times faster",
                            .target = 1.7});
  report.figures.push_back({.name = "copying as many bytes with two threads",
                            .value = copy_ratio(static_cast<std::size_t>(plain.one.symbols)),
                            .unit = "times faster"});
  report.figures.push_back({.name = "tree of 8.4 million symbols with parameters",
                            .value = parametric.one.symbols / parametric.one.seconds / million,
                            .unit = "M symbols/s",
                            .target = 60});
  report.figures.push_back({.name = "the same with two threads",
                            .value = parametric.ratio(),
                            .unit = "times faster",
                            .target = 1.7});
  report.figures.push_back({.name = "one-sided context, 40,001 modules, 1000 steps",
                            .value = context.symbols * context_steps / context.seconds / million,
                            .unit = "M rewrites/s",
                            .target = 60});
}

}  // namespace thigmo::bench
