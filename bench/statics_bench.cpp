#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "bench/bench.h"
#include "thigmo/thigmo.h"

namespace thigmo::bench {
namespace {

// A tree of 2^steps - 1 segments that sags from its rest shape.
std::string forked_tree(const std::string& gallery, int steps) {
  return fmt::format(
      "[[plant]]\ngrammar = \"{}/../bench/models/forked.lsys\"\nsteps = {}\nspecies = \"oak\"\n"
      "start = \"rest\"\n",
      gallery, steps);
}

// Seconds of finding the pose alone, without growing the plant: best of several means of `poses`.
double pose_seconds(const std::string& scenario, int runs, int poses = 1) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    double sum = 0;
    for (int k = 0; k < poses; ++k) {
      const Outcome<PoseSummary> found = pose({.scenario_file = {}, .scenario_text = scenario});
      if (!found) throw std::runtime_error(found.error());
      sum += found->wall_ms * 1e-3;
    }
    best = std::min(best, sum / poses);
  }
  return best;
}

// The beam of Hall 2013, chapter 5: polypropylene, 100 in long, 1 in high and 0.1 in thick.
std::string hall_beam(int elements) {
  return fmt::format(
      "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = {}\nlength = 2.54\n"
      "width = 0.00254\nheight = 0.0254\nyoung = 1.4e9\npoisson = 0.4\ndensity = 900\n"
      "direction = [1, 0, 0]\nup = [0, 1, 0]\n[[force]]\nvector = [0, 0.40, 0.02]\n",
      elements);
}

// Seconds of one sweep of a chain, best of several.
double sweep_seconds(const char* method, int elements) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    const Outcome<PoseSummary> found = pose({.scenario_file = {},
                                             .scenario_text = hall_beam(elements),
                                             .method = method,
                                             .load_increments = 1,
                                             .most_sweeps = 8000 / elements,
                                             .tolerance = 1e-6,
                                             .keep_unsettled = true});
    if (!found) throw std::runtime_error(found.error());
    best = std::min(best, found->wall_ms * 1e-3 / found->iterations);
  }
  return best;
}

// The power of n that the times of n = 100 and 800 elements grow with.
void bench_chains(Report& report) {
  for (const char* method : {"chain-1r", "chain-3r"}) {
    const double power =
        std::log(sweep_seconds(method, 800) / sweep_seconds(method, 100)) / std::log(8.0);
    report.figures.push_back(
        {.name = fmt::format("{}: growth of a sweep, 100 to 800 elements", method),
         .value = power,
         .unit = "power of the elements",
         .target = 1.2,
         .higher_is_better = false});
  }
}

}  // namespace

void bench_statics(const std::string& gallery, Report& report) {
  // Γ = ρ g A L³ / (E I) = 100.
  const std::string heavy =
      "[[plant]]\nkind = \"rod\"\nsegments = 200\nlength = 1.0\nradius = 0.0025\n"
      "young = 5.02272e7\ndensity = 800\ndirection = [1, 0, 0]\n";
  const double cantilever = pose_seconds(heavy, 20);
  report.figures.push_back({.name = "pose: heavy cantilever of 200 segments",
                            .value = cantilever * 1e3,
                            .unit = "ms",
                            .target = 2,
                            .higher_is_better = false});
  report.figures.push_back({.name = "pose: against the 9.58 s of Hall 2013",
                            .value = 9.583 / cantilever,
                            .unit = "times faster",
                            .target = 1000});

  // Least squares through the logarithms of 10³ to 10⁵ segments. All sizes are measured over about
  // the same time, so that what else the machine does slows them alike.
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, largest = 0;
  const int sizes[] = {10, 13, 17};
  for (int steps : sizes) {
    const double seconds = pose_seconds(forked_tree(gallery, steps), 3, 1 << (17 - steps));
    const double x = std::log(std::pow(2.0, steps) - 1), y = std::log(seconds);
    sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
    largest = seconds;
  }
  const double n = std::size(sizes);
  report.figures.push_back({.name = "pose: tree of 131,071 segments",
                            .value = largest,
                            .unit = "s",
                            .target = 0.5,
                            .higher_is_better = false});
  report.figures.push_back({.name = "pose: growth of cost, 1,023 to 131,071 segments",
                            .value = (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x),
                            .unit = "power of the segments",
                            .target = 1.1,
                            .higher_is_better = false});

  bench_chains(report);

  double modes_seconds = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const Outcome<ModesSummary> found =
        modes({.file = {}, .scenario_text = forked_tree(gallery, 14)});
    if (!found) throw std::runtime_error(found.error());
    modes_seconds = std::min(modes_seconds, found->wall_ms * 1e-3);
  }
  report.figures.push_back({.name = "modes: ten of a tree of 16,383 segments",
                            .value = modes_seconds * 10'000 / 16'383,
                            .unit = "s per 10,000 segments",
                            .target = 1,
                            .higher_is_better = false});
}

}  // namespace thigmo::bench
