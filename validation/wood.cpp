#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "validation/frame.h"
#include "validation/validation.h"

// What a shear modulus of its own does to crooked branches, and sections that are hollow or elliptic.
namespace thigmo::validation {
namespace {

using std::numbers::pi;

struct Frame {
  const char* name;
  const char* file;
  std::vector<FrameBar> bars;  // as the file has them
};

const std::vector<Frame>& frames() {
  static const std::vector<Frame> all = {
      {"L",
       "tests/data/frames/l_branch.csv",
       {{0, {0, 1, 0}, {1.1, 1, 0}, 0.016}, {1, {1.1, 1, 0}, {1.1, 1, 0.8}, 0.013}}},
      {"fork",
       "tests/data/frames/fork.csv",
       {{0, {0, 1, 0}, {0.9, 1.2, 0}, 0.02},
        {1, {0.9, 1.2, 0}, {1.5, 1.3, 0.7}, 0.014},
        {2, {1.5, 1.3, 0.7}, {1.6, 1.8, 1}, 0.009},
        {1, {0.9, 1.2, 0}, {1.3, 1.5, -0.4}, 0.011}}}};
  return all;
}

constexpr double oak_young = 8.3e9, oak_density = 1158;  // [Pa], [kg/m³]

// The engine's frame, in as many segments a bar. A tenth of the weight keeps its deflections small.
std::string frame_text(const Frame& frame, double shear_ratio, int pieces) {
  return fmt::format(
      "gravity = [0, -0.981, 0]\n[[plant]]\nfile = \"{}\"\nstart = \"rest\"\npieces = {}\n"
      "young = {}\nshear_ratio = {}\ndensity = {}\n",
      source_file(frame.file), pieces, oak_young, shear_ratio, oak_density);
}

std::vector<double> frame_modes(const Frame& frame, double shear_ratio) {
  const Outcome<ModesSummary> found = modes({.file = "",
                                             .scenario_text = frame_text(frame, shear_ratio, 20),
                                             .count = 6,
                                             .about = "rest"});
  if (!found) throw std::runtime_error(found.error());
  return found->frequencies_hz;
}

// How far the far end of each bar sinks under its own weight, for small deflections [m].
std::vector<double> frame_sags(const Frame& frame, double shear_ratio) {
  PoseRequest request;
  request.scenario_text = frame_text(frame, shear_ratio, 20);
  for (std::size_t b = 0; b < frame.bars.size(); ++b) {
    request.scenario_text += fmt::format("[[probe]]\nname = \"{}\"\nat = {}\n", b, b);
  }
  const Outcome<PoseSummary> found = pose(request);
  if (!found) throw std::runtime_error(found.error());
  std::vector<double> sags;
  for (std::size_t b = 0; b < frame.bars.size(); ++b) {
    sags.push_back(10 * (frame.bars[b].tip[1] - found->probes.at(b).position[1]));
  }
  return sags;
}

// A level rod of 1 m with a section of this text; its elastic constants.
std::string section_text(const std::string& section) {
  return "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 40\nyoung = 5e9\n"
         "shear_ratio = 0.1\ndensity = 700\ndirection = [1, 0, 0]\nup = [0, 1, 0]\n" +
         section;
}

ModesSummary section_modes(const std::string& section) {
  const Outcome<ModesSummary> found =
      modes({.file = "", .scenario_text = section_text(section), .count = 40, .about = "rest"});
  if (!found) throw std::runtime_error(found.error());
  return *found;
}

// First frequency of a cantilever of 1 m that has this second moment and area.
double first_bending(double second_moment, double area) {
  return 3.5160152685 / (2 * pi) * std::sqrt(5e9 * second_moment / (700 * area));
}

}  // namespace

void wood_frames(CaseResult& result) {
  Plot plot{.title = "First frequency of crooked branches over G/E",
            .x_label = "G/E",
            .y_label = "frequency [Hz]",
            .series = {},
            .logarithmic_x = true};
  int colour = 0;
  for (const Frame& frame : frames()) {
    const auto reference = [&](double ratio) {
      return solve_frame(frame.bars, {oak_young, ratio * oak_young, oak_density}, 8);
    };
    const FrameAnswer wood = reference(1.0 / 14);
    const std::vector<double> found = frame_modes(frame, 1.0 / 14);
    for (std::size_t k = 0; k < 6; ++k) {
      check_relative(result, fmt::format("{}, G/E = 1/14: mode {} [Hz]", frame.name, k + 1),
                     wood.frequencies_hz[k], found.at(k), 5e-3);
    }
    const std::vector<double> sags = frame_sags(frame, 1.0 / 14);
    for (std::size_t b = 0; b < frame.bars.size(); ++b) {
      check_relative(result, fmt::format("{}, G/E = 1/14: sag of bar {} [m]", frame.name, b + 1),
                     -wood.moved[b][1], sags[b], 5e-3);
    }
    const double stiff = 1 / 2.8;  // Poisson's ratio 0.4
    result.notes.push_back(fmt::format(
        "{}: {:.3f} Hz and {:.1f} mm with G/E = 1/14; {:.3f} Hz and {:.1f} mm with 1/2.8",
        frame.name, found[0], 1e3 * *std::max_element(sags.begin(), sags.end()),
        frame_modes(frame, stiff)[0],
        1e3 * frame_sags(frame, stiff)[static_cast<std::size_t>(
                  std::max_element(sags.begin(), sags.end()) - sags.begin())]));
    if (!result.pictures) continue;
    PlotSeries theory = line(fmt::format("{}: finite elements", frame.name), colour);
    PlotSeries measured = dots(fmt::format("{}: thigmo", frame.name), colour++);
    for (double ratio = 0.02; ratio < 0.51; ratio *= 1.2) {
      add_point(theory, ratio, reference(ratio).frequencies_hz[0]);
      add_point(measured, ratio, frame_modes(frame, ratio)[0]);
    }
    plot.series.push_back(std::move(theory));
    plot.series.push_back(std::move(measured));
  }
  if (result.pictures) result.plots.push_back({.name = "wood_frames", .plot = std::move(plot)});
}

void hollow_and_elliptic(CaseResult& result) {
  // A slender tube: radius 8 mm, wall from all of it to a hundredth.
  PlotSeries bend = dots("thigmo"), theory = line("sqrt(1 + h^2)");
  const double solid = first_bending(pi / 4 * std::pow(0.008, 4), pi * 0.008 * 0.008);
  for (const double hollow : {0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.97}) {
    const double found =
        section_modes(fmt::format("radius = 0.008\nhollow = {}\n", hollow)).frequencies_hz[0];
    // I/A of a tube is that of the rod times (1 - h^4)/(1 - h^2).
    check_relative(result, fmt::format("tube, h = {}: first frequency [Hz]", hollow),
                   solid * std::sqrt(1 + hollow * hollow), found, 1e-3);
    add_point(bend, hollow, found / solid);
  }
  for (double hollow = 0; hollow <= 1; hollow += 0.02) {
    add_point(theory, hollow, std::sqrt(1 + hollow * hollow));
  }
  // An ellipse twice as wide as high, solid and hollow: two planes, and twisting with
  // f = sqrt(G J/(rho I_p))/4L, J = pi a^3 b^3/(a^2 + b^2), I_p = pi a b (a^2 + b^2)/4.
  const double a = 0.012, b = 0.006, area = pi * a * b;
  for (const double hollow : {0.0, 0.8}) {
    const ModesSummary found = section_modes(
        fmt::format("width = 0.024\nheight = 0.012\nsection = \"ellipse\"\nhollow = {}\n", hollow));
    const double tube = std::sqrt(1 + hollow * hollow);
    check_relative(result, fmt::format("ellipse, h = {}: about its width [Hz]", hollow),
                   tube * first_bending(area * b * b / 4, area), found.frequencies_hz[0], 1e-3);
    check_relative(result, fmt::format("ellipse, h = {}: about its height [Hz]", hollow),
                   tube * first_bending(area * a * a / 4, area), found.frequencies_hz[1], 1e-3);
    // J and I_p are hollowed out alike.
    const double twist = 0.25 * std::sqrt(0.1 * 5e9 / 700) * 2 * a * b / (a * a + b * b);
    const auto most = std::max_element(found.twist_share.begin(), found.twist_share.end());
    check_relative(result, fmt::format("ellipse, h = {}: twisting [Hz]", hollow), twist,
                   found.frequencies_hz[static_cast<std::size_t>(most - found.twist_share.begin())],
                   2e-3);
  }
  // A force at the tip, straight up: F L/W at the clamp, W = pi a b^2 (1 - h^4)/4.
  PoseRequest request;
  request.scenario_text =
      section_text("width = 0.024\nheight = 0.012\nsection = \"ellipse\"\nhollow = 0.8\n") +
      "[[force]]\nvector = [0, 0.01, 0]\n";
  const Outcome<PoseSummary> bent = pose(request);
  if (!bent) throw std::runtime_error(bent.error());
  const double left = 1 - std::pow(0.8, 4);
  check_relative(result, "hollow ellipse under 10 mN: stress at the clamp [Pa]",
                 0.01 / (pi * a * b * b / 4 * left), bent->max_stress, 1e-4);
  check_relative(result, "hollow ellipse under 10 mN: the tip rises [m]",
                 0.01 / (3 * 5e9 * area * b * b / 4 * left), bent->probes.at(0).position[1], 1e-3);
  result.plots.push_back({.name = "hollow_and_elliptic",
                          .plot = {.title = "First frequency of a tube over that of the rod",
                                   .x_label = "inner over outer radius h",
                                   .y_label = "ratio",
                                   .series = {theory, bend}}});
}

}  // namespace thigmo::validation
