#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

using std::numbers::pi;

// The cantilever of Garcia 2023: 1 m, radius 10 mm, E 8.1 GPa, 923 kg/m³, lying along x.
std::string beam_text(int segments, double damping_ratio, const std::string& more = {}) {
  return fmt::format(
      "{}\n[[plant]]\nname = \"beam\"\nkind = \"rod\"\nsegments = {}\nlength = 1.0\nradius = 0.01\n"
      "young = 8.1e9\npoisson = 0.3\ndensity = 923\ndamping_ratio = {}\ndirection = [1, 0, 0]\n"
      "up = [0, 1, 0]\n",
      more, segments, damping_ratio);
}

constexpr double bending = 8.1e9 * pi / 4 * 1e-8;                       // E I [N m²]
const double omega = 3.5160152685 * std::sqrt(8.1e9 * 1e-4 / 4 / 923);  // first mode [rad/s]

// A slender rod tuned to 1 Hz: L = 1 m, r = 5 mm, ρ = 800, E = (2π / 3.516)² ρ A / I.
std::string one_hertz_text(double damping_ratio) {
  const double young = std::pow(2 * pi / 3.5160152685, 2) * 800 * 4 / (0.005 * 0.005);
  return fmt::format(
      "gravity = [0, 0, 0]\n[[plant]]\nname = \"beam\"\nkind = \"rod\"\nsegments = 200\n"
      "length = 1.0\nradius = 0.005\nyoung = {}\npoisson = 0.3\ndensity = 800\n"
      "damping_ratio = {}\ndirection = [1, 0, 0]\nup = [0, 1, 0]\n"
      "[[force]]\nvector = [0, 1e-4, 0]\nend = 40.0\n",
      young, damping_ratio);
}

struct Peaks {
  std::vector<double> value;
};

Peaks positive_peaks(const std::vector<double>& value) {
  Peaks peaks;
  for (std::size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] > 0 && value[i] > value[i - 1] && value[i] >= value[i + 1]) {
      // Vertex of the parabola through three samples.
      const double a = value[i - 1], b = value[i], c = value[i + 1];
      const double curvature = a - 2 * b + c;
      peaks.value.push_back(curvature == 0 ? b : b - (a - c) * (a - c) / (8 * curvature));
    }
  }
  return peaks;
}

// Mean ratio of the decrement of the first `count` peaks.
double measured_damping(const Peaks& peaks, std::size_t count) {
  const std::size_t last = std::min(count, peaks.value.size() - 1);
  const double decrement = std::log(peaks.value[0] / peaks.value[last]) / static_cast<double>(last);
  return decrement / std::sqrt(4 * pi * pi + decrement * decrement);
}

// Simulated over real seconds at steps of 1/60 s, best of three; undamped, since a beam at rest falls
// asleep and costs nothing.
double real_time_factor(int segments) {
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    World world = world_of(beam_text(segments, 0));
    const auto start = std::chrono::steady_clock::now();
    while (world.time() < 2.0) world.step(1.0 / 60);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    best = std::max(best, world.time() / wall.count());
  }
  return best;
}

// y(t) of the tip of a straight cantilever that its weight takes at t = 0, by its first four modes:
// Σ g φₙ(L) ∫φₙ/L (1 - cos ωₙt) / ωₙ², φₙ(L) = 2 (-1)ⁿ⁺¹, ∫φₙ = 2 σₙ L / βₙ.
double falling_tip(double time) {
  const double beta[] = {1.87510407, 4.69409113, 7.85475744, 10.99554073};
  const double sigma[] = {0.734095514, 1.018467319, 0.999224497, 1.000033553};
  double y = 0, sign = 1;
  for (std::size_t n = 0; n < 4; ++n, sign = -sign) {
    const double rate = omega * std::pow(beta[n] / beta[0], 2);
    y -= 9.81 * sign * 4 * sigma[n] / beta[n] * (1 - std::cos(rate * time)) / (rate * rate);
  }
  return y;
}

}  // namespace

