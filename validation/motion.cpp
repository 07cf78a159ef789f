#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double radius = 0.005, density = 800, line_mass = density * pi * radius * radius;
// E I of a rod of 1 m whose first mode has 1 Hz: ω₁ = 3.516 sqrt(E I / ρA) / L².
const double bending = line_mass * std::pow(2 * pi / 3.5160152685, 2);
const double young = bending / (pi / 4 * std::pow(radius, 4));

// It lies along x, without weight, so that only the shaking moves it.
std::string one_hertz_rod(double damping_ratio, const std::string& before) {
  return fmt::format(
      "gravity = [0, 0, 0]\n{}\n[[plant]]\nkind = \"rod\"\nsegments = 60\nlength = 1.0\n"
      "radius = {}\nyoung = {}\npoisson = 0.3\ndensity = {}\ndamping_ratio = {}\n"
      "direction = [1, 0, 0]\nup = [0, 1, 0]\n",
      before, radius, young, density, damping_ratio);
}

struct Swing {
  double amplitude, phase;  // [m], [rad] of amplitude · sin(2π f t + phase)
};

// Least squares over whole periods, where sine, cosine and a constant are orthogonal.
Swing swing_of(const std::vector<double>& time, const std::vector<double>& value, double frequency,
               double periods) {
  const double from = time.back() - periods / frequency;
  double in_phase = 0, across = 0;
  int count = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (time[i] <= from + 1e-9) continue;
    in_phase += value[i] * std::sin(2 * pi * frequency * time[i]);
    across += value[i] * std::cos(2 * pi * frequency * time[i]);
    ++count;
  }
  return {2 * std::hypot(in_phase, across) / count, std::atan2(across, in_phase)};
}

// Steady motion of the tip under a shaking of that frequency [Hz] across the rod.
Swing steady_swing(double damping_ratio, double frequency, const std::string& shaking) {
  // The ramp of 10 s leaves little of the rod's own swing, and exp(-8) of that is left at the end.
  const double periods = 10;
  const double seconds = 20 + 8 / (2 * pi * damping_ratio) + periods / frequency;
  const double dt = 1 / (240 * std::max(1.0, frequency / 2));
  World world =
      world_of(one_hertz_rod(damping_ratio, fmt::format("duration = {}", seconds)) + shaking);
  const Track track = follow(world, dt, seconds);
  return swing_of(track.time, component(track, 1), frequency, periods);
}

struct Response {
  double frequency, amplitude, phase;  // over the first mode's; over the source's unit; [rad]
};

// D9 asks for 3 %, and for 5 % at resonance; a phase is off by as many radians as an amplitude by parts.
void check_response(CaseResult& result, const std::string& what, const Response& expected,
                    const Response& measured) {
  const double part = std::abs(expected.frequency - 1) < 0.06 ? 0.05 : 0.03;
  check_relative(result, fmt::format("{}, {} of the first frequency", what, expected.frequency),
                 expected.amplitude, measured.amplitude, part);
  const double turns = std::round((expected.phase - measured.phase) / (2 * pi));
  check_absolute(result, "  its phase [rad]", expected.phase, measured.phase + 2 * pi * turns,
                 part);
}

void add_response(PlotSeries& series, const Response& response) {
  series.x.push_back(response.frequency);
  series.y.push_back(response.amplitude);
}

}  // namespace

void shaken_foot(CaseResult& result) {
  const double foot = 1e-4, damping_ratio = 0.02;  // small: bending stays linear at resonance
  const Response rows[] = {{0.25, 1.1030925157290274, -0.0009976401231705796},
                           {0.5, 1.5164814269201992, -0.00910353864719311},
                           {0.9, 7.527164863204656, -0.1628604700845352},
                           {1.0, 39.160948876394166, -1.545800060975766},
                           {1.1, 7.880070823855783, -2.909847766944638},
                           {1.5, 1.866295833920625, -3.0708914559690825},
                           {2.0, 1.1794027570974153, -3.101388312118086},
                           {3.0, 1.000380591885812, 3.130404612447349},
                           {5.0, 1.8669498282954105, 2.802889534370338}};
  Plot plot{
      .title = "A shaken foot: swing of the tip over that of the foot",
      .x_label = "frequency / first frequency [-]",
      .y_label = "tip / foot [-]",
      .series = {{.label = "closed form", .x = {}, .y = {}}, {.label = "thigmo", .x = {}, .y = {}}},
      .logarithmic = true};
  for (const Response& row : rows) {
    const Swing swing = steady_swing(
        damping_ratio, row.frequency,
        fmt::format(
            "[[motion]]\nwave = [{{ amplitude = [0, {}, 0], frequency = {}, ramp = 10 }}]\n", foot,
            row.frequency));
    const Response measured{row.frequency, swing.amplitude / foot, swing.phase};
    check_response(result, "tip / foot, ratio 0.02", row, measured);
    add_response(plot.series[0], row);
    add_response(plot.series[1], measured);
  }
  result.plots.push_back({.name = "shaken_foot", .plot = std::move(plot)});
}

