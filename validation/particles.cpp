#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "validation/random_plants.h"
#include "validation/validation.h"

// Li's particles: what his work says of them, and how they move beside joints of wood.
namespace thigmo::validation {
namespace {

constexpr double dt = 1.0 / 60;  // Li's own [s]
constexpr double g = 9.81;

// Li's tree of n steps or his bamboo, of particles or of joints, starting at rest.
World li_plant(const std::string& file, int steps, const std::string& keys) {
  const std::string name = source_file("gallery/plants/" + file);
  return world_of(fmt::format("[[plant]]\nname = \"tree\"\ngrammar = \"{}\"\n{}{}\n", name,
                              steps > 0 ? fmt::format("steps = {}\n", steps) : "", keys));
}
std::string particles(const std::string& settings) {
  return fmt::format("method = \"particles\"\nparticles = {{ supports = 2{}{} }}\n",
                     settings.empty() ? "" : ", ", settings);
}
const std::string joints = "start = \"rest\"\n";

void advance(World& world, int steps) {
  for (int i = 0; i < steps; ++i) {
    if (!world.step(dt)) throw std::runtime_error("the motion could not be continued");
  }
}

double tip_height(const World& world) { return world.probes().at(0).position[1]; }

// How far the tip sags until it rests.
double sag(World world) {
  const double before = tip_height(world);
  advance(world, 1200);
  return before - tip_height(world);
}

// Processor seconds for each segment and step, the best of three, of a plant that is drawn aside.
double cost(World world) {
  const Outcome<SegmentId> trunk = world.segment(world.plant(0), 1);
  if (!trunk || !world.push(*trunk, {.force = {60, 0, 0}})) throw std::runtime_error("no trunk");
  double best = 1e9;
  for (int run = 0; run < 3; ++run) {
    const std::clock_t start = std::clock();
    advance(world, 60);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best / 60 / static_cast<double>(world.segment_count());
}

// The tip drawn aside by a force for two seconds and let go.
struct Sway {
  Track track;
  std::vector<double> energy;  // kinetic and of height, above that at rest [J]
};
Sway sway(World world) {
  const auto energy = [](const World& w) {
    const Energies e = w.energies();
    return e.kinetic + e.elastic + e.gravitational;
  };
  advance(world, 600);
  const double rest = energy(world);
  const Outcome<SegmentId> trunk = world.segment(world.plant(0), 1);
  const Outcome<ForceId> pull = world.push(*trunk, {.force = {60, 0, 0}});
  advance(world, 120);
  if (!pull || !world.remove(*pull)) throw std::runtime_error("the pull could not be taken away");
  Sway found;
  for (int i = 0; i < 240; ++i) {
    advance(world, 1);
    found.track.time.push_back(i * dt);
    found.track.position.push_back(world.probes().at(0).position);
    found.energy.push_back(energy(world) - rest);
  }
  return found;
}

void sags_over_iterations(CaseResult& result) {
  Plot plot{.title = "Li's tree: how far its tip sags, by the iterations of a step of 1/60 s",
            .x_label = "iterations",
            .y_label = "sag of the tip [m]",
            .series = {line("particles"), line("particles, power 1.6"), line("joints of wood")},
            .logarithmic_x = true,
            .logarithmic_y = true};
  const double wood = sag(li_plant("soft_tree_exact.sbt", 0, joints));
  for (const int iterations : {5, 10, 20, 27, 40, 80, 160}) {
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string settings = fmt::format("iterations = {}, power = {}, velocity_kept = 0.2",
                                               iterations, k == 0 ? 1.0 : 1.6);
      add_point(plot.series[k], iterations,
                sag(li_plant("soft_tree_exact.sbt", 0, particles(settings))));
    }
    add_point(plot.series[2], iterations, wood);
  }
  result.notes.push_back(
      fmt::format("the tip of Li's tree sags by {:.1f} mm with 27 iterations, "
                  "{:.1f} mm with a power of 1.6, {:.0f} mm with joints of wood",
                  1e3 * plot.series[0].y[3], 1e3 * plot.series[1].y[3], 1e3 * wood));
  result.plots.push_back({.name = "particles_sag", .plot = std::move(plot)});
}

void sways_side_by_side(CaseResult& result) {
  Plot moved{.title = "Li's tree, drawn aside and let go: sway of its tip",
             .x_label = "time [s]",
             .y_label = "x of the tip [m]",
             .series = {line("particles"), line("joints of wood")}};
  Plot energies{.title = "The same: energy above that at rest",
                .x_label = "time [s]",
                .y_label = "energy [J]",
                .series = {line("particles"), line("joints of wood")}};
  const Sway both[] = {sway(li_plant("soft_tree_exact.sbt", 0, particles(""))),
                       sway(li_plant("soft_tree_exact.sbt", 0, joints))};
  double frequency[2] = {};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::vector<double> x = component(both[k].track, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      add_point(moved.series[k], both[k].track.time[i], x[i]);
      add_point(energies.series[k], both[k].track.time[i], both[k].energy[i]);
    }
    frequency[k] = crossing_frequency(both[k].track.time, x);
  }
  result.notes.push_back(
      fmt::format("first sway of Li's tree: {:.2f} Hz with particles, {:.2f} Hz "
                  "with joints of wood",
                  frequency[0], frequency[1]));
  result.plots.push_back({.name = "particles_sway", .plot = std::move(moved)});
  result.plots.push_back({.name = "particles_energy", .plot = std::move(energies)});
}

// Appendix A.1: with as many iterations for each a small tree is stiffer than a large one; with ⌈√n⌉ they sag alike.
void sizes(CaseResult& result) {
  const auto spread = [&](const char* settings) {
    double least = 1e9, most = 0;
    std::string said;
    for (const int steps : {3, 4, 5, 6}) {
      World world = li_plant("soft_tree_exact.sbt", steps, particles(settings));
      const double height = tip_height(world);
      const ParticleCounts counts = *world.particles(world.plant(0));
      const double part = sag(std::move(world)) / height;
      least = std::min(least, part);
      most = std::max(most, part);
      said += fmt::format("{} {} constraints, {} iterations: {:.2f} %", said.empty() ? "" : ";",
                          counts.components[0].constraints, counts.components[0].iterations,
                          100 * part);
    }
    result.notes.push_back("sag over height:" + said);
    return most / least;
  };
  const double fixed = spread("iterations = 20, velocity_kept = 0.2");
  const double adapted = spread("velocity_kept = 0.2");
  check_fact(result, "with ⌈√n⌉ iterations trees of all sizes sag more alike than with 20",
             adapted < fixed);
  result.notes.push_back(
      fmt::format("the largest sag over the smallest: {:.2f} with 20 iterations, {:.2f} with ⌈√n⌉",
                  fixed, adapted));
}

// Random plants that joints survive.
void survivals(CaseResult& result) {
  int broken = 0, refused = 0, tried = 0;
  std::string reason;
  for (std::uint64_t number = 1; number <= (result.all ? 1000u : 200u); ++number) {
    RandomPlant plant = random_plant(number);
    const std::string start = "start = \"rest\"\n";
    plant.scenario.replace(plant.scenario.find(start), start.size(), "method = \"particles\"\n");
    ++tried;
    try {
      World world = random_world(plant);
      bool finite = true;
      for (int i = 0; i < 60 && finite; ++i) finite = world.step(dt);
      if (!finite) ++broken;
    } catch (const std::runtime_error& why) {
      ++refused;
      reason = why.what();
    }
  }
  check_absolute(result, "random plants of particles that were not finite", 0, broken, 0);
  result.notes.push_back(
      fmt::format("{} random plants in storms, thrown and left alone; {} refused{}", tried, refused,
                  refused > 0 ? ": " + reason : ""));
}

}  // namespace

