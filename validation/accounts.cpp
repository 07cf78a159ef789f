#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "validation/validation.h"

// What users see of the step's accuracy: frequencies, drag, friction, and where energy goes.
namespace thigmo::validation {
namespace {

using std::numbers::pi;
constexpr double usual_step = 1.0 / 60;  // [s]

void advance(World& world, double dt) {
  if (!world.step(dt)) throw std::runtime_error("the motion could not be continued");
}

std::string rod(int segments, const std::string& more) {
  return fmt::format(
      "[[plant]]\nkind = \"rod\"\nsegments = {}\nlength = 1.0\nradius = 0.01\nyoung = 5e9\n"
      "density = 800\ndamping_ratio = 0.05\ndirection = [1, 0, 0]\n{}",
      segments, more);
}

// How far a rod on the ground slides along itself. It begins as deep as the ground carries it.
World lying_rod(double push, double speed) {
  return world_of(fmt::format("gravity = [{}, -9.81, 0]\n[ground]\nfriction = 0.6\n", push) +
                  rod(10, fmt::format("root = \"free\"\nposition = [0, -7.5e-5, 0]\n"
                                      "velocity = [{}, 0, 0]\n",
                                      speed)));
}
double tip_x(const World& world) { return world.probes().at(0).position[0]; }

}  // namespace

// A rod of one segment on a stiff joint, let go from a small angle: no other modes.
void step_frequency(CaseResult& result) {
  Plot plot{.title = "Vibrations in steps of 1/60 s",
            .x_label = "true frequency [Hz]",
            .y_label = "slowed by [%]",
            .series = {line("the scheme's matrix"), dots("a rod in motion", 6)}};
  const auto world_at = [](double frequency) {
    const auto make = [](double young) {
      return world_of(
          fmt::format("gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 1\n"
                      "length = 1.0\nradius = 0.01\nyoung = {}\ndensity = 800\n"
                      "damping_ratio = 0\n[[force]]\nvector = [{}, 0, 0]\nend = 0.1\n",
                      young, young * 2e-11));
    };
    const World first = make(1e9);
    const double at_one = first.first_frequency(first.plant(0));
    return make(1e9 * frequency * frequency / at_one / at_one);
  };
  for (const double frequency : {1.0, 2.0, 4.0, 8.0, 12.0, 15.0}) {
    World world = world_at(frequency);
    const double predicted = world.frequency_error(world.plant(0), usual_step);
    const Track track = follow(world, usual_step, 0.2 + 60 / frequency);
    std::vector<double> time, x;
    for (std::size_t i = 12; i < track.time.size(); ++i) {
      time.push_back(track.time[i]);
      x.push_back(track.position[i][0]);
    }
    const double measured = crossing_frequency(time, x) / world.first_frequency(world.plant(0)) - 1;
    check_absolute(result, fmt::format("{} Hz: found over true, less 1", frequency), predicted,
                   measured, 1e-3);
    add_point(plot.series[1], frequency, -100 * measured);
  }
  World world = world_at(1);
  for (int i = 2; i <= 64; ++i) {
    const double frequency = 0.25 * i;
    add_point(
        plot.series[0], frequency,
        -100 * world.frequency_error(
                   world.plant(0), usual_step * frequency / world.first_frequency(world.plant(0))));
  }
  result.plots.push_back({.name = "step_frequency", .plot = std::move(plot)});
}

// A limp rod turns about its root in still air: w = w0/(1 + c w0 t), c = k L^4/(4 I), with k the drag
// per length and I a third of the mass times the length squared.
void turning_in_air(CaseResult& result) {
  const double radius = 0.01, density = 20, spin = 6, duration = 2;
  const double k = 0.5 * 1.225 * 2 * radius, inertia = density * pi * radius * radius / 3;
  const double c = k / (4 * inertia);
  Plot plot{.title = "A rod turns about its root in still air",
            .x_label = "time [s]",
            .y_label = "angular velocity [rad/s]",
            .series = {line("1 segment, step 1/60 s"), dots("closed form", 6)}};
  for (const int segments : {1, 2, 4}) {
    World world = world_of(fmt::format(
        "gravity = [0, 0, 0]\n[wind]\nkind = \"uniform\"\nmean = [0, 0, 0]\n[[plant]]\n"
        "kind = \"rod\"\nsegments = {}\nlength = 1.0\nradius = {}\nyoung = 1e9\ndensity = {}\n"
        "damping_ratio = 0.2\nroot = \"free\"\npot_mass = 1e6\npot_radius = 1e-6\n"
        "spin = [0, 0, {}]\n",
        segments, radius, density, spin));
    double angular = 0;
    while (world.time() < duration - 1e-9) {
      advance(world, usual_step);
      const Numbers3 v = world.probes().at(0).velocity;
      angular = std::hypot(v[0], v[1], v[2]);
      if (segments == 1) add_point(plot.series[0], world.time(), angular);
    }
    check_relative(result,
                   fmt::format("angular velocity after {} s, {} segments", duration, segments),
                   spin / (1 + c * spin * duration), angular, 0.02);
  }
  for (int i = 0; i <= 20; ++i) {
    const double t = duration * i / 20;
    add_point(plot.series[1], t, spin / (1 + c * spin * t));
  }
  result.plots.push_back({.name = "turning_in_air", .plot = std::move(plot)});
}

void ground_friction(CaseResult& result) {
  const double most = 0.6 * 9.81;
  Plot plot{.title = "A rod slides on the ground, friction 0.6, step 1/60 s",
            .x_label = "time [s]",
            .y_label = "way [m]",
            .series = {}};
  for (const double speed : {1.0, 2.0, 3.0}) {
    World world = lying_rod(0, speed);
    PlotSeries way = line(fmt::format("{} m/s", speed));
    while (world.time() < 1) {
      advance(world, usual_step);
      add_point(way, world.time(), tip_x(world) - 1);
    }
    const double exact = speed * speed / (2 * most);
    check_relative(result, fmt::format("stopping distance from {} m/s [m]", speed), exact,
                   tip_x(world) - 1, 0.02);
    PlotSeries end = dots(fmt::format("v^2/(2 mu g) = {:.3f} m", exact));
    add_point(end, speed / most, exact);
    plot.series.push_back(std::move(way));
    plot.series.push_back(std::move(end));
  }
  for (const double part : {0.5, 0.9}) {
    World world = lying_rod(part * most, 0);
    while (world.time() < 10) advance(world, usual_step);
    check_absolute(result, fmt::format("pushed by {} mu N for 10 s: creeps [m]", part), 0,
                   tip_x(world) - 1, 2e-5);
  }
  for (const double part : {1.5, 3.0}) {
    World world = lying_rod(part * most, 0);
    while (world.time() < 2) advance(world, usual_step);
    check_relative(result, fmt::format("pushed by {} mu N for 2 s: slides [m]", part),
                   0.5 * (part - 1) * most * world.time() * world.time(), tip_x(world) - 1, 0.02);
  }
  result.plots.push_back({.name = "ground_friction", .plot = std::move(plot)});
}

// How a free rod of 1 m falls aslant.
struct Fall {
  double degrees;    // above level
  double height;     // of its lower end [m]
  double stiffness;  // of the ground, over the default
  double friction;
};

// What its account leaves over, of the energy it falls with.
double left_over_aslant(const Fall& fall, double step) {
  const double angle = fall.degrees * pi / 180, weight = 800 * pi * 1e-4 * 9.81;
  const double stiffness = fall.stiffness * weight / 1e-3;
  World world = world_of(fmt::format(
      "[ground]\nstiffness = {}\ndamping = {}\nfriction = {}\n[[plant]]\nkind = \"rod\"\n"
      "segments = 20\nlength = 1.0\nradius = 0.01\nyoung = 5e9\ndensity = 800\n"
      "damping_ratio = 0.05\nroot = \"free\"\nposition = [0, {}, 0]\ndirection = [{}, {}, 0]\n",
      stiffness, 0.5 * std::sqrt(stiffness * weight / 9.81), fall.friction, fall.height,
      std::cos(angle), std::sin(angle)));
  world.keep_account();
  const double energy = world.energies().gravitational;
  while (world.time() < 3) advance(world, step);
  return world.account().numerical / energy;
}

// What falls leave over.
struct LeftOver {
  int falls = 0;
  double worst = 0, squares = 0;

