#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "validation/validation.h"

// The experiment of Hall 2013, chapter 5, which leaves most of its numbers to another thesis. Ours:
// a polypropylene beam (E = 1.4 GPa, ν = 0.4) of 100 in, 1 in high and 0.1 in thick, without weight;
// 0.40 N along its high side and 0.02 N across it at the tip; 40 load increments of at most 300
// sweeps; at rest when no tip moves by more than 1e-6 of the length.
namespace thigmo::validation {
namespace {

constexpr double inch = 0.0254;  // [m]

struct Chain {
  std::vector<Numbers3> tips;  // of its elements [m]
  bool at_rest = false;
  int sweeps = 0;
  double seconds = 0;
};

Chain bend(const std::string& method, int elements, int increments, int sweeps) {
  std::string text = fmt::format(
      "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = {}\nlength = {}\nwidth = {}\n"
      "height = {}\nyoung = 1.4e9\npoisson = 0.4\ndensity = 900\ndirection = [1, 0, 0]\n"
      "up = [0, 1, 0]\n[[force]]\nvector = [0, 0.40, 0.02]\n",
      elements, 100 * inch, 0.1 * inch, inch);
  for (int i = 0; i < elements; ++i) {
    text += fmt::format("[[probe]]\nname = \"p{}\"\nat = {}\n", i, i);
  }
  const Outcome<PoseSummary> found = pose({.scenario_file = {},
                                           .scenario_text = text,
                                           .method = method,
                                           .load_increments = increments,
                                           .most_sweeps = sweeps,
                                           .tolerance = 1e-6,
                                           .keep_unsettled = true});
  if (!found) throw std::runtime_error(found.error());
  Chain chain{.tips = {},
              .at_rest = found->settled,
              .sweeps = found->iterations,
              .seconds = found->wall_ms * 1e-3};
  for (const PosedProbe& probe : found->probes) chain.tips.push_back(probe.position);
  return chain;
}

// ε_P = 1/n Σ |P_i - P̄_(m/n)i|² (Hall 2013, eq. 5.1) [in²]
double mean_square(const Chain& chain, const Chain& expected) {
  const std::size_t n = chain.tips.size(), stride = expected.tips.size() / n;
  double sum = 0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double miss = chain.tips[i - 1][axis] - expected.tips[stride * i - 1][axis];
      sum += miss * miss;
    }
  }
  return sum / (static_cast<double>(n) * inch * inch);
}

double largest_miss(const Chain& a, const Chain& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.tips.size(); ++i) {
    largest = std::max(largest, std::hypot(a.tips[i][0] - b.tips[i][0], a.tips[i][1] - b.tips[i][1],
                                           a.tips[i][2] - b.tips[i][2]));
  }
  return largest;
}

constexpr const char* methods[] = {"chain-1r-quadratic", "chain-1r", "chain-3r-quadratic",
                                   "chain-3r"};
constexpr const char* labels[] = {"1R O(n^2)", "1R O(n)", "3R O(n^2)", "3R O(n)"};

// Seconds of one sweep, best of several.
double sweep_seconds(const char* method, int elements) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    const Chain chain = bend(method, elements, 1, 8000 / elements);
    best = std::min(best, chain.seconds / chain.sweeps);
  }
  return best;
}

// Times are for the eye: bench holds them against what is expected.
void draw_growth(CaseResult& result) {
  const std::vector<double> counts = {100, 200, 400, 800};
  Plot plot{.title = "Time of one sweep",
            .x_label = "elements",
            .y_label = "time [s]",
            .series = {},
            .logarithmic_x = true,
            .logarithmic_y = true};
  for (std::size_t k = 0; k < 4; ++k) {
    PlotSeries series{.label = labels[k], .x = counts, .y = {}};
    for (double n : counts) series.y.push_back(sweep_seconds(methods[k], static_cast<int>(n)));
    plot.series.push_back(std::move(series));
  }
  result.plots.push_back({.name = "chain_of_hall_sweep_times", .plot = std::move(plot)});
}

}  // namespace

void chain_of_hall(CaseResult& result) {
  const int counts[] = {1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 200};
  const Chain expected = bend("chain-1r-quadratic", 200, 40, 300);
  check_fact(result, "the 200-element 1R chain comes to rest", expected.at_rest);
  check_fact(result, "it has buckled sideways", std::abs(expected.tips.back()[2]) > 0.1);

  std::map<int, double> error[4];
  Plot errors{.title = "Error against 200 1R elements",
              .x_label = "elements",
              .y_label = "error [in^2]",
              .series = {},
              .logarithmic_x = true,
              .logarithmic_y = true};
  Plot times{.title = "Time of the whole experiment",
             .x_label = "elements",
             .y_label = "time [s]",
             .series = {},
             .logarithmic_x = true,
             .logarithmic_y = true};
  for (const char* label : labels) {
    errors.series.push_back({.label = label, .x = {}, .y = {}});
    times.series.push_back({.label = label, .x = {}, .y = {}});
  }
  for (int n : counts) {
    Chain chain[4];
    std::string row = fmt::format("{:>3} elements:", n);
    for (std::size_t k = 0; k < 4; ++k) {
      chain[k] = bend(methods[k], n, 40, 300);
      error[k][n] = mean_square(chain[k], expected);
      row += fmt::format("  {} {:.3g} in^2{}, {:.3f} s", labels[k], error[k][n],
                         chain[k].at_rest ? "" : " (not at rest)", chain[k].seconds);
      if (error[k][n] > 1e-9) {  // not the rounding of the case that is the measure
        errors.series[k].x.push_back(n);
        errors.series[k].y.push_back(error[k][n]);
      }
      times.series[k].x.push_back(n);
      times.series[k].y.push_back(chain[k].seconds);
    }
    result.notes.push_back(row);
    const Chain shorter[2] = {bend("chain-1r-outer", n, 40, 300),
                              bend("chain-3r-outer", n, 40, 300)};
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const Chain& quadratic = chain[2 * kind];
      if (!quadratic.at_rest) continue;
      check_absolute(result,
                     fmt::format("{} elements, {}: largest way between O(n^2) and O(n) [m]", n,
                                 kind == 0 ? "1R" : "3R"),
                     0, largest_miss(quadratic, chain[2 * kind + 1]), 1e-9);
      check_absolute(result,
                     fmt::format("{} elements, {}: the same for appendix A's form [m]", n,
                                 kind == 0 ? "1R" : "3R"),
                     0, largest_miss(quadratic, shorter[kind]), 1e-9);
    }
    if (n >= 40) {
      check_fact(result, fmt::format("{} elements: all four cases come to rest", n),
                 std::all_of(chain, chain + 4, [](const Chain& c) { return c.at_rest; }));
    }
    if (n >= 20 && n <= 100) {
      check_fact(result, fmt::format("{} elements: 3R is ahead of 1R in both forms", n),
                 error[2][n] < error[0][n] && error[3][n] < error[1][n]);
    }
  }
  for (std::size_t k = 0; k < 4; ++k) {
    check_fact(result,
               fmt::format("{}: error jumps 100-fold between 40 and 25 elements", labels[k]),
               error[k][25] > 100 * error[k][40]);
  }
  if (result.pictures) draw_growth(result);
  result.plots.push_back({.name = "chain_of_hall_errors", .plot = std::move(errors)});
  result.plots.push_back({.name = "chain_of_hall_times", .plot = std::move(times)});
}

}  // namespace thigmo::validation
