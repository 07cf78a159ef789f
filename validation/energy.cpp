#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "validation/random_plants.h"
#include "validation/rod_chain.h"
#include "validation/validation.h"

// Nothing drives these plants: their energy may only fall.
namespace thigmo::validation {
namespace {

constexpr double periods = 20;  // of the lowest mode

double sum(const Energies& e) { return e.kinetic + e.elastic + e.gravitational; }

// What became of a plant that was let go from rest; parts of the most that its fall set free.
struct Swing {
  double gain = 0, loss = 0;
  double out_of_plane = 0;  // the farthest that a segment left the plane z = 0 [m]
  bool finite = true;
  std::int64_t retaken = 0, braked = 0;  // substeps; joints, in each substep anew
};

double twenty_periods(const World& world) {
  return periods / world.first_frequency(world.plant(0));
}

Swing let_go(World& world, double dt, double seconds, PlotSeries* curve = nullptr) {
  Swing swing;
  const double start = sum(world.energies()), period = 1 / world.first_frequency(world.plant(0));
  double highest = start, lowest = start, moved = 0;
  const auto steps = static_cast<int>(std::ceil(seconds / dt));
  for (int i = 0; i < steps && swing.finite; ++i) {
    swing.finite = world.step(dt);
    const Energies e = world.energies();
    moved = std::max(moved, e.kinetic + e.elastic);
    highest = std::max(highest, sum(e));
    lowest = std::min(lowest, sum(e));
    for (const Transform& segment : world.transforms(world.plant(0))) {
      swing.out_of_plane = std::max(swing.out_of_plane, std::abs(segment.position[2]));
    }
    if (curve && moved > 0) {
      add_point(*curve, world.time() / period, 100 * (sum(e) - start) / moved);
    }
  }
  swing.retaken = world.rejected_steps();
  swing.braked = world.braked_joints();
  if (moved > 0) {
    swing.gain = (highest - start) / moved;
    swing.loss = (start - lowest) / moved;
  }
  return swing;
}

// A level rod of 1 m, Γ = ρ g A L³ / EI, let go under its weight.
struct Rod {
  double gamma = 1;
  int segments = 50;
  double rate = 60;  // steps a second
  double damping_ratio = 0;
};

constexpr double density = 800, radius = 0.0025, gravity = 9.81, poisson = 0.3;

double young_of(const Rod& rod) {
  // ρ g A L³ / EI = 4 ρ g L³ / (E r²)
  return 4 * density * gravity / (rod.gamma * radius * radius);
}

// `section`: where its section's z points to; else as the program turns it.
World rod_world(const Rod& rod, const char* section = "up = [0, 1, 0]") {
  // ρ g A L³ / EI = 4 ρ g L³ / (E r²)
  const double young = 4 * density * gravity / (rod.gamma * radius * radius);
  return world_of(fmt::format(R"([[plant]]
kind = "rod"
segments = {}
length = 1
radius = {}
young = {}
poisson = {}
density = {}
damping_ratio = {}
direction = [1, 0, 0]
{}
)",
                              rod.segments, radius, young, poisson, density, rod.damping_ratio,
                              section));
}

struct Worst {
  double value = 0;
  std::string of = "none";
  void take(double other, const Rod& rod) {
    if (other <= value) return;
    value = other;
    of = fmt::format("Γ = {}, {} segments, 1/{} s, ratio {}", rod.gamma, rod.segments, rod.rate,
                     rod.damping_ratio);
  }
};

std::vector<Rod> rods_of(bool all) {
  const auto some = [all](std::vector<double> many, std::vector<double> few) {
    return all ? many : few;
  };
  std::vector<Rod> rods;
  for (const double gamma : some({0.1, 0.3, 1, 3, 10, 30, 100}, {0.1, 1, 3, 10, 100})) {
    for (const double segments : some({10, 20, 50, 100, 200}, {10, 50})) {
      for (const double rate : some({30, 60, 240, 1000, 2000}, {30, 60, 240})) {
        for (const double ratio : some({0, 0.002, 0.01}, {0, 0.002})) {
          // Limp rods whip: thousands of steps are left to --all.
          if (!all && gamma > 10 && (rate > 60 || segments > 10)) continue;
          rods.push_back({gamma, static_cast<int>(segments), rate, ratio});
        }
      }
    }
  }
  return rods;
}

// Limp rods leave a plane that they fall in where rounding gives them a start: their motion in it is not
// stable, see let_rod_leave_its_plane. Turned by the program, their sections give none.
constexpr double stiff_enough = 3, limp = 10;

void let_rods_go(CaseResult& result) {
  Worst gain, loss, limp_loss, out_of_plane, limp_out_of_plane;
  std::vector<std::string> limp_losses;
  for (const Rod& rod : rods_of(result.all)) {
    World world = rod_world(rod);
    const Swing swing = let_go(world, 1 / rod.rate, twenty_periods(world));
    if (!swing.finite) result.failure = "the motion of a rod broke off";
    gain.take(swing.gain, rod);
    if (rod.damping_ratio == 0 && rod.gamma > limp) {
      limp_losses.push_back(fmt::format(
          "Γ = {}, {} segments, 1/{} s: lost {:.3g} %; {} substeps retaken, {} joints braked",
          rod.gamma, rod.segments, rod.rate, 100 * swing.loss, swing.retaken, swing.braked));
    }
    if (rod.damping_ratio == 0 && rod.rate == 60) {
      (rod.gamma > limp ? limp_loss : loss).take(swing.loss, rod);
    }
    (rod.gamma <= stiff_enough ? out_of_plane : limp_out_of_plane).take(swing.out_of_plane, rod);
  }
  Worst plain_out_of_plane;
  for (const double gamma : {1.0, 3.0, 10.0, 30.0, 100.0}) {
    for (const double rate : {30.0, 60.0, 240.0}) {
      const Rod rod{.gamma = gamma, .rate = rate};
      World world = rod_world(rod, "");
      plain_out_of_plane.take(let_go(world, 1 / rod.rate, twenty_periods(world)).out_of_plane, rod);
    }
  }
  check_absolute(result, "farthest out of its plane, as scenarios make rods [m]", 0,
                 plain_out_of_plane.value, 1e-6);
  check_absolute(result, "largest gain of energy of a rod, over its swing's", 0, gain.value, 0.02);
  check_absolute(result, "largest loss without damping at 1/60 s, Γ up to 10", 0, loss.value, 0.1);
  check_absolute(result, "out of its plane, section turned by 90°, Γ up to 3 [m]", 0,
                 out_of_plane.value, 1e-6);
  result.notes.push_back("gain: " + gain.of);
  result.notes.push_back("loss: " + loss.of);
  result.notes.push_back("out of the plane: " + out_of_plane.of);
  result.notes.push_back(
      fmt::format("limp rods with turned sections, farthest out of the plane: {:.2g} m ({})",
                  limp_out_of_plane.value, limp_out_of_plane.of));
  result.notes.push_back(fmt::format("loss of limp rods at 1/60 s: {:.2g} % ({})",
                                     100 * limp_loss.value, limp_loss.of));
  result.notes.insert(result.notes.end(), limp_losses.begin(), limp_losses.end());
}

// From Γ of about 10 on, a rod's motion in its plane is unstable: what bends it out of it a little grows as e^(s t),
// of itself and not by the step. So s is that of another method, to the second order in the step.
void let_rod_leave_its_plane(CaseResult& result) {
  constexpr double seconds = 21, seed = 1e-9;
  const Rod rod{.gamma = 10, .segments = 10};
  const double young = young_of(rod);
  const ChainMotion reference = let_chain_go({.segments = rod.segments,
                                              .length = 1,
                                              .radius = radius,
                                              .young = young,
                                              .shear = young / (2 * (1 + poisson)),
                                              .density = density,
                                              .curvature = seed},
                                             seconds, 2.5e-4);
  // Of a curvature of 1e-9 / m in a rod of 1 m.
  const auto growth = [](double out_of_plane) { return std::log(out_of_plane / seed) / seconds; };
  check_absolute(result, "energy that the other method gains or loses, over the swing's", 0,
                 reference.energy_error, 1e-7);
  struct Step {
    double rate, part;
  };
  for (const Step& step : {Step{60, 0.08}, Step{240, 0.005}, Step{1000, 0.001}}) {
    World world = rod_world(rod, "up = [0, 0, 1]\ncurvature = [1e-9, 0, 0]");
    const Swing swing = let_go(world, 1 / step.rate, seconds);
    check_relative(result, fmt::format("growth out of the plane, Γ = 10, 1/{} s [1/s]", step.rate),
                   growth(reference.out_of_plane), growth(swing.out_of_plane), step.part);
  }
}

void draw_rods(CaseResult& result) {
  Plot plot{.title = "A heavy rod let go: energy gained (+) or lost (-), at 1/60 s",
            .x_label = "periods",
            .y_label = "% of the swing's energy",
            .series = {}};
  for (const double gamma : {1.0, 3.0, 10.0}) {
    PlotSeries curve = line(fmt::format("Γ = {}", gamma));
    World world = rod_world({.gamma = gamma});
    let_go(world, 1.0 / 60, twenty_periods(world), &curve);
    plot.series.push_back(curve);
  }
  result.plots.push_back({.name = "energy_of_rods", .plot = plot});
}

}  // namespace

