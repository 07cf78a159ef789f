#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "validation/validation.h"

// How quickly static poses approach the exact ones, and the frequencies of two scanned trees.
namespace thigmo::validation {
namespace {

using std::numbers::pi;

// Length 1 m along x, E I = 1 N m², round ones 1 kg.
struct RodCase {
  const char* label;
  std::string loads;     // before the plant
  std::string force;     // behind it
  double x, y;           // of the exact tip [m]
  bool buckled = false;  // then it falls towards y
  double z = 0;          // of the exact tip [m]
  std::string shape = "radius = 0.01\n";
};

Numbers3 tip_of(const RodCase& rod, int segments) {
  const double radius = 0.01;
  PoseRequest request;
  request.scenario_text =
      rod.loads +
      fmt::format(
          "[[plant]]\nkind = \"rod\"\nsegments = {}\nlength = 1.0\nyoung = {}\n"
          "poisson = 0.3\ndensity = {}\ndirection = [1, 0, 0]\nup = [0, 1, 0]\n",
          segments, 4 / (pi * std::pow(radius, 4)), 1 / (pi * radius * radius)) +
      rod.shape + rod.force;
  if (rod.buckled) request.branch = Numbers3{0, 1, 0};
  const Outcome<PoseSummary> found = pose(request);
  if (!found) throw std::runtime_error(found.error());
  return found->probes.at(0).position;
}

// The scans are part of the source tree.
std::string scan_file(const char* tree) {
  return source_file(fmt::format("tests/data/qsm/qsm_{}.json", tree));
}

ModesSummary modes_of_scan(const char* tree, double young, double density, const char* about,
                           int pieces) {
  const Outcome<ModesSummary> found = modes({.file = scan_file(tree),
                                             .count = 2,
                                             .about = about,
                                             .young = young,
                                             .density = density,
                                             .poisson = 0.38,  // G = E / 2.76
                                             .pieces = pieces});
  if (!found) throw std::runtime_error(found.error());
  return *found;
}

}  // namespace

void static_convergence(CaseResult& result) {
  const std::string weightless = "gravity = [0, 0, 0]\n";
  const double s = std::sin(pi / 3), c = std::cos(pi / 3);
  // The inclined clamp is turned back to the level, and gravity with it.
  const double inclined_x = 0.8991857274 * c - 0.1211399319 * s;
  const double inclined_y = -0.8991857274 * s - 0.1211399319 * c;
  const std::string flat_rod = "width = 0.03994006091401169\nheight = 0.013313353638003896\n";
  const RodCase rods[] = {
      {"dead force", weightless, "[[force]]\nvector = [0, 5, 0]\n", 0.6123716392755701,
       0.7137915236119128},
      {"follower", weightless, "[[force]]\nvector = [0, 0, 5]\nfollower = true\n",
       0.1722778753991263, 0.7806901427780997},
      {"column", weightless, "[[force]]\nvector = [-2.8417542587507936, 0, 0]\n",
       0.7410196060763269, 0.5932076461648851, true},
      {"weight", "gravity = [0, -10, 0]\n", "", 0.6563537612385987, -0.7001997155143127},
      {"weight at 60 deg", fmt::format("gravity = [{}, {}, 0]\n", -10 * s, -10 * c), "", inclined_x,
       inclined_y},
      // From here on Kirchhoff's equations by shooting, steps of L/1000 (tests/support/kirchhoff.h): a
      // moment that bends and twists, and rods with natural curvature and
      // twist. The flat rod is thrice as wide as high, E I = 1 about its width.
      {"turning moment", weightless, "[[force]]\nmoment = [1.5, 1.2, 0]\nfollower = true\n",
       0.688410205524, 0.423138240395, false, 0.425615863530},
      {"round arc", weightless, "[[force]]\nvector = [0, 0, 3]\n", 0.604952323164, 0.351590045875,
       false, 0.586931780660, "radius = 0.01\ncurvature = [1.2, 0, 0]\n"},
      {"flat arc", weightless, "[[force]]\nvector = [0, 0, 3]\n", 0.575690328546, 0.605762102834,
       false, 0.277676404965, flat_rod + "curvature = [1.5, 0, 0]\n"},
      {"twisted flat rod", weightless, "[[force]]\nvector = [0, 2, 1]\n", 0.832458360287,
       0.464740103366, false, 0.190964651949,
       flat_rod + "curvature = [0, 1.5707963267948966, 0]\n"},
      {"flat helix", weightless, "[[force]]\nvector = [1, 2, 3]\n", 0.480746838225, 0.554899194980,
       false, 0.443201138789, flat_rod + "curvature = [2, 1.5, 0]\n"},
  };
  const std::vector<double> counts = {10, 20, 40, 80, 160};
  const auto empty_plot = [](const char* title) {
    return Plot{.title = title,
                .x_label = "segments",
                .y_label = "error / length",
                .series = {},
                .logarithmic_x = true,
                .logarithmic_y = true};
  };
  Plot straight = empty_plot("Error of the tip, with the order"),
       curved = empty_plot("Error of the tip of curved rods, with the order");
  for (const RodCase& rod : rods) {
    PlotSeries series{.label = rod.label, .x = counts, .y = {}};
    for (double n : counts) {
      const Numbers3 at = tip_of(rod, static_cast<int>(n));
      series.y.push_back(std::hypot(at[0] - rod.x, at[1] - rod.y, at[2] - rod.z));
    }
    const double order = -growth_power(series.x, series.y);
    check_absolute(result, fmt::format("{}: order of convergence", rod.label), 2, order, 0.2);
    series.label = fmt::format("{}: {:.2f}", rod.label, order);
    const bool is_curved = rod.shape.find("curvature") != std::string::npos;
    (is_curved ? curved : straight).series.push_back(std::move(series));
  }
  result.plots.push_back({.name = "static_convergence", .plot = std::move(straight)});
  result.plots.push_back({.name = "static_convergence_curved", .plot = std::move(curved)});
}

// A level clamp H above the floor; w and E I of the rod.
void static_ground(CaseResult& result) {
  const auto lay = [](double length, double radius, double young, double height) {
    PoseRequest request;
    request.scenario_text = fmt::format(
        "[ground]\nheight = 0.0\n[[plant]]\nkind = \"rod\"\nsegments = 100\nlength = {}\n"
        "radius = {}\nyoung = {}\ndensity = 1000\ndirection = [1, 0, 0]\nposition = [0, {}, 0]\n",
        length, radius, young, height);
    const Outcome<PoseSummary> found = pose(request);
    if (!found) throw std::runtime_error(found.error());
    return *found;
  };
  const auto weight = [](double radius) { return 1000 * 9.81 * pi * radius * radius; };
  const auto bending = [](double radius, double young) {
    return young * pi / 4 * std::pow(radius, 4);
  };
  const double sag = weight(0.01) / (8 * bending(0.01, 1e10));
  const PoseSummary touching = lay(1, 0.01, 1e10, 0.8 * sag);
  check_relative(result, "one tip touches: push of the ground [N]",
                 3 * bending(0.01, 1e10) * 0.2 * sag, touching.ground_force, 5e-3);
  check_absolute(result, "one tip touches: height of the tip [m]", 0,
                 touching.probes.at(0).position[1], 1e-8);
  for (double height : {0.01, 0.02, 0.05}) {
    const double a = std::pow(72 * bending(0.005, 1e9) * height / weight(0.005), 0.25);
    const PoseSummary lying = lay(2, 0.005, 1e9, height);
    check_relative(result, fmt::format("clamp {} m up: push on the part that lies [N]", height),
                   weight(0.005) * (2 - 2.0 / 3 * a), lying.ground_force, 5e-3);
  }
}

// An independent frame of beams of Euler and Bernoulli, one a cylinder, with consistent masses; the woods are
// those of the field data of the same authors. Under their weight: the same with prestressed elements.
void scanned_trees(CaseResult& result) {
  const struct {
    const char* tree;
    const char* wood;
    double young, density, first;
    double standing;  // under its weight as scanned, by prestressed elements; 0: not known
  } rows[] = {{"Tf18_LeafOff", "birch", 9.9e9, 801, 0.21021, 0.13131},
              {"Tf3_LeafOff", "sycamore", 8.4e9, 721, 0.20720, 0.10868},
              {"Tf3_LeafOff", "birch", 9.9e9, 801, 0.21341, 0}};
  for (const auto& row : rows) {
    const ModesSummary still = modes_of_scan(row.tree, row.young, row.density, "rest", 6);
    check_relative(result, fmt::format("{} of {}, no gravity [Hz]", row.tree, row.wood), row.first,
                   still.frequencies_hz.at(0), 1e-2);
    // Lower by 12 to 40 %: the scan taken as the shape without weight.
    const ModesSummary heavy = modes_of_scan(row.tree, row.young, row.density, "equilibrium", 6);
    check_relative(result, fmt::format("{} of {}, sagged under gravity [Hz]", row.tree, row.wood),
                   0.74 * row.first, heavy.frequencies_hz.at(0), 0.14 / 0.74);
    const ModesSummary standing = modes_of_scan(row.tree, row.young, row.density, "modelled", 6);
    if (row.standing > 0) {
      check_relative(result, fmt::format("{} of {}, standing as scanned [Hz]", row.tree, row.wood),
                     row.standing, standing.frequencies_hz.at(0), 1e-2);
    }
    result.notes.push_back(fmt::format(
        "{} of {}: {:.1f} % lower when sagged by {:.1f} m, {:.1f} % lower standing as scanned",
        row.tree, row.wood, 100 * (1 - heavy.frequencies_hz[0] / still.frequencies_hz[0]),
        heavy.sag, 100 * (1 - standing.frequencies_hz[0] / still.frequencies_hz[0])));
  }
}

}  // namespace thigmo::validation
