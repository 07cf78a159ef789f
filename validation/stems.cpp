#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "validation/validation.h"

namespace thigmo::validation {
namespace {

using std::numbers::pi;

// The gallery's woody plants with a stem, and what their materials ask for.
struct Tree {
  const char* name;
  double asked = 0.05;
};
constexpr Tree trees[] = {
    {"apple"},  {"cherry"},         {"growing_tree"},   {"oak"},        {"palm", 0.06},
    {"poplar"}, {"spruce"},         {"willow"},         {"young_tree"}, {"abop_ternary"},
    {"birch"},  {"abop_sympodial"}, {"abop_monopodial"}};

std::string tree_text(const std::string& name) {
  return fmt::format("duration = 1000\n[[plant]]\ngrammar = \"{}\"\n",
                     source_file("gallery/plants/" + name + ".lsys"));
}

// Swings a tree up by its foot, at the frequency of its sway, lets it go and watches its energy.
struct Release {
  std::vector<double> periods;  // since it was let go
  std::vector<double> energy;   // over that when it was let go
  double ratio = 0;
};

Release let_go(const std::string& name) {
  constexpr int shaken = 5, watched = 3, steps = 40;  // periods, and steps in each
  const World at_rest = world_of(tree_text(name));
  const double frequency = at_rest.sway_frequency(at_rest.plant(0));
  World world =
      world_of(tree_text(name) +
               fmt::format("[[motion]]\nwave = [{{ amplitude = [1e-3, 0, 0.6e-3], frequency = "
                           "{}, end = {} }}]\n",
                           frequency, shaken / frequency));
  const auto energy = [&world] {
    const Energies e = world.energies();
    return e.kinetic + e.elastic + e.gravitational;
  };
  const double still = energy(), dt = 1 / (steps * frequency);
  for (int i = 0; i < shaken * steps; ++i) world.step(dt, 2);
  const double start = energy() - still;
  Release release;
  for (int i = 0; i <= watched * steps; ++i) {
    release.periods.push_back(static_cast<double>(i) / steps);
    release.energy.push_back((energy() - still) / start);
    world.step(dt, 2);
  }
  release.ratio = -std::log(release.energy.back()) / (4 * pi * watched);
  return release;
}

}  // namespace

// Energy falls by exp(-4π ζ) a period. That of the whole tree, since a stem hands its own on to branches
// of like frequency and takes it back.
void damping_of_stems(CaseResult& result) {
  Plot plot{.title = "Trees let go after swaying: lines thigmo, dots a damping ratio of 0.05",
            .x_label = "time / period of the sway [-]",
            .y_label = "swing, by its energy / at the start [-]",
            .series = {}};
  for (const auto& [name, asked] : trees) {
    const Release release = let_go(name);
    check_relative(result, fmt::format("damping ratio of the sway of {}", name), asked,
                   release.ratio, 0.15);
    PlotSeries series = line(name);
    for (std::size_t i = 0; i < release.periods.size(); ++i) {
      add_point(series, release.periods[i], std::sqrt(release.energy[i]));
    }
    plot.series.push_back(std::move(series));
  }
  PlotSeries expected = dots("asked for");
  for (int i = 0; i <= 12; ++i) {
    add_point(expected, 0.25 * i, std::exp(-0.05 * 2 * pi * 0.25 * i));
  }
  plot.series.push_back(std::move(expected));
  result.plots.push_back({.name = "damping_of_stems", .plot = std::move(plot)});
}

}  // namespace thigmo::validation
