#include <fmt/format.h>

#include <stdexcept>

#include "bench/bench.h"
#include "thigmo/thigmo.h"

namespace thigmo::bench {

namespace {

// Seconds from the file to the string and its counts, and the modules of the string.
struct Derivation {
  double seconds = 0;
  double symbols = 0;
};

Derivation time_derivation(const std::string& file, int threads) {
  Derivation derivation;
  derivation.seconds = best_seconds(5, [&] {
    const Outcome<Derived> derived = derive({.file = file, .draw = false, .threads = threads});
    if (!derived) throw std::runtime_error(derived.error());
    derivation.symbols = static_cast<double>(derived->length);
  });
  return derivation;
}

}  // namespace

void bench_grammar(const std::string& gallery, Report& report) {
  // The file read, derived and drawn, and the mechanism of what grew: ready to be stepped.
  std::size_t segments = 0;
  const double seconds = best_seconds(10, [&] {
    World world;
    const Outcome<std::size_t> plant = world.add_plant({.file = gallery + "/plants/willow.lsys"});
    if (!plant) throw std::runtime_error(plant.error());
    segments = world.segment_count();
  });
  report.figures.push_back({.name = fmt::format("willow.lsys to a plant of {} segments", segments),
                            .value = seconds * 1e3,
                            .unit = "ms",
                            .target = 20,
                            .higher_is_better = false});

  const std::string models = gallery + "/../bench/models/";
  const Derivation plain = time_derivation(models + "plain.lsys", 1);
  const Derivation plain_two = time_derivation(models + "plain.lsys", 2);
  const Derivation parametric = time_derivation(models + "parametric.lsys", 1);
  const Derivation parametric_two = time_derivation(models + "parametric.lsys", 2);
  const Derivation context = time_derivation(models + "context.lsys", 1);
  constexpr double million = 1e6, context_steps = 1000;
  report.figures.push_back({.name = "45.5 million plain modules",
                            .value = plain.symbols / plain.seconds / million,
                            .unit = "M modules/s",
                            .target = 100});
  report.figures.push_back({.name = "the same with two threads",
                            .value = plain.seconds / plain_two.seconds,
                            .unit = "times faster",
                            .target = 1.7});
  report.figures.push_back({.name = "tree of 8.4 million symbols with parameters",
                            .value = parametric.symbols / parametric.seconds / million,
                            .unit = "M symbols/s",
                            .target = 60});
  report.figures.push_back({.name = "the same with two threads",
                            .value = parametric.seconds / parametric_two.seconds,
                            .unit = "times faster",
                            .target = 1.7});
  report.figures.push_back({.name = "one-sided context, 40,001 modules, 1000 steps",
                            .value = context.symbols * context_steps / context.seconds / million,
                            .unit = "M rewrites/s",
                            .target = 60});
}

}  // namespace thigmo::bench