  void add(double left) {
    ++falls;
    squares += left * left;
    if (std::abs(left) > std::abs(worst)) worst = left;
  }
};

// Blows that no step resolves, of both ends one after the other, on soft and hard ground.
void accounts_of_falls_aslant(CaseResult& result) {
  Plot plot{.title = "What a rod that falls aslant by 1 m leaves over, default ground, 1/60 s",
            .x_label = "angle above level [degrees]",
            .y_label = "left over, of its energy [%]",
            .series = {dots("friction 0.6"), dots("no friction")}};
  for (const double step : {usual_step, usual_step / 2, 0.004}) {
    LeftOver usual, hard;
    for (const double stiffness : {0.1, 1.0, 10.0}) {
      for (const double friction : {0.6, 0.0}) {
        for (const double height : {0.3, 1.0, 3.0}) {
          for (int degrees = 0; degrees <= 80; degrees += 10) {
            const double left =
                left_over_aslant({static_cast<double>(degrees), height, stiffness, friction}, step);
            (stiffness <= 1 && height <= 1 ? usual : hard).add(left);
            if (step == usual_step && stiffness == 1 && height == 1) {
              add_point(plot.series[friction > 0 ? 0 : 1], degrees, 100 * left);
            }
          }
        }
      }
    }
    check_absolute(result,
                   fmt::format("{} rods fall aslant, step {:.3g} ms: the most that is left over",
                               usual.falls, 1e3 * step),
                   0, usual.worst, 0.01);
    // The worst of these hangs on rounding: hard ground vibrates by up to 5 rad in a step.
    check_absolute(
        result,
        fmt::format("{} from 3 m or on hard ground: left over, root mean square", hard.falls), 0,
        std::sqrt(hard.squares / hard.falls), 0.01);
    result.notes.push_back(fmt::format(
        "{} rods that fall from 3 m or on hard ground, step {:.3g} ms: {:.2g} % at most",
        hard.falls, 1e3 * step, 100 * hard.worst));
  }
  result.plots.push_back({.name = "energy_account_aslant", .plot = std::move(plot)});
}

void energy_account(CaseResult& result) {
  const struct {
    const char* what;
    std::string text;
    double duration;
    double turnover;  // what the account must be right to 1 % of [J]; 0: the work of the loads
  } rows[] = {
      {"a rod falls by 1 m", "[ground]\n" + rod(20, "root = \"free\"\nposition = [0, 1, 0]\n"), 4,
       800 * pi * 1e-4 * 9.81},
      {"a rod slides to rest",
       "[ground]\n" + rod(10, "root = \"free\"\nposition = [0, 0, 0]\nvelocity = [2, 0, 0]\n"), 2,
       0.5 * 800 * pi * 1e-4 * 4},
      {"a grab draws the tip aside and lets go",
       rod(20, "") + "[[grab]]\nkeys = [[0, 0, 0, 0], [0.5, 0, 0.1, 0.1], [1, 0, 0.1, 0.1]]\n"
                     "stiffness = 200\nrelease = 1.0\n",
       3, 0}};
  for (const auto& row : rows) {
    World world = world_of(row.text);
    world.keep_account();
    Plot plot{.title = std::string("Where energy goes: ") + row.what,
              .x_label = "time [s]",
              .y_label = "energy [J]",
              .series = {line("kinetic"), line("by the ground or grab"), line("numerical")}};
    double most = 0;
    while (world.time() < row.duration - 1e-9) {
      advance(world, usual_step);
      const EnergyWorks works = world.account();
      most = std::max(most, std::abs(works.by_loads));
      add_point(plot.series[0], world.time(), world.energies().kinetic);
      add_point(plot.series[1], world.time(), works.by_ground + works.by_loads);
      add_point(plot.series[2], world.time(), works.numerical);
    }
    const double turnover = row.turnover > 0 ? row.turnover : most;
    check_absolute(result, fmt::format("{}: what is left over, of {:.3g} J", row.what, turnover), 0,
                   world.account().numerical / turnover, 0.01);
    if (row.turnover > 0) {
      check_relative(result, fmt::format("{}: the ground takes [J]", row.what), -row.turnover,
                     world.account().by_ground, 0.01);
    }
    if (&row == rows) result.plots.push_back({.name = "energy_account", .plot = std::move(plot)});
  }
  accounts_of_falls_aslant(result);
}

}  // namespace thigmo::validation