// A hand with so weak a grip that its force k (hand - tip) is k · hand to 1e-4.
void shaken_tip(CaseResult& result) {
  const double damping_ratio = 0.05, force = 1e-4 * 3 * bending;  // bends by 1e-4 m when steady
  const Response rows[] = {{0.25, 1.0643754538183592, -0.026615374495269836},
                           {0.5, 1.3208162506072716, -0.06620412818265932},
                           {0.75, 2.216278826186364, -0.16852519377451539},
                           {0.9, 4.645008998686072, -0.44017450251270335},
                           {1.0, 9.709959627829525, -1.5677418732558994},
                           {1.1, 4.06985773197553, -2.6549583654951605},
                           {1.5, 0.7417570650717488, -3.0109722441525504},
                           {2.0, 0.2928161190769052, -3.045088239136174},
                           {3.0, 0.09057800283812817, -2.9561828767770466}};
  for (const Response& row : rows) {
    const Swing swing = steady_swing(
        damping_ratio, row.frequency,
        fmt::format("[[pull]]\nstiffness = {}\nwave = [{{ amplitude = [0, 1, 0], frequency = {}, "
                    "ramp = 10 }}]\n",
                    force, row.frequency));
    check_response(result, "swing / steady bend, ratio 0.05", row,
                   {row.frequency, swing.amplitude / 1e-4, swing.phase});
  }
}

// v = v_t tanh(g t / v_t), fallen v_t²/g ln cosh(g t / v_t), v_t² = 2 m g / (ρ Cd d L)
void falling_rod(CaseResult& result) {
  const double g = 9.81, air = 1.225;
  const double terminal = std::sqrt(2 * line_mass * g / (air * 2 * radius));
  const struct {
    double time, speed, fallen;  // over v_t / g, v_t and v_t² / g
  } rows[] = {{0.25, 0.24491866240370913, 0.030929803620161372},
              {0.5, 0.46211715726000974, 0.12011450695827752},
              {1, 0.7615941559557649, 0.4337808304830272},
              {2, 0.9640275800758169, 1.3250027473578645},
              {3, 0.9950547536867305, 2.309328504577785},
              {5, 0.9999092042625951, 4.3068982183392714}};
  World world = world_of(fmt::format(
      "gravity = [0, -{}, 0]\n[wind]\nkind = \"still\"\nair_density = {}\nstem_drag = 1.0\n"
      "[[plant]]\nkind = \"rod\"\nroot = \"free\"\nsegments = 10\nlength = 1.0\nradius = {}\n"
      "young = 1e10\npoisson = 0.3\ndensity = {}\ndamping_ratio = 0.05\ndirection = [1, 0, 0]\n",
      g, air, radius, density));
  // A whole number of steps to each row.
  const double dt = 0.005 * terminal / g;
  for (const auto& row : rows) {
    follow(world, dt, row.time * terminal / g - world.time());
    const ProbeReading tip = world.probes()[0];
    check_absolute(result, fmt::format("speed at g t / v_t = {}, over v_t", row.time), row.speed,
                   -tip.velocity[1] / terminal, 5e-3);
    check_relative(result, fmt::format("fallen at g t / v_t = {}, over v_t^2/g", row.time),
                   row.fallen, -tip.position[1] * g / (terminal * terminal), 5e-3);
  }
}

// Small swings of an undamped rod in a wind across it: ζ = ρ Cd d U / (2 ρA ω) along the wind, and half
// of it across.
void swinging_in_wind(CaseResult& result) {
  const double speed = 2, air = 1.225, push = 0.003 * 3 * bending;
  const double along = air * 2 * radius * speed / (2 * line_mass * 2 * pi);
  double measured[2];
  for (std::size_t across = 0; across < 2; ++across) {
    World world =
        world_of(one_hertz_rod(0, fmt::format("[wind]\nkind = \"uniform\"\nmean = [0, {}, 0]\n"
                                              "air_density = {}\nstem_drag = 1.0\n",
                                              speed, air)) +
                 fmt::format("[[force]]\nvector = [0, {}, {}]\nend = 60.0\n",
                             across == 0 ? push : 0, across == 0 ? 0 : push));
    follow(world, 1.0 / 240, 60.0);
    const Track track = follow(world, 1.0 / 240, 60.0);
    std::vector<double> value = component(track, 1 + across);
    const double rest = value.back();
    // Slope of the logarithm of the swing's peaks, over the first ten.
    std::vector<double> time, peak;
    for (std::size_t i = 1; i + 1 < value.size() && peak.size() < 10; ++i) {
      if (value[i] > value[i - 1] && value[i] >= value[i + 1] && value[i] > rest) {
        time.push_back(track.time[i]);
        peak.push_back(std::log(value[i] - rest));
      }
    }
    if (peak.size() < 10) {
      result.failure = "the rod does not swing";
      return;
    }
    measured[across] = (peak.front() - peak.back()) / ((time.back() - time.front()) * 2 * pi);
  }
  check_relative(result, "damping ratio along the wind", along, measured[0], 0.1);
  check_relative(result, "damping ratio across the wind", along / 2, measured[1], 0.1);
  check_absolute(result, "along / across", 2, measured[0] / measured[1], 0.1);
}

}  // namespace thigmo::validation
