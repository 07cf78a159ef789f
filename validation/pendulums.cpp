#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

constexpr double pi = std::numbers::pi;

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
  for (const auto& row : rows) {
    const auto i = static_cast<std::size_t>(std::llround(row.time / 1e-3)) - 1;
    check_absolute(result, fmt::format("angle at {} s, step 1e-3 s [rad]", row.time), row.angle,
                   angle_from_down({0, 0, 0}, track.position[i]), 1e-4);
  }
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
  for (const auto& row : rows) {
    follow(world, 1e-3, row.time - world.time());
    const std::vector<ProbeReading> probes = world.probes();
    check_absolute(result, fmt::format("upper angle at {} s, step 1e-3 s [rad]", row.time),
                   row.upper, angle_from_down({0, 0, 0}, probes[0].position), 1e-4);
    check_absolute(result, fmt::format("lower angle at {} s, step 1e-3 s [rad]", row.time),
                   row.lower, angle_from_down(probes[0].position, probes[1].position), 1e-4);
  }
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
  for (const auto& row : rows) {
    const double air = row.k * 2 * mass * 9.81 / (2 * radius * speed * speed);
    World world = world_of(
        limp_rod(1, 1.0, radius, 800, {0, -1, 0},
                 fmt::format("[wind]\nkind = \"uniform\"\nmean = [{}, 0, 0]\nair_density = {}\n"
                             "stem_drag = 1.0\n",
                             speed, air)));
    const Track track = follow(world, 0.01, 60.0);
    check_absolute(result, fmt::format("angle of a hinged rod in the wind, K = {} [deg]", row.k),
                   row.phi_deg, angle_from_down({0, 0, 0}, track.position.back()) * 180 / pi, 0.2);
  }
}

}  // namespace thigmo::validation