void cantilever_sag(CaseResult& result) {
  const double exact = 0.0055893;
  const struct {
    int segments;
    double part, document, document_step;  // its sag [m] and largest stable step [s]
  } rows[] = {{10, 1.2e-2, 0.0067664, 2e-4},
              {25, 2e-3, 0.0060488, 3e-5},
              {100, 5e-4, 0.0057051, 1e-6},
              {250, 5e-4, 0.0056376, 3e-7},
              {500, 5e-4, 0.0056155, 7e-8}};
  Plot errors{.title = "Sag of the cantilever: part of 5.5893 mm that is missed",
              .x_label = "segments",
              .y_label = "error [-]",
              .series = {line("Garcia 2023"), line("thigmo, step 1/60 s")},
              .logarithmic_x = true,
              .logarithmic_y = true};
  Plot steps{.title = "Largest step",
             .x_label = "segments",
             .y_label = "step [s]",
             .series = {line("Garcia 2023: stable up to here"), line("thigmo: this was run")},
             .logarithmic_x = true,
             .logarithmic_y = true};
  // Figure 9.18 of the thesis, without rendering; its n are degrees of freedom, three a joint.
  Plot speed{.title = "Simulated seconds a second",
             .x_label = "segments",
             .y_label = "times real time [-]",
             .series = {{"Garcia 2023: its plants",
                         {15, 17, 21, 33, 50},
                         {6.478, 5.064, 3.151, 1.028, 0.691}},
                        line("thigmo: this cantilever, one thread")},
             .logarithmic_x = true,
             .logarithmic_y = true};
  for (const auto& row : rows) {
    World world = world_of(beam_text(row.segments, 0.05));
    const Track track = follow(world, 1.0 / 60, 10.0);
    const double sag = -track.position.back()[1];
    check_relative(result, fmt::format("tip sag with {} segments, step 1/60 s [m]", row.segments),
                   exact, sag, row.part);
    const double factor = real_time_factor(row.segments);
    result.notes.push_back(fmt::format(
        "{} segments: step 1/60 s is {:.2g} times the thesis's largest, {:.2g} times real time",
        row.segments, 1 / (60 * row.document_step), factor));
    add_point(errors.series[0], row.segments, std::abs(row.document / exact - 1));
    add_point(errors.series[1], row.segments, std::abs(sag / exact - 1));
    add_point(steps.series[0], row.segments, row.document_step);
    add_point(steps.series[1], row.segments, 1.0 / 60);
    add_point(speed.series[1], row.segments, factor);
  }
  result.plots.push_back({.name = "cantilever_sag", .plot = std::move(errors)});
  result.plots.push_back({.name = "cantilever_sag_step", .plot = std::move(steps)});
  result.plots.push_back({.name = "cantilever_sag_speed", .plot = std::move(speed)});
}

void cantilever_vibration(CaseResult& result) {
  World world = world_of(beam_text(50, 0.0));
  const auto total = [&world] {
    const Energies e = world.energies();
    return e.kinetic + e.elastic + e.gravitational;
  };
  const double start = total();
  const double dt = 1.0 / 240, seconds = 20 * 2 * pi / omega;
  double worst = 0, kinetic = 0;
  std::vector<double> time, height;
  Plot energy{.title = "Energies of the same beam",
              .x_label = "time [s]",
              .y_label = "energy [J]",
              .series = {line("kinetic"), line("elastic"), line("of height"), line("sum")}};
  while (world.time() < seconds) {
    world.step(dt);
    time.push_back(world.time());
    height.push_back(world.probes()[0].position[1]);
    const Energies e = world.energies();
    if (world.time() < 4 * 2 * pi / omega) {
      add_point(energy.series[0], world.time(), e.kinetic);
      add_point(energy.series[1], world.time(), e.elastic);
      add_point(energy.series[2], world.time(), e.gravitational);
      add_point(energy.series[3], world.time(), total());
    }
    worst = std::max(worst, std::abs(total() - start));
    kinetic = std::max(kinetic, world.energies().kinetic);
  }
  check_relative(result, "frequency, 50 segments, step 1/240 s [Hz]", omega / (2 * pi),
                 crossing_frequency(time, height), 5e-3);
  check_absolute(result, "energy drift over 20 periods / largest kinetic energy", 0.0,
                 worst / kinetic, 0.01);
  Plot fall{.title = "A cantilever is let go under its weight",
            .x_label = "time [s]",
            .y_label = "tip [m]",
            .series = {line("sum of four modes, closed form"), dots("thigmo, step 1/240 s")}};
  for (std::size_t i = 0; i < time.size() && time[i] < 4 * 2 * pi / omega; ++i) {
    for (int k = 3; k >= 0; --k) {
      const double t = time[i] - 0.25 * k * dt;
      add_point(fall.series[0], t, falling_tip(t));
    }
    add_point(fall.series[1], time[i], height[i]);
  }
  result.plots.push_back({.name = "cantilever_vibration", .plot = std::move(fall)});
  result.plots.push_back({.name = "cantilever_vibration_energy", .plot = std::move(energy)});
}

