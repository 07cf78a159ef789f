#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "validation/validation.h"

// Springs that change slowly while a rod vibrates on them.
namespace thigmo::validation {
namespace {

constexpr double dt = 1.0 / 960;

// A level rod without weight, bent by a force at its tip and let go. Its stiffness goes down from one time to
// another.
constexpr const char* swinging = R"(
duration = 20
gravity = [0, 0, 0]
numerical_damping = 0
[[plant]]
kind = "rod"
segments = 500
length = 1
radius = 0.01
density = 923
damping_ratio = 0
direction = [1, 0, 0]
start = "equilibrium"
young = {}
[[force]]
vector = [0, 0.5, 0]
end = 1e-9
)";

// The same under its weight, damped, from rest where it hangs.
constexpr const char* sagging = R"(
duration = 20
[[plant]]
kind = "rod"
segments = 500
length = 1
radius = 0.01
density = 923
damping_ratio = 0.2
direction = [1, 0, 0]
start = "equilibrium"
young = {}
)";

World with_young(const char* scenario, const std::string& young) {
  std::string text = scenario;
  text.replace(text.find("young = {}"), 10, "young = " + young);
  return world_of(text);
}

// The part of a track from one time to another.
Track part_of(const Track& track, double from, double to) {
  Track part;
  for (std::size_t i = 0; i < track.time.size(); ++i) {
    if (track.time[i] < from || track.time[i] > to) continue;
    part.time.push_back(track.time[i]);
    part.position.push_back(track.position[i]);
  }
  return part;
}

double stored(const World& world) {
  const Energies e = world.energies();
  return e.kinetic + e.elastic + e.gravitational;
}

void vibration(CaseResult& result) {
  constexpr double begin = 3, end = 8, seconds = 11;  // [s]
  World world = with_young(swinging, "{ keys = [[3, 8.1e9], [8, 4.05e9]] }");
  if (!world.keep_account()) throw std::runtime_error("no account");
  const double energy_before = stored(world);
  const Track track = follow(world, dt, seconds);
  const double energy_after = stored(world);
  const Track before = part_of(track, 0, begin), after = part_of(track, end, seconds);
  const double f0 = crossing_frequency(before.time, component(before, 1));
  const double f1 = crossing_frequency(after.time, component(after, 1));
  const double a0 = amplitude_at(before.time, component(before, 1), f0);
  const double a1 = amplitude_at(after.time, component(after, 1), f1);
  // A vibration whose spring changes slowly keeps its action, energy over frequency. With K -> sK of all
  // springs every mode keeps its shape, and f ~ s^(1/2), so that E ~ s^(1/2) and, with E = ½ K A², A ~ s^(-1/4).
  // What a change over N periods leaves of that goes with its slope at its ends, some 1 / (8π N f0 / f).
  const double s = 0.5;
  check_relative(result, "frequency after over before, stiffness to a half", std::sqrt(s), f1 / f0,
                 1e-3);
  check_relative(result, "amplitude of the tip after over before", std::pow(s, -0.25), a1 / a0,
                 5e-3);
  check_relative(result, "energy after over before", std::sqrt(s), energy_after / energy_before,
                 5e-3);
  check_relative(result, "what the change took of the energy, over the energy before",
                 std::sqrt(s) - 1, world.account().by_edits / energy_before, 1e-2);
  Plot plot{.title = "A rod whose stiffness goes to a half",
            .x_label = "time [s]",
            .y_label = "tip [mm]",
            .width = 720,
            .height = 360};
  PlotSeries way = line("tip"), bound = dots("A0 s^(-1/4)");
  for (std::size_t i = 0; i < track.time.size(); i += 2) {
    add_point(way, track.time[i], 1e3 * track.position[i][1]);
  }
  for (double t = 0; t <= seconds; t += 0.25) {
    const double now = 1 - (1 - s) * std::clamp((t - begin) / (end - begin), 0.0, 1.0);
    add_point(bound, t, 1e3 * a0 * std::pow(now, -0.25));
    add_point(bound, t, -1e3 * a0 * std::pow(now, -0.25));
  }
  plot.series = {way, bound};
  result.plots.push_back({.name = "keyed_stiffness", .plot = std::move(plot)});
  result.notes.push_back(
      fmt::format("{:.2f} Hz, {:.1f} periods of change", f0, (end - begin) * f0));
}

void sag(CaseResult& result) {
  World world = with_young(sagging, "{ keys = [[1, 8.1e9], [5, 4.05e9]] }");
  const double before = world.probes()[0].position[1];
  const Track track = follow(world, 1.0 / 240, 8);
  // Small deflections go with the load over the stiffness: ρ A g L⁴ / (8 E I).
  const double expected = -923 * 9.81 * 4 / (8 * 8.1e9 * 0.01 * 0.01);
  check_relative(result, "sag before, over L", expected, before, 1e-3);
  check_relative(result, "sag after over before", 2, track.position.back()[1] / before, 1e-3);
}

}  // namespace

void keyed_stiffness(CaseResult& result) {
  vibration(result);
  sag(result);
}

}  // namespace thigmo::validation
