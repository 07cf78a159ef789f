#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

using std::numbers::pi;

// The frequency between `low` and `high` that a signal has most of.
double peak(const std::vector<double>& time, const std::vector<double>& value, double low,
            double high) {
  const int count = 200;
  double best = low, most = 0;
  for (int i = 0; i <= count; ++i) {
    const double frequency = low + (high - low) * i / count;
    const double amplitude = amplitude_at(time, value, frequency);
    if (amplitude > most) most = amplitude, best = frequency;
  }
  return best;
}

// A rod along x with L = 1 m, EI = 1 N m², 1 kg, pushed along itself at its tip, and its tip's y after
// a touch from the side.
Track pushed_rod(double push) {
  const double radius = 0.01, area = pi * radius * radius, second = area * radius * radius / 4;
  World world = world_of(fmt::format(
      "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 40\nlength = 1.0\nradius = {}\n"
      "young = {}\npoisson = 0.3\ndensity = {}\ndamping_ratio = 0\ndirection = [1, 0, 0]\n"
      "[[force]]\nvector = [0, {}, 0]\nfollower = true\n"
      "[[force]]\nvector = [0, 1e-6, 0]\nend = 0.05\n",
      radius, 1 / second, 1 / area, -push));
  return follow(world, 1e-3, 12.0);
}

double largest(const std::vector<double>& values, std::size_t from, std::size_t to) {
  double most = 0;
  for (std::size_t i = from; i < to; ++i) most = std::max(most, std::abs(values[i]));
  return most;
}

}  // namespace

// ω = ½ j₀ₖ sqrt(g/L), j₀ₖ the zeros of Bessel's J₀.
void hanging_chain(CaseResult& result) {
  World world = world_of(
      "[[plant]]\nkind = \"rod\"\nsegments = 80\nlength = 1.0\nradius = 0.002\nyoung = 1e3\n"
      "poisson = 0.3\ndensity = 800\ndamping_ratio = 0\ndirection = [0.02, -1, 0]\n");
  const Track track = follow(world, 1.0 / 480, 60.0);
  const std::vector<double> x = component(track, 0);
  const double zeros[] = {1.2024127788478864, 2.7600390551431553, 4.326863956455506,
                          5.895767219507141};
  Plot plot{.title = "A hanging chain let go slightly aslant",
            .x_label = "frequency [Hz]",
            .y_label = "in the tip's motion [-]",
            .series = {line("thigmo"), dots("zeros of Bessel's function", 6)},
            .logarithmic_x = true,
            .logarithmic_y = true};
  const double first = amplitude_at(track.time, x, zeros[0] * std::sqrt(9.81) / (2 * pi));
  for (int i = 0; i <= 600; ++i) {
    const double frequency = 0.3 + 3.0 * i / 600;
    plot.series[0].x.push_back(frequency);
    plot.series[0].y.push_back(amplitude_at(track.time, x, frequency) / first);
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const double expected = zeros[k] * std::sqrt(9.81) / (2 * pi);
    add_point(plot.series[1], expected, amplitude_at(track.time, x, expected) / first);
    check_relative(result, fmt::format("frequency {} of a hanging chain [Hz]", k + 1), expected,
                   peak(track.time, x, 0.93 * expected, 1.07 * expected), 1e-2);
  }
  result.plots.push_back({.name = "hanging_chain", .plot = std::move(plot)});
}

// Beck's column flutters under a tangential push of more than 20.05 EI/L².
void becks_column(CaseResult& result) {
  const double critical = 20.05095361897376, omega = 11.015557640922873;
  const Track below = pushed_rod(0.97 * critical), above = pushed_rod(1.03 * critical);
  const std::vector<double> calm = component(below, 1), wild = component(above, 1);
  const auto second = [&](double t) { return static_cast<std::size_t>(t * 1000); };
  check_fact(result, "3 % below the critical push a touch stays as small as it was",
             largest(calm, second(10), second(12)) < 2 * largest(calm, second(0), second(2)));
  check_fact(result, "3 % above it the swing grows a hundredfold",
             largest(wild, second(4), second(6)) > 100 * largest(wild, 0, second(1)));
  // The frequency rises with the push: it is measured close to the critical one.
  const Track just_above = pushed_rod(1.01 * critical);
  const std::vector<double> swing = component(just_above, 1);
  const auto window = [&](const std::vector<double>& values) {
    return std::vector<double>(values.begin() + 4000, values.begin() + 9000);
  };
  check_relative(result, "angular frequency of the flutter [rad/s]", omega,
                 2 * pi * crossing_frequency(window(just_above.time), window(swing)), 3e-2);
  Plot plot{.title = "Beck's column after a touch: largest |y| of the tip in each 0.5 s",
            .x_label = "time [s]",
            .y_label = "|y| [m]",
            .series = {line("0.97 of the critical push"), line("1.01"), line("1.03")},
            .logarithmic_y = true};
  for (double t = 0; t < 12; t += 0.5) {
    std::size_t i = 0;
    for (const std::vector<double>* y : {&calm, &swing, &wild}) {
      add_point(plot.series[i++], t + 0.25, largest(*y, second(t), second(t + 0.5)));
    }
  }
  result.plots.push_back({.name = "becks_column", .plot = std::move(plot)});
}

}  // namespace thigmo::validation
