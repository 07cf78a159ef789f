#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

using std::numbers::pi;
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

// Steady swing of the tip of a Kelvin-Voigt beam, EI (1 + iωη) w'''' = ρA ω² w, η = 2ζ/ω₁, at a
// frequency over the first: β⁴ = λ² (ω/ω₁)² / (1 + iωη), λ = 3.516.
struct KelvinVoigt {
  std::complex<double> stiffening, beta;
  KelvinVoigt(double damping_ratio, double frequency)
      : stiffening(1, 2 * damping_ratio * frequency),
        beta(std::pow(std::pow(3.5160152685 * frequency, 2) / stiffening, 0.25)) {}
  // Over the root's: (cos β + cosh β) / (1 + cos β cosh β).
  double of_foot() const {
    return std::abs((std::cos(beta) + std::cosh(beta)) / (1.0 + std::cos(beta) * std::cosh(beta)));
  }
  // Over the bend of a steady force: 3 (sin β cosh β - cos β sinh β) / (β³ (1 + iωη) (1 + cos β cosh β)).
  double of_force() const {
    return 3 *
           std::abs((std::sin(beta) * std::cosh(beta) - std::cos(beta) * std::sinh(beta)) /
                    (std::pow(beta, 3) * stiffening * (1.0 + std::cos(beta) * std::cosh(beta))));
  }
};

// The theory's curve, and room for what is measured.
Plot response_plot(std::string title, std::string y_label, double damping_ratio, double highest,
                   double (KelvinVoigt::*amplitude)() const) {
  Plot plot{.title = std::move(title),
            .x_label = "frequency / first frequency [-]",
            .y_label = std::move(y_label),
            .series = {line("Kelvin-Voigt beam, closed form"), dots("thigmo")},
            .logarithmic_x = true,
            .logarithmic_y = true};
  const int count = 400;
  for (int i = 0; i <= count; ++i) {
    const double frequency = 0.25 * std::pow(highest / 0.25, static_cast<double>(i) / count);
    add_point(plot.series[0], frequency, (KelvinVoigt(damping_ratio, frequency).*amplitude)());
  }
  return plot;
}

}  // namespace

void shaken_root(CaseResult& result) {
  const double root = 1e-4, damping_ratio = 0.02;  // small: bending stays linear at resonance
  const Response rows[] = {{0.25, 1.1030925157290274, -0.0009976401231705796},
                           {0.5, 1.5164814269201992, -0.00910353864719311},
                           {0.9, 7.527164863204656, -0.1628604700845352},
                           {1.0, 39.160948876394166, -1.545800060975766},
                           {1.1, 7.880070823855783, -2.909847766944638},
                           {1.5, 1.866295833920625, -3.0708914559690825},
                           {2.0, 1.1794027570974153, -3.101388312118086},
                           {3.0, 1.000380591885812, 3.130404612447349},
                           {5.0, 1.8669498282954105, 2.802889534370338}};
  Plot plot = response_plot("A shaken root, damping ratio 0.02", "swing of tip / of root [-]",
                            damping_ratio, 5, &KelvinVoigt::of_foot);
  for (const Response& row : rows) {
    const Swing swing = steady_swing(
        damping_ratio, row.frequency,
        fmt::format(
            "[[motion]]\nwave = [{{ amplitude = [0, {}, 0], frequency = {}, ramp = 10 }}]\n", root,
            row.frequency));
    const Response measured{row.frequency, swing.amplitude / root, swing.phase};
    check_response(result, "tip / root, ratio 0.02", row, measured);
    add_point(plot.series[1], measured.frequency, measured.amplitude);
  }
  result.plots.push_back({.name = "shaken_root", .plot = std::move(plot)});
}

// A grab so weak that its force k (target - tip) is k · target to 1e-4.
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
  Plot plot =
      response_plot("A force that shakes the tip, damping ratio 0.05",
                    "swing / bend of a steady force [-]", damping_ratio, 3, &KelvinVoigt::of_force);
  for (const Response& row : rows) {
    const Swing swing = steady_swing(
        damping_ratio, row.frequency,
        fmt::format("[[grab]]\nstiffness = {}\nwave = [{{ amplitude = [0, 1, 0], frequency = {}, "
                    "ramp = 10 }}]\n",
                    force, row.frequency));
    check_response(result, "swing / steady bend, ratio 0.05", row,
                   {row.frequency, swing.amplitude / 1e-4, swing.phase});
    add_point(plot.series[1], row.frequency, swing.amplitude / 1e-4);
  }
  result.plots.push_back({.name = "shaken_tip", .plot = std::move(plot)});
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
  Plot plot{.title = "A level rod falls through air",
            .x_label = "g t / v_t [-]",
            .y_label = "speed / v_t, fallen g / v_t^2 [-]",
            .series = {line("tanh", 0), line("ln cosh", 1), dots("thigmo: speed", 0),
                       dots("thigmo: fallen", 1)}};
  for (double t = 0; t <= 5; t += 0.05) {
    add_point(plot.series[0], t, std::tanh(t));
    add_point(plot.series[1], t, std::log(std::cosh(t)));
  }
  for (const auto& row : rows) {
    follow(world, dt, row.time * terminal / g - world.time());
    const ProbeReading tip = world.probes()[0];
    check_absolute(result, fmt::format("speed at g t / v_t = {}, over v_t", row.time), row.speed,
                   -tip.velocity[1] / terminal, 5e-3);
    check_relative(result, fmt::format("fallen at g t / v_t = {}, over v_t^2/g", row.time),
                   row.fallen, -tip.position[1] * g / (terminal * terminal), 5e-3);
    add_point(plot.series[2], row.time, -tip.velocity[1] / terminal);
    add_point(plot.series[3], row.time, -tip.position[1] * g / (terminal * terminal));
  }
  result.plots.push_back({.name = "falling_rod", .plot = std::move(plot)});
}

// Small swings of an undamped rod in a wind across it: ζ = ρ Cd d U / (2 ρA ω) along the wind, and half
// of it across.
void swinging_in_wind(CaseResult& result) {
  const double speed = 2, air = 1.225, push = 0.003 * 3 * bending;
  const double along = air * 2 * radius * speed / (2 * line_mass * 2 * pi);
  double measured[2];
  Plot plot{.title = "An undamped 1 Hz rod swings in a wind of 2 m/s",
            .x_label = "time [s]",
            .y_label = "amplitude / first [-]",
            .series = {line("along, closed form", 0), line("across, closed form", 1),
                       dots("thigmo: along", 0), dots("thigmo: across", 1)}};
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
    for (double& v : value) v -= rest;
    // The first mode alone, in windows of four periods.
    const Amplitudes swing =
        amplitudes_over_time({track.time.begin(), track.time.begin() + 14 * 240},
                             {value.begin(), value.begin() + 14 * 240}, 1.0, 960, 240);
    measured[across] = damping_of(swing, 1.0);
    for (std::size_t i = 0; i < swing.time.size(); ++i) {
      const double t = swing.time[i] - swing.time[0], ratio = across == 0 ? along : along / 2;
      add_point(plot.series[across], t, std::exp(-ratio * 2 * pi * t));
      add_point(plot.series[2 + across], t, swing.value[i] / swing.value[0]);
    }
  }
  check_relative(result, "damping ratio along the wind", along, measured[0], 0.1);
  check_relative(result, "damping ratio across the wind", along / 2, measured[1], 0.1);
  check_absolute(result, "along / across", 2, measured[0] / measured[1], 0.1);
  result.plots.push_back({.name = "swinging_in_wind", .plot = std::move(plot)});
}

}  // namespace thigmo::validation