void energy_of_rods(CaseResult& result) {
  let_rods_go(result);
  let_rod_leave_its_plane(result);
  if (result.pictures) draw_rods(result);
}

void energy_of_branched_plants(CaseResult& result) {
  const int plants = result.all ? 500 : 50;
  double worst_gain = 0, worst_loss = 0;
  int broken = 0, count = 0;
  PlotSeries gains{"", {}, {}, SeriesStyle::dots};
  for (std::uint64_t number = 1; count < plants; number += 4) {
    const RandomPlant plant = random_plant(number);  // every fourth is left alone
    if (plant.grammar.empty()) continue;
    World world = random_world(plant);
    const double frequency = world.first_frequency(world.plant(0));
    if (frequency < (result.all ? 0.2 : 2.0) || frequency > 30) continue;
    ++count;
    const Swing swing = let_go(world, 1.0 / 60, twenty_periods(world));
    if (!swing.finite) ++broken;
    worst_gain = std::max(worst_gain, swing.gain);
    if (plant.damping_ratio == 0) worst_loss = std::max(worst_loss, swing.loss);
    add_point(gains, frequency, 100 * swing.gain);
  }
  check_absolute(result, "plants whose motion broke off", 0, broken, 0);
  check_absolute(result, "largest gain of energy of a plant, over its swing's", 0, worst_gain,
                 0.02);
  result.notes.push_back(
      fmt::format("{} plants; of those without damping one lost {:.2g} %, the others less", count,
                  100 * worst_loss));
  if (result.pictures) {
    result.plots.push_back({.name = "energy_of_branched_plants",
                            .plot = {.title = "Random branched plants let go: largest gain",
                                     .x_label = "lowest frequency [Hz]",
                                     .y_label = "% of the swing's energy",
                                     .series = {gains}}});
  }
}

}  // namespace thigmo::validation
