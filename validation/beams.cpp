#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

constexpr double pi = std::numbers::pi;

// The cantilever of document 000: 1 m, radius 10 mm, E 8.1 GPa, 923 kg/m³, lying along x.
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

}  // namespace

void cantilever_sag(CaseResult& result) {
  const struct {
    int segments;
    double part;
  } rows[] = {{10, 1.2e-2}, {25, 2e-3}, {100, 5e-4}, {250, 5e-4}, {500, 5e-4}};
  for (const auto& row : rows) {
    World world = world_of(beam_text(row.segments, 0.05));
    const Track track = follow(world, 1.0 / 60, 10.0);
    check_relative(result, fmt::format("tip sag with {} segments, step 1/60 s [m]", row.segments),
                   0.0055893, -track.position.back()[1], row.part);
  }
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
  while (world.time() < seconds) {
    world.step(dt);
    time.push_back(world.time());
    height.push_back(world.probes()[0].position[1]);
    worst = std::max(worst, std::abs(total() - start));
    kinetic = std::max(kinetic, world.energies().kinetic);
  }
  check_relative(result, "frequency, 50 segments, step 1/240 s [Hz]", omega / (2 * pi),
                 crossing_frequency(time, height), 5e-3);
  check_absolute(result, "energy drift over 20 periods / largest kinetic energy", 0.0,
                 worst / kinetic, 0.01);
}

void one_hertz_beam(CaseResult& result) {
  World world = world_of(one_hertz_text(0.0));
  // The force never ends within this run: the beam swings undamped about the bent pose.
  const Track track = follow(world, 1.0 / 60, 20.0);
  std::vector<double> height = component(track, 1);
  check_relative(result, "frequency, 200 segments, step 1/60 s [Hz]", 1.0,
                 crossing_frequency(track.time, height), 2e-3);
  const double static_height = 1e-4 / 3 / (std::pow(2 * pi / 3.5160152685, 2) * 800 * pi * 25e-6);
  for (double& h : height) h -= static_height;
  const Peaks peaks = positive_peaks(height);
  check_absolute(result, "numerical damping ratio over 20 s", 0.0,
                 measured_damping(peaks, peaks.value.size() - 1), 2e-4);
}

void damping_ratio(CaseResult& result) {
  for (double ratio : {0.01, 0.05, 0.1, 0.3}) {
    World world = world_of(one_hertz_text(ratio));
    follow(world, 1.0 / 240, 40.0);  // bent and at rest; the force ends here
    const Track track = follow(world, 1.0 / 240, 12.0);
    const Peaks peaks = positive_peaks(component(track, 1));
    check_relative(result, fmt::format("damping ratio {} of a 1 Hz beam, measured back", ratio),
                   ratio, measured_damping(peaks, ratio > 0.2 ? 2 : 6), 0.05);
  }
}

void tip_loads(CaseResult& result) {
  const auto settled = [](const std::string& force) {
    World world = world_of(beam_text(40, 0.4, "gravity = [0, 0, 0]") + "[[force]]\n" + force);
    return follow(world, 1.0 / 240, 12.0).position.back();
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
}

}  // namespace thigmo::validation
