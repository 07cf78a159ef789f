#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "validation/random_plants.h"
#include "validation/validation.h"

namespace thigmo::validation {
namespace {

constexpr int steps_each = 30;

double sum(const Energies& e) { return e.kinetic + e.elastic + e.gravitational; }

// How often a step was taken in 1, 2, 3-4, 5-8, … substeps.
using Histogram = std::array<std::int64_t, 18>;
void count(int substeps, Histogram& histogram) {
  const int doublings = std::bit_width(static_cast<unsigned>(std::max(substeps, 1)) - 1);
  ++histogram[std::min<std::size_t>(static_cast<std::size_t>(doublings), histogram.size() - 1)];
}

// What became of one plant.
struct Fate {
  bool finite = true;
  double gain = 0;  // highest energy above that of the start, over the largest that moved
};

Fate live(World& world, double dt, Histogram& substeps) {
  Fate fate;
  const double start = sum(world.energies());
  double highest = start, moved = 0;
  for (int i = 0; i < steps_each && fate.finite; ++i) {
    fate.finite = world.step(dt);
    const Energies e = world.energies();
    fate.finite = fate.finite && std::isfinite(sum(e));
    moved = std::max(moved, e.kinetic + e.elastic);
    highest = std::max(highest, sum(e));
    count(world.substeps(), substeps);
  }
  if (moved > 0) fate.gain = (highest - start) / moved;
  return fate;
}

// Some of many, all of one kind.
struct Tally {
  int plants = 0, broken = 0, closed = 0, gained = 0;
  double worst_gain = 0;
  void add(const Fate& fate, Treatment treatment) {
    ++plants;
    if (!fate.finite) ++broken;
    // In a storm energy comes from outside.
    if (treatment == Treatment::storm || !fate.finite) return;
    ++closed;
    worst_gain = std::max(worst_gain, fate.gain);
    if (fate.gain > stated_error) ++gained;
  }
  // Substeps turn bodies by up to 0.2 rad, and the scheme is of second order: half of 0.2².
  static constexpr double stated_error = 0.02;
  std::string note(const char* what) const {
    return fmt::format(
        "{} {}: {} broke off; of {} that nothing drove {} gained more than {} %, at most {:.2g} %",
        plants, what, broken, closed, gained, 100 * stated_error, 100 * worst_gain);
  }
};

std::string substeps_note(const Histogram& histogram) {
  std::string text = "steps by the substeps they were taken in:";
  for (std::size_t i = 0; i < histogram.size(); ++i) {
    if (histogram[i] > 0) text += fmt::format(" {}≤{}", histogram[i], 1 << i);
  }
  return text;
}

Plot substeps_plot(const Histogram& histogram) {
  Plot plot{.title = "Random plants in storms, thrown, let go: substeps that steps were taken in",
            .x_label = "substeps, up to",
            .y_label = "steps",
            .series = {{"", {}, {}, SeriesStyle::bars}}};
  for (std::size_t i = 0; i < histogram.size() && (i == 0 || histogram[i - 1] > 0); ++i) {
    plot.x_names.push_back(fmt::format("{}", 1 << i));
    add_point(plot.series[0], static_cast<double>(i), static_cast<double>(histogram[i]));
  }
  return plot;
}

}  // namespace

void robustness(CaseResult& result) {
  const std::uint64_t plants = result.all ? 10'000 : 1'000;
  const double steps[] = {1.0 / 30, 1.0 / 60, 1.0 / 240};
  Tally damped, undamped;
  Histogram substeps{};
  std::int64_t segments = 0, retaken = 0;
  int braked = 0;
  for (std::uint64_t number = 1; number <= plants; ++number) {
    const RandomPlant plant = random_plant(number);
    World world = random_world(plant);
    const Fate fate = live(world, steps[number / 4 % 3], substeps);
    (plant.damping_ratio > 0 ? damped : undamped).add(fate, plant.treatment);
    segments += static_cast<std::int64_t>(world.segment_count());
    retaken += world.rejected_steps();
    if (world.braked_joints() > 0) ++braked;
  }
  check_absolute(result, "plants whose motion broke off or was not finite", 0,
                 damped.broken + undamped.broken, 0);
  check_absolute(result, "plants that nothing drove and that gained energy all the same", 0,
                 damped.gained + undamped.gained, 0);
  result.notes.push_back(
      fmt::format("{} plants of {} segments, {} substeps retaken, joints of {} plants braked",
                  plants, segments, retaken, braked));
  result.notes.push_back(substeps_note(substeps));
  result.notes.push_back(damped.note("damped"));
  result.notes.push_back(undamped.note("undamped"));
  result.plots.push_back({.name = "robustness", .plot = substeps_plot(substeps)});
}

}  // namespace thigmo::validation
