#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

using std::numbers::pi;

// Limp joints: the springs' torque is some 1e-9 of gravity's.
std::string limp_rod(int segments, double length, double radius, double density, Numbers3 direction,
                     const std::string& more = {}) {
  return fmt::format(
      "{}\n[[plant]]\nname = \"rod\"\nkind = \"rod\"\nsegments = {}\nlength = {}\nradius = {}\n"
      "young = 1.0\npoisson = 0.3\ndensity = {}\ndamping_ratio = 0\ndirection = [{}, {}, {}]\n",
      more, segments, length, radius, density, direction[0], direction[1], direction[2]);
}

double angle_from_down(const Numbers3& from, const Numbers3& to) {
  return std::atan2(to[0] - from[0], from[1] - to[1]);
}

// How far the tips of the gallery's two double pendulums, let go 0.0001 rad apart, are from each other.
void draw_chaos(CaseResult& result) {
  Outcome<World> world = load_world(source_file("gallery/scenarios/double_pendulum.toml"));
  if (!world) throw std::runtime_error(world.error());
  Plot plot{.title = "Two double pendulums let go 0.0001 rad apart",
            .x_label = "time [s]",
            .y_label = "distance of their tips [m]",
            .series = {line("thigmo"), dots("0.1 m by Runge and Kutta: 4.911 s", 6)},
            .logarithmic_y = true};
  while (world->time() < 10) {
    if (!world->step(1e-3)) throw std::runtime_error("the motion could not be continued");
    const std::vector<ProbeReading> probes = world->probes();
    const Numbers3 &a = probes.at(0).position, &b = probes.at(1).position;
    add_point(plot.series[0], world->time(), std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
  add_point(plot.series[1], 4.911, 0.1);
  result.plots.push_back({.name = "double_pendulum_chaos", .plot = std::move(plot)});
}

}  // namespace

void rod_pendulum(CaseResult& result) {
  World world = world_of(limp_rod(1, 1.0, 1e-4, 800, {1, 0, 0}));
  const Track track = follow(world, 1e-3, 10.0);
  const struct {
    double time, angle;
  } rows[] = {{0.25, 1.1141599680590397},
              {1.0, -1.5626217180344713},
              {2.0, 1.5380989842222887},
              {5.0, -1.3667145732398653},
              {10.0, 0.7709576225747732}};
  Plot plot{.title = "A rod let go from level",
            .x_label = "time [s]",
            .y_label = "angle from below [rad]",
            .series = {line("thigmo, step 1 ms"), dots("closed form", 6)}};
  for (std::size_t i = 9; i < track.time.size(); i += 10) {
    add_point(plot.series[0], track.time[i], angle_from_down({0, 0, 0}, track.position[i]));
  }
  for (const auto& row : rows) {
    const auto i = static_cast<std::size_t>(std::llround(row.time / 1e-3)) - 1;
    check_absolute(result, fmt::format("angle at {} s, step 1e-3 s [rad]", row.time), row.angle,
                   angle_from_down({0, 0, 0}, track.position[i]), 1e-4);
    add_point(plot.series[1], row.time, row.angle);
  }
  result.plots.push_back({.name = "rod_pendulum", .plot = std::move(plot)});
}

void double_pendulum(CaseResult& result) {
  const double start = 30 * pi / 180, radius = 1e-4;
  const std::string text =
      limp_rod(2, 2.0, radius, 1.0 / (pi * radius * radius),
               {std::sin(start), -std::cos(start), 0}) +
      "[[probe]]\nname = \"elbow\"\nat = 0\n[[probe]]\nname = \"tip\"\nat = \"tip\"\n";
  World world = world_of(text);
  const struct {
    double time, upper, lower;
  } rows[] = {{0.5, 0.06298016032952906, 0.2667092220355396},
              {2.0, 0.214376474884283, 0.4401440871370741},
              {5.0, 0.3633693911422749, 0.5746821297925205},
              {10.0, 0.0875603555967865, 0.3077030022153784}};
  Plot plot{.title = "Two rods let go from 30 degrees",
            .x_label = "time [s]",
            .y_label = "angle from below [rad]",
            .series = {line("upper rod", 0), line("lower rod", 1), dots("equations of motion", 6)}};
  for (const auto& row : rows) {
    while (world.time() < row.time - 1e-9) {
      follow(world, 1e-3, 0.01);
      const std::vector<ProbeReading> now = world.probes();
      add_point(plot.series[0], world.time(), angle_from_down({0, 0, 0}, now[0].position));
      add_point(plot.series[1], world.time(), angle_from_down(now[0].position, now[1].position));
    }
    const std::vector<ProbeReading> probes = world.probes();
    check_absolute(result, fmt::format("upper angle at {} s, step 1e-3 s [rad]", row.time),
                   row.upper, angle_from_down({0, 0, 0}, probes[0].position), 1e-4);
    check_absolute(result, fmt::format("lower angle at {} s, step 1e-3 s [rad]", row.time),
                   row.lower, angle_from_down(probes[0].position, probes[1].position), 1e-4);
    add_point(plot.series[2], row.time, row.upper);
    add_point(plot.series[2], row.time, row.lower);
  }
  result.plots.push_back({.name = "double_pendulum", .plot = std::move(plot)});
  if (result.pictures) draw_chaos(result);
}

// Half the step, a quarter of the error: pendulums after 2 s, where their angles are known to 1e-12.
void step_convergence(CaseResult& result) {
  const double start = 30 * pi / 180, radius = 1e-4;
  const std::string double_rod = limp_rod(2, 2.0, radius, 1.0 / (pi * radius * radius),
                                          {std::sin(start), -std::cos(start), 0}) +
                                 "[[probe]]\nname = \"elbow\"\nat = 0\n";
  const struct {
    const char* label;
    std::string text;
    double angle;  // of the first probe [rad]
  } rows[] = {{"rod from level", limp_rod(1, 1.0, radius, 800, {1, 0, 0}), 1.5380989842222887},
              {"double pendulum, upper rod", double_rod, 0.214376474884283}};
  Plot plot{.title = "Angles after 2 s: error over the step",
            .x_label = "step [s]",
            .y_label = "error [rad]",
            .series = {},
            .logarithmic_x = true,
            .logarithmic_y = true};
  for (const auto& row : rows) {
    PlotSeries series = line("");
    for (double step : {0.008, 0.004, 0.002, 0.001, 0.0005}) {
      World world = world_of(row.text);
      const Track track = follow(world, step, 2.0);
      const double angle = angle_from_down({0, 0, 0}, track.position.back());
      add_point(series, step, std::abs(angle - row.angle));
    }
    const double order = growth_power(series.x, series.y);
    check_absolute(result, fmt::format("{}: order of convergence in the step", row.label), 2, order,
                   0.2);
    series.label = fmt::format("{}: order {:.2f}", row.label, order);
    plot.series.push_back(std::move(series));
  }
  PlotSeries slope = line("order 2", 7);
  for (double step : {0.008, 0.0005}) {
    add_point(slope, step, plot.series[0].y[0] * 0.1 * std::pow(step / 0.008, 2));
  }
  plot.series.push_back(std::move(slope));
  result.plots.push_back({.name = "step_convergence", .plot = std::move(plot)});
}

// K = ρ Cd d L U² / (2 m g), set through the density of the air.
void limp_rod_in_wind(CaseResult& result) {
  const double radius = 0.005, speed = 5, mass = 800 * pi * radius * radius;
  const struct {
    double k, phi_deg;
  } rows[] = {{0.1, 5.682712517718995},
              {0.5, 24.4698005207022},
              {1, 38.17270762701225},
              {5, 64.82160793727232}};
  Plot plot{.title = "A hinged rod in a wind",
            .x_label = "K = drag across / weight [-]",
            .y_label = "angle from below [deg]",
            .series = {line("sin(phi) / cos^2(phi) = K"), dots("thigmo")}};
  for (double phi = 0; phi < 65.5; phi += 0.5) {
    const double angle = phi * pi / 180;
    add_point(plot.series[0], std::sin(angle) / std::pow(std::cos(angle), 2), phi);
  }
  for (const auto& row : rows) {
    const double air = row.k * 2 * mass * 9.81 / (2 * radius * speed * speed);
    World world = world_of(
        limp_rod(1, 1.0, radius, 800, {0, -1, 0},
                 fmt::format("[wind]\nkind = \"uniform\"\nmean = [{}, 0, 0]\nair_density = {}\n"
                             "stem_drag = 1.0\n",
                             speed, air)));
    const Track track = follow(world, 0.01, 60.0);
    const double angle = angle_from_down({0, 0, 0}, track.position.back()) * 180 / pi;
    check_absolute(result, fmt::format("angle of a hinged rod in the wind, K = {} [deg]", row.k),
                   row.phi_deg, angle, 0.2);
    add_point(plot.series[1], row.k, angle);
  }
  result.plots.push_back({.name = "limp_rod_in_wind", .plot = std::move(plot)});
}

}  // namespace thigmo::validation
