#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <stdexcept>

#include "validation/validation.h"

// The experiments of Garcia 2023, chapter 9, with the scenarios of the gallery. The thesis shows what
// happens and gives no numbers: these come from statics, modes and closed forms.
namespace thigmo::validation {
namespace {

using std::numbers::pi;

// The text of a scenario of the gallery, to be run from the root of the source tree.
std::string scenario_text(const std::string& name) {
  std::ifstream file(source_file("gallery/scenarios/" + name + ".toml"));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t at; (at = text.find("../plants/")) != std::string::npos;) {
    text.replace(at, 10, "gallery/plants/");
  }
  return text;
}

World world_with(const std::string& text, const std::vector<std::string>& overrides) {
  Outcome<World> world = parse_world(text, ".", overrides);
  if (!world) throw std::runtime_error(world.error());
  return std::move(*world);
}

PoseSummary posed(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Outcome<PoseSummary> found =
      pose({.scenario_file = {}, .scenario_text = text, .overrides = overrides});
  if (!found) throw std::runtime_error(found.error());
  return std::move(*found);
}

double distance(const Numbers3& a, const Numbers3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// All probes of a world over time.
struct Tracks {
  std::vector<double> time;
  std::vector<std::vector<Numbers3>> probe;
  double at(std::size_t which, std::size_t i, std::size_t axis) const {
    return probe[which][i][axis];
  }
};

Tracks follow_all(World& world, double dt, double seconds) {
  Tracks tracks;
  tracks.probe.resize(world.probes().size());
  const auto record = [&] {
    tracks.time.push_back(world.time());
    const std::vector<ProbeReading> now = world.probes();
    for (std::size_t i = 0; i < now.size(); ++i) tracks.probe[i].push_back(now[i].position);
  };
  record();
  while (world.time() < seconds - 0.5 * dt) {
    if (!world.step(dt)) throw std::runtime_error("the motion could not be continued");
    record();
  }
  return tracks;
}

PlotSeries way(std::string label, const Tracks& tracks, std::size_t probe, std::size_t axis) {
  PlotSeries series = line(std::move(label));
  for (std::size_t i = 0; i < tracks.time.size(); ++i) {
    add_point(series, tracks.time[i], tracks.at(probe, i, axis) - tracks.at(probe, 0, axis));
  }
  return series;
}

// Half the difference of the highest and the lowest value of a track's axis between two times.
double swing(const Tracks& tracks, std::size_t probe, std::size_t axis, double from, double to) {
  double low = 1e300, high = -1e300;
  for (std::size_t i = 0; i < tracks.time.size(); ++i) {
    if (tracks.time[i] < from || tracks.time[i] > to) continue;
    low = std::min(low, tracks.at(probe, i, axis));
    high = std::max(high, tracks.at(probe, i, axis));
  }
  return 0.5 * (high - low);
}

// Frequency of a track's axis after a time, by its falling ways through where it was at first [Hz].
double frequency_after(const Tracks& tracks, std::size_t probe, std::size_t axis, double from,
                       int periods) {
  const double rest = tracks.at(probe, 0, axis);
  double first = 0;
  int crossings = 0;
  for (std::size_t i = 1; i < tracks.time.size(); ++i) {
    const double before = tracks.at(probe, i - 1, axis) - rest;
    const double now = tracks.at(probe, i, axis) - rest;
    if (tracks.time[i] < from || !(before > 0 && now <= 0)) continue;
    const double time =
        tracks.time[i] - (tracks.time[i] - tracks.time[i - 1]) * now / (now - before);
    if (crossings++ == 0) first = time;
    if (crossings == periods + 1) return periods / (time - first);
  }
  throw std::runtime_error("the plant does not swing");
}

}  // namespace

// The herb comes to rest where statics says, whichever way it is pulled.
void gravity_directions(CaseResult& result) {
  std::string text = scenario_text("gravity_sideways");
  for (int i = 0; i <= 20; ++i) {
    text += fmt::format("[[probe]]\nname = \"p{}\"\nplant = \"herb\"\nat = {:.2f}\n", i, 0.05 * i);
  }
  Plot plot{.title = "The stem under five times gravity: lines motion, dots statics",
            .x_label = "x [m]",
            .y_label = "y [m]",
            .series = {},
            .equal_scale = true};
  const struct {
    const char *name, *gravity;
  } rows[] = {{"right", "[49.05,0,0]"},
              {"left", "[-49.05,0,0]"},
              {"up", "[0,49.05,0]"},
              {"down", "[0,-49.05,0]"}};
  for (const auto& row : rows) {
    const std::vector<std::string> overrides = {fmt::format("gravity={}", row.gravity)};
    World world = world_with(text, overrides);
    follow(world, 1.0 / 60, 12.0);
    const std::vector<ProbeReading> moved = world.probes();
    const PoseSummary still = posed(text, overrides);
    const int colour = static_cast<int>(plot.series.size()) / 2;
    PlotSeries lines = line(row.name, colour), found = dots("", colour);
    double worst = 0;
    for (std::size_t i = 1; i < moved.size(); ++i) {  // the first is the scenario's own
      add_point(lines, moved[i].position[0], moved[i].position[1]);
      if (i % 2 == 1) add_point(found, still.probes[i].position[0], still.probes[i].position[1]);
      worst = std::max(worst, distance(moved[i].position, still.probes[i].position));
    }
    plot.series.push_back(std::move(lines));
    plot.series.push_back(std::move(found));
    // A thousandth of the herb's height of 0.5 m.
    check_absolute(result,
                   fmt::format("pulled {}: stem after 12 s, furthest from statics [m]", row.name),
                   0, worst, 5e-4);
  }
  result.plots.push_back({.name = "gravity_directions", .plot = std::move(plot)});
  if (!result.pictures) return;
  result.strips.push_back(
      strip("gravity_directions_strip", "gravity_sideways", {0, 0.05, 0.1, 0.2, 0.5, 4}));
}

void moved_pot(CaseResult& result) {
  World side = world_with(scenario_text("pot_left_right"), {});
  const Tracks pushed = follow_all(side, 1.0 / 120, 4.0);
  // The pot sets off at 0.2 s and turns back at 0.5 s.
  double behind = 0, ahead = 0;
  for (std::size_t i = 0; i < pushed.time.size(); ++i) {
    const double lean =
        (pushed.at(1, i, 0) - pushed.at(1, 0, 0)) - (pushed.at(0, i, 0) - pushed.at(0, 0, 0));
    if (pushed.time[i] < 0.36) behind = std::min(behind, lean);
    if (pushed.time[i] > 0.4 && pushed.time[i] < 0.7) ahead = std::max(ahead, lean);
  }
  check_fact(result, "left/right: the tip hangs back while the pot is pushed, by more than 0.1 m",
             behind < -0.1);
  check_fact(result, "left/right: it is ahead while the pot is stopped", ahead > 0.1);
  check_fact(result, "left/right: it swings on when the pot stands",
             swing(pushed, 1, 0, 1.2, 2.2) > 0.02);
  result.notes.push_back(fmt::format(
      "left/right: the tip is up to {:.2f} m behind the pot, then {:.2f} m ahead", -behind, ahead));
  Plot plot{.title = "A pot is moved to the right and back",
            .x_label = "time [s]",
            .y_label = "x [m]",
            .series = {way("root of the stem", pushed, 0, 0), way("its tip", pushed, 1, 0)}};
  result.plots.push_back({.name = "moved_pot_left_right", .plot = std::move(plot)});

  World shaken = world_with(scenario_text("pot_forward_back"), {});
  const Tracks forward = follow_all(shaken, 1.0 / 120, 5.0);
  const double amplitude = swing(forward, 0, 2, 1.5, 3.0);
  check_fact(result, "forward/back near its own pace: the tip goes further than the pot's 0.03 m",
             amplitude > 2 * 0.03);
  check_fact(result, "forward/back: nothing moves it sideways",
             swing(forward, 0, 0, 0, 5) < 0.03 * amplitude);
  result.notes.push_back(
      fmt::format("forward/back: the tip swings by {:.3f} m, the pot by 0.03 m", amplitude));
  Plot back{.title = "A pot is shaken forward and back by 0.03 m at 2.3 Hz, for 3 s",
            .x_label = "time [s]",
            .y_label = "way of the tip [m]",
            .series = {way("forward (z)", forward, 0, 2), way("sideways (x)", forward, 0, 0)}};
  result.plots.push_back({.name = "moved_pot_forward_back", .plot = std::move(back)});

  World round = world_with(scenario_text("pot_circle"), {});
  const Tracks circle = follow_all(round, 1.0 / 120, 5.0);
  check_relative(result, "circle: radius of the root's way [m]", 0.12,
                 swing(circle, 0, 0, 2.5, 4.0), 0.05);
  const double wide = swing(circle, 1, 0, 2.5, 4.0);
  check_fact(result, "circle: the tip runs on a wider one", wide > 1.1 * 0.12);
  result.notes.push_back(fmt::format("circle: the tip's has a radius of {:.3f} m", wide));
  Plot above{.title = "A pot goes round, seen from above, 1.5 to 3.3 s",
             .x_label = "x [m]",
             .y_label = "-z [m]",
             .series = {line("root of the stem"), line("its tip")},
             .equal_scale = true};
  for (std::size_t i = 0; i < circle.time.size(); ++i) {
    if (circle.time[i] < 1.5 || circle.time[i] > 3.3) continue;
    add_point(above.series[0], circle.at(0, i, 0), -circle.at(0, i, 2));
    add_point(above.series[1], circle.at(1, i, 0), -circle.at(1, i, 2));
  }
  result.plots.push_back({.name = "moved_pot_circle", .plot = std::move(above)});
  if (!result.pictures) return;
  result.strips.push_back(
      strip("moved_pot_left_right_strip", "pot_left_right", {0.2, 0.35, 0.5, 0.65, 0.8, 1.1}));
  NamedStrip from_side = strip("moved_pot_forward_back_strip", "pot_forward_back",
                               {2.0, 2.07, 2.14, 2.21, 2.28, 2.35});
  from_side.request.view.azimuth = 80;
  result.strips.push_back(std::move(from_side));
  result.strips.push_back(
      strip("moved_pot_circle_strip", "pot_circle", {2.0, 2.17, 2.33, 2.5, 2.67}));
}

void pull_and_release(CaseResult& result) {
  const std::string text = scenario_text("pull_and_release");
  World world = world_with(text, {});
  const Tracks tracks = follow_all(world, 1.0 / 120, 8.0);
  const auto index = [](double time) { return static_cast<std::size_t>(std::llround(time * 120)); };
  const std::vector<Numbers3>& tip = tracks.probe[0];
  const double pulled = distance(tip[index(1.99)], tip[0]);
  check_fact(result, "pulled: the tip is drawn aside by more than 0.2 m", pulled > 0.2);
  check_absolute(result, "after 8 s: way of the tip from its start / way it was pulled", 0,
                 distance(tip.back(), tip[0]) / pulled, 0.01);
  Outcome<ModesSummary> found = modes({.file = {}, .scenario_text = text, .count = 2});
  if (!found) throw std::runtime_error(found.error());
  // The leaves pass the motion to and fro, so that it is not of one frequency.
  check_relative(result, "swing after the release against the first mode [Hz]",
                 found->frequencies_hz.at(0), frequency_after(tracks, 0, 0, 2.3, 4), 0.1);
  Plot plot{.title = "A herb pulled aside and let go",
            .x_label = "time [s]",
            .y_label = "way of the tip [m]",
            .series = {way("x", tracks, 0, 0), way("y (up)", tracks, 0, 1)}};
  result.plots.push_back({.name = "pull_and_release", .plot = std::move(plot)});
  if (!result.pictures) return;
  result.strips.push_back(
      strip("pull_and_release_strip", "pull_and_release", {0, 0.7, 1.9, 2.1, 2.25, 2.45}));
}

void softened_rose(CaseResult& result) {
  const std::string text = scenario_text("softened_rose");
  World soft = world_with(text, {});
  const Tracks fall = follow_all(soft, 1.0 / 60, 4.0);
  World healthy = world_with(
      fmt::format("[[plant]]\nname = \"rose\"\ngrammar = \"gallery/plants/rose.lsys\"\n"), {});
  const Tracks stand = follow_all(healthy, 1.0 / 60, 4.0);
  const double height = fall.at(0, 0, 1);
  double moved = 0;
  for (const Numbers3& at : stand.probe[0])
    moved = std::max(moved, distance(at, stand.probe[0][0]));
  check_absolute(result, "healthy: largest way of the flower in 4 s / its height", 0,
                 moved / height, 1e-6);
  check_absolute(result, "2 % of the stiffness: height of the flower in statics / before", 0,
                 posed(text).probes.at(0).position[1] / height, 0.02);
  check_absolute(result, "2 % of the stiffness: height of the flower after 4 s / before", 0,
                 fall.probe[0].back()[1] / height, 0.05);
  Plot plot{.title = "A rose that keeps 2 % of its stiffness",
            .x_label = "time [s]",
            .y_label = "height of a flower [m]",
            .series = {line("healthy"), line("softened"), dots("softened, by statics", 1)}};
  for (std::size_t i = 0; i < fall.time.size(); ++i) {
    add_point(plot.series[0], stand.time[i], stand.at(0, i, 1));
    add_point(plot.series[1], fall.time[i], fall.at(0, i, 1));
  }
  add_point(plot.series[2], 4, posed(text).probes.at(0).position[1]);
  result.plots.push_back({.name = "softened_rose", .plot = std::move(plot)});
  if (!result.pictures) return;
  NamedStrip pictures = strip("softened_rose_strip", "softened_rose", {0, 0.2, 0.35, 0.5, 1, 4});
  pictures.request.view.zoom = 1.2;
  result.strips.push_back(std::move(pictures));
}

void twist_and_release(CaseResult& result) {
  // Segments that begin at the nodes of one arm, from the stem outwards.
  std::vector<std::size_t> nodes;
  for (std::size_t segment = 62; segment <= 122; segment += 5) nodes.push_back(segment);
  const std::string text = scenario_text("twisted_long_arms");
  World world = world_with(text, {});
  const auto angles = [&](std::size_t node) {  // about the stem [rad]
    const Numbers3 at = world.transforms(world.plant(0))[nodes[node]].position;
    return std::atan2(-at[2], at[0]);
  };
  const double inner_rest = angles(0), outer_rest = angles(nodes.size() - 1);
  Plot plot{.title = "Turn of an arm about the stem, let go at 2 s",
            .x_label = "time [s]",
            .y_label = "angle [deg]",
            .series = {line("next to the stem"), line("its end")}};
  Plot above{.title = "One arm from above, right after the release",
             .x_label = "x [m]",
             .y_label = "-z [m]",
             .series = {},
             .equal_scale = true};
  const double dt = 1.0 / 240, snapshots[] = {1.99, 2.03, 2.06, 2.1, 2.15};
  double twisted = 0, inner_back = 0, outer_back = 0;
  while (world.time() < 4.0 - 0.5 * dt) {
    if (!world.step(dt)) throw std::runtime_error("the motion could not be continued");
    const double inner = angles(0) - inner_rest, outer = angles(nodes.size() - 1) - outer_rest;
    if (std::abs(world.time() - 2.0) < 0.5 * dt) twisted = inner;
    if (world.time() > 2 && inner_back == 0 && inner < 0.5 * twisted) inner_back = world.time();
    if (world.time() > 2 && outer_back == 0 && outer < 0.5 * twisted) outer_back = world.time();
    add_point(plot.series[0], world.time(), inner * 180 / pi);
    add_point(plot.series[1], world.time(), outer * 180 / pi);
    for (double t : snapshots) {
      if (std::abs(world.time() - t) > 0.5 * dt) continue;
      above.series.push_back(line(fmt::format("{:.2f} s", world.time())));
      const std::vector<Transform> now = world.transforms(world.plant(0));
      for (std::size_t node : nodes) {
        add_point(above.series.back(), now[node].position[0], -now[node].position[2]);
      }
    }
  }
  World held = world_with(text, {"force.0.end=24", "duration=24"});
  // A thousandth of the plant's height.
  check_absolute(
      result, "twisted for 24 s: end of the arm, way from statics [m]", 0,
      distance(follow(held, dt, 24.0).position.back(), posed(text).probes.at(0).position), 5e-4);
  check_fact(result, "the end of the arm turns back later than what is next to the stem",
             inner_back > 2 && outer_back > inner_back + 0.01);
  result.notes.push_back(
      fmt::format("half way back: next to the stem after {:.3f} s, at the arm's end after {:.3f} s",
                  inner_back - 2, outer_back - 2));
  result.plots.push_back({.name = "twist_and_release", .plot = std::move(plot)});
  result.plots.push_back({.name = "twist_and_release_above", .plot = std::move(above)});
  if (!result.pictures) return;
  // As in figure 9.14: at rest, twisted, and right after the release.
  NamedStrip top = strip("twist_and_release_strip", "twisted_long_arms", {0, 1.99, 2.15});
  top.request.view.azimuth = 0;
  top.request.view.elevation = 85;
  top.request.view.zoom = 1.4;
  top.request.width = 310;
  top.request.height = 150;
  result.strips.push_back(std::move(top));
}

namespace {

// Three stems under a moment of 1 N m, without weight: arcs of circles with κ = M/EI, whose tips are
// (1 - cos κL)/κ aside; then let go.
void compare_stems(CaseResult& result, const std::string& scenario, const char* name,
                   const char* const (&labels)[3], const double (&radius)[3],
                   const double (&length)[3]) {
  World world = world_with(
      scenario_text(scenario),
      {"gravity=[0,0,0]", "force.0.end=4", "force.1.end=4", "force.2.end=4", "duration=6"});
  const Tracks tracks = follow_all(world, 1.0 / 480, 6.0);
  Plot plot{.title = "Equal moments bend three stems, let go at 4 s",
            .x_label = "time [s]",
            .y_label = "tip aside [m]",
            .series = {}};
  PlotSeries arcs = dots("arcs of circles", 6);
  for (std::size_t k = 0; k < 3; ++k) {
    const double curvature = 1.0 / (1e9 * pi / 4 * std::pow(radius[k], 4));
    const double aside = (1 - std::cos(curvature * length[k])) / curvature;
    const std::size_t before = 4 * 480;
    const double measured = tracks.at(k, before, 0) - tracks.at(k, 0, 0);
    check_relative(result, fmt::format("{}: tip aside under the moment [m]", labels[k]), aside,
                   measured, 0.005);
    // First mode of a cantilever; a third of a second on the swing is small enough to be linear.
    const double frequency = 3.5160152685 / (2 * pi * length[k] * length[k]) *
                             std::sqrt(1e9 / 900.0) * radius[k] / 2 * std::sqrt(1 - 0.01);
    check_relative(result, fmt::format("{}: frequency after the release [Hz]", labels[k]),
                   frequency, frequency_after(tracks, k, 0, 4.35, 3), 0.01);
    plot.series.push_back(way(labels[k], tracks, k, 0));
    add_point(arcs, 4, aside);
  }
  plot.series.push_back(std::move(arcs));
  result.plots.push_back({.name = name, .plot = std::move(plot)});
  if (!result.pictures) return;
  NamedStrip pictures = strip(std::string(name) + "_strip", scenario, {0, 1.99, 2.06, 2.12, 4});
  pictures.request.width = 210;
  pictures.request.height = 150;
  pictures.request.view.azimuth = 0;
  result.strips.push_back(std::move(pictures));
}

}  // namespace

void effect_of_radius(CaseResult& result) {
  compare_stems(result, "effect_of_radius", "effect_of_radius",
                {"radius 5 mm", "radius 6 mm", "radius 7 mm"}, {0.005, 0.006, 0.007},
                {0.6, 0.6, 0.6});
}

void effect_of_length(CaseResult& result) {
  compare_stems(result, "effect_of_length", "effect_of_length",
                {"length 0.4 m", "length 0.6 m", "length 0.8 m"}, {0.006, 0.006, 0.006},
                {0.4, 0.6, 0.8});
}

}  // namespace thigmo::validation