void one_hertz_beam(CaseResult& result) {
  World world = world_of(one_hertz_text(0.0));
  // The force never ends within this run: the beam swings undamped about the bent pose.
  const Track track = follow(world, 1.0 / 60, 20.0);
  const std::vector<double> height = component(track, 1);
  const double frequency = crossing_frequency(track.time, height);
  check_relative(result, "frequency, 200 segments, step 1/60 s [Hz]", 1.0, frequency, 2e-3);
  // The first mode alone, in windows of four periods: the others, at 6.3 Hz and above, beat with it.
  const Amplitudes swing = amplitudes_over_time(track.time, height, frequency, 240, 60);
  check_absolute(result, "numerical damping ratio over 20 s", 0.0, damping_of(swing, frequency),
                 2e-4);
  Plot plot{.title = "An undamped 1 Hz beam, step 1/60 s: amplitude of its first mode",
            .x_label = "time [s]",
            .y_label = "amplitude / that at 2 s [-]",
            .series = {line("no loss"), line("allowed: damping ratio 2e-4"), dots("thigmo")}};
  for (std::size_t i = 0; i < swing.time.size(); ++i) {
    const double t = swing.time[i];
    add_point(plot.series[0], t, 1);
    add_point(plot.series[1], t, std::exp(-2e-4 * 2 * pi * (t - swing.time[0])));
    add_point(plot.series[2], t, swing.value[i] / swing.value[0]);
  }
  result.plots.push_back({.name = "one_hertz_beam", .plot = std::move(plot)});
}

void damping_ratio(CaseResult& result) {
  Plot plot{.title = "A 1 Hz beam let go: lines thigmo, dots exp(-zeta omega t)",
            .x_label = "time [s]",
            .y_label = "tip / start [-]",
            .series = {}};
  for (double ratio : {0.01, 0.05, 0.1, 0.3}) {
    World world = world_of(one_hertz_text(ratio));
    follow(world, 1.0 / 240, 40.0);  // bent and at rest; the force ends here
    const Track track = follow(world, 1.0 / 240, 12.0);
    const std::vector<double> height = component(track, 1);
    const Peaks peaks = positive_peaks(height);
    check_relative(result, fmt::format("damping ratio {} of a 1 Hz beam, measured back", ratio),
                   ratio, measured_damping(peaks, ratio > 0.2 ? 2 : 6), 0.05);
    const int colour = static_cast<int>(plot.series.size()) / 2;
    PlotSeries swing = line(fmt::format("ratio {}", ratio), colour), envelope = dots("", colour);
    for (std::size_t i = 0; i < height.size() && track.time[i] < 46; ++i) {
      add_point(swing, track.time[i] - 40, height[i] / height[0]);
    }
    // The force's bend is 0.97 of the first mode; the damped swing peaks at whole damped periods.
    const double period = 1 / std::sqrt(1 - ratio * ratio);
    for (int k = 1; k * period < 6; ++k) {
      add_point(envelope, k * period, 0.9707 * std::exp(-ratio * 2 * pi * k * period));
    }
    plot.series.push_back(std::move(swing));
    plot.series.push_back(std::move(envelope));
  }
  result.plots.push_back({.name = "damping_ratio", .plot = std::move(plot)});
}

void tip_loads(CaseResult& result) {
  Plot plot{.title = "A beam bends to rest under a load at its tip",
            .x_label = "time [s]",
            .y_label = "tip y / L [-]",
            .series = {line("dead force"), line("moment"), line("follower force")}};
  PlotSeries exact = dots("closed forms", 6);
  auto settled = [&plot, load = std::size_t{0}](const std::string& force) mutable {
    World world = world_of(beam_text(40, 0.4, "gravity = [0, 0, 0]") + "[[force]]\n" + force);
    const Track track = follow(world, 1.0 / 240, 12.0);
    for (std::size_t i = 0; i < track.time.size() && track.time[i] < 1; ++i) {
      add_point(plot.series[load], track.time[i], track.position[i][1]);
    }
    ++load;
    return track.position.back();
  };
  const Numbers3 dead = settled(fmt::format("vector = [0, {}, 0]\n", 2 * bending));
  check_absolute(result, "dead force P L^2/EI = 2, tip y / L", 0.49346, dead[1], 2e-3);
  check_absolute(result, "dead force P L^2/EI = 2, shortening / L", 0.16064, 1 - dead[0], 2e-3);
  const Numbers3 moment = settled(fmt::format("moment = [0, 0, {}]\n", bending));
  check_absolute(result, "moment M L/EI = 1, tip x / L", std::sin(1.0), moment[0], 2e-3);
  check_absolute(result, "moment M L/EI = 1, tip y / L", 1 - std::cos(1.0), moment[1], 2e-3);
  const Numbers3 follower = settled(fmt::format("vector = [0, 0, {}]\nfollower = true\n", bending));
  check_absolute(result, "follower force P L^2/EI = 1, tip x / L", 0.935645669, follower[0], 1e-2);
  check_absolute(result, "follower force P L^2/EI = 1, tip y / L", 0.320641995, follower[1], 1e-2);
  for (double y : {0.49346, 1 - std::cos(1.0), 0.320641995}) add_point(exact, 1, y);
  plot.series.push_back(std::move(exact));
  result.plots.push_back({.name = "tip_loads", .plot = std::move(plot)});
}

}  // namespace thigmo::validation