void particles_of_li(CaseResult& result) {
  for (const char* file : {"soft_tree_exact.sbt", "soft_bamboo_exact.sbt"}) {
    World world = li_plant(file, 0, particles(""));
    const double height = tip_height(world);
    advance(world, 600);
    check_fact(result, fmt::format("figure 13: {} flexes and does not collapse", file),
               tip_height(world) < height && tip_height(world) > 0.97 * height);
  }
  World kept = world_of(
      "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 1\nroot = \"free\"\nvelocity = "
      "[1, 0, 0]\n" +
      particles("velocity_kept = 0.8"));
  advance(kept, 60);
  check_relative(result, "appendix B.1: velocity kept after one second at 60 frames a second", 0.8,
                 (*kept.momentum(kept.plant(0))).linear[0] / (*kept.momentum(kept.plant(0))).mass,
                 1e-9);
  World falls = li_plant("soft_tree_exact.sbt", 0, particles("") + "root = \"free\"\n");
  const double before = (*falls.momentum(falls.plant(0))).center[1];
  advance(falls, 60);
  check_relative(result, "fall of a free tree in 1 s by Verlet's scheme, ½ g t (t + Δt) [m]",
                 0.5 * g * (1 + dt), before - (*falls.momentum(falls.plant(0))).center[1], 1e-9);
  sizes(result);
  survivals(result);
  sags_over_iterations(result);
  sways_side_by_side(result);
  for (const auto& [file, keys] :
       {std::pair{"soft_tree_exact.sbt", std::string("")}, {"soft_bamboo_exact.sbt", ""}}) {
    const double with = cost(li_plant(file, 0, particles(keys)));
    const double without = cost(li_plant(file, 0, joints));
    result.notes.push_back(
        fmt::format("{}: {:.2f} µs a segment and step with particles, {:.2f} µs "
                    "with joints",
                    file, 1e6 * with, 1e6 * without));
  }
  if (!result.pictures) return;
  result.strips.push_back(strip("particles_tree", "li_tree", {1.0, 2.4, 2.7, 3.2}));
  result.strips.push_back(strip("particles_bamboo", "li_bamboo", {1.0, 2.4, 2.7, 3.2}));
  result.strips.push_back(strip("particles_tree_cut", "li_tree_cut", {0.9, 1.3, 1.6, 2.8}));
  result.strips.push_back(strip("particles_bamboo_cut", "li_bamboo_cut", {0.9, 1.3, 1.6, 2.8}));
}

}  // namespace thigmo::validation
