#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <stdexcept>

#include "validation/validation.h"

// Pictures of the static cases: lines are poses that the engine finds, dots all rows of the oracle.
namespace thigmo::validation {
namespace {

using nlohmann::json;

using std::numbers::pi;

const json& oracle(const std::string& name) {
  static const json all =
      json::parse(std::ifstream(source_file("tests/data/physics.json"))).at("oracles");
  for (const json& one : all) {
    if (one.at("id") == name) return one.at("oracle");
  }
  throw std::runtime_error("physics.json has no oracle " + name);
}

// Length 1 m along x, E I = 1 N m², mass 1 kg.
std::string unit_rod(int segments) {
  const double radius = 0.01;
  return fmt::format(
      "[[plant]]\nkind = \"rod\"\nsegments = {}\nlength = 1.0\nradius = {}\nyoung = {}\n"
      "poisson = 0.3\ndensity = {}\ndirection = [1, 0, 0]\nup = [0, 1, 0]\n",
      segments, radius, 4 / (pi * std::pow(radius, 4)), 1 / (pi * radius * radius));
}

constexpr const char* weightless = "gravity = [0, 0, 0]\n";

Numbers3 tip(const std::string& text, std::optional<Numbers3> branch = {}) {
  PoseRequest request;
  request.scenario_text = text;
  request.branch = branch;
  const Outcome<PoseSummary> found = pose(request);
  if (!found) throw std::runtime_error(found.error());
  return found->probes.at(0).position;
}

// Calls with numbers from low to high, each the same factor above the one before.
template <class Use>
void through_powers(double low, double high, int count, const Use& use) {
  for (int i = 0; i <= count; ++i) use(low * std::pow(high / low, static_cast<double>(i) / count));
}

}  // namespace

void draw_elastica(CaseResult& result) {
  const auto draw = [&result](const char* name, const char* title, const char* id, double highest,
                              const char* force, int segments, bool logarithmic) {
    Plot plot{.title = title,
              .x_label = "P L^2 / EI [-]",
              .y_label = "tip / L [-]",
              .series = {line("x, thigmo", 0), line("y, thigmo", 1), dots("x, oracle", 0),
                         dots("y, oracle", 1)},
              .logarithmic_x = logarithmic};
    const auto measure = [&](double load) {
      const Numbers3 at =
          tip(weightless + unit_rod(segments) + fmt::format(fmt::runtime(force), load));
      add_point(plot.series[0], load, at[0]);
      add_point(plot.series[1], load, at[1]);
    };
    if (logarithmic) {
      through_powers(0.1, highest, 60, measure);
    } else {
      for (double load = 0.5; load <= highest; load += 0.5) measure(load);
    }
    for (const json& row : oracle(id)) {
      if (row.at("alpha") > highest) continue;
      add_point(plot.series[2], row.at("alpha"), row.at("x"));
      add_point(plot.series[3], row.at("alpha"), row.at("y"));
    }
    result.plots.push_back({.name = name, .plot = std::move(plot)});
  };
  draw("static_elastica", "A rod under a dead force at its tip, 20 segments", "E1_tip_dead", 100,
       "[[force]]\nvector = [0, {}, 0]\n", 20, true);
  draw("static_elastica_follower", "A rod under a force that turns along with its tip, 60 segments",
       "E3_follower", 30, "[[force]]\nvector = [0, 0, {}]\nfollower = true\n", 60, false);
}

void draw_self_weight(CaseResult& result) {
  Plot plot{.title = "A rod clamped level under its weight, 60 segments",
            .x_label = "Gamma = w L^3 / EI [-]",
            .y_label = "tip / L [-]",
            .series = {line("reach, thigmo", 0), line("drop, thigmo", 1), dots("reach, oracle", 0),
                       dots("drop, oracle", 1)},
            .logarithmic_x = true};
  through_powers(0.1, 1000, 60, [&](double gamma) {
    const Numbers3 at = tip(fmt::format("gravity = [0, {}, 0]\n", -gamma) + unit_rod(60));
    add_point(plot.series[0], gamma, at[0]);
    add_point(plot.series[1], gamma, -at[1]);
  });
  for (const json& row : oracle("E5_heavy_horizontal")) {
    if (row.at("Gamma") < 0.1 || row.at("Gamma") > 1000) continue;
    add_point(plot.series[2], row.at("Gamma"), row.at("W"));
    add_point(plot.series[3], row.at("Gamma"), row.at("H"));
  }
  result.plots.push_back({.name = "static_self_weight", .plot = std::move(plot)});
}

void draw_column(CaseResult& result) {
  Plot plot{.title = "A column after buckling",
            .x_label = "push / Euler's load [-]",
            .y_label = "tip / L [-]",
            .series = {line("along, thigmo", 0), line("across, thigmo", 1),
                       dots("along, oracle", 0), dots("across, oracle", 1)}};
  for (double part = 0.9; part < 4.01; part += part < 1.1 ? 0.0125 : 0.1) {
    const Numbers3 at =
        tip(weightless + unit_rod(60) +
                fmt::format("[[force]]\nvector = [{}, 0, 0]\n", -part * pi * pi / 4),
            Numbers3{0, 1, 0});
    add_point(plot.series[0], part, at[0]);
    add_point(plot.series[1], part, at[1]);
  }
  for (const json& row : oracle("E4_postbuckle_euler")) {
    if (row.at("P_over_Pcr") > 4) continue;
    add_point(plot.series[2], row.at("P_over_Pcr"), row.at("x_along"));
    add_point(plot.series[3], row.at("P_over_Pcr"), row.at("y_lateral"));
  }
  result.plots.push_back({.name = "static_column", .plot = std::move(plot)});
}

// As in the case of the same name.
void draw_bend45(CaseResult& result) {
  const double poisson = 1e7 / (2 * (5e6 / 6 / 0.140577)) - 1;
  Plot plot{.title = "An arc of 45 degrees pushed out of its plane",
            .x_label = "force",
            .y_label = "tip",
            .series = {line("x, thigmo", 0), line("y, thigmo", 1), line("z, thigmo", 2),
                       dots("x, oracle", 0), dots("y, oracle", 1), dots("z, oracle", 2)}};
  for (double load = 50; load <= 3000; load += 50) {
    const Numbers3 at = tip(fmt::format(
        "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 64\nlength = {}\nwidth = 1.0\n"
        "height = 1.0\nyoung = 1e7\npoisson = {}\ndensity = 1.0\ndirection = [0, 0, 1]\n"
        "up = [1, 0, 0]\ncurvature = [0.01, 0, 0]\n[[force]]\nvector = [0, {}, 0]\n",
        25 * pi, poisson, load));
    for (std::size_t k = 0; k < 3; ++k) add_point(plot.series[k], load, at[k]);
  }
  for (const json& row : oracle("R1_bend45").at("kirchhoff_inextensible")) {
    add_point(plot.series[3], row.at("P"), row.at("tip_x"));
    add_point(plot.series[4], row.at("P"), row.at("tip_y"));
    add_point(plot.series[5], row.at("P"), row.at("tip_z"));
  }
  plot.x_label += " [N], R = 100 m, E = 10 MPa";
  plot.y_label += " [m]";
  result.plots.push_back({.name = "static_bend45", .plot = std::move(plot)});
}

void draw_princeton(CaseResult& result) {
  const double force = 13.345;
  Plot plot{.title = "The Princeton beam: 13.345 N at an angle to the flat rod",
            .x_label = "angle [deg]",
            .y_label = "tip displacement [m]",
            .series = {line("-x, thigmo", 0), line("-y, thigmo", 1), line("z, thigmo", 2),
                       dots("-x, oracle", 0), dots("-y, oracle", 1), dots("z, oracle", 2)}};
  for (double degrees = 0; degrees <= 90; degrees += 3) {
    const double angle = degrees * pi / 180;
    const Numbers3 at = tip(fmt::format(
        "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 60\nlength = 0.508\n"
        "width = 0.0032024\nheight = 0.0123777\nyoung = 71.7e9\npoisson = 0.31\ndensity = 2800\n"
        "direction = [1, 0, 0]\nup = [0, 1, 0]\n[[force]]\nvector = [0, {}, {}]\n",
        -force * std::cos(angle), force * std::sin(angle)));
    add_point(plot.series[0], degrees, 0.508 - at[0]);
    add_point(plot.series[1], degrees, -at[1]);
    add_point(plot.series[2], degrees, at[2]);
  }
  for (const json& row : oracle("R7_princeton").at("rows")) {
    if (row.at("mode") != "kirchhoff" || std::abs(row.at("F").get<double>() - force) > 0.01) {
      continue;
    }
    add_point(plot.series[3], row.at("beta_deg"), -row.at("ux").get<double>());
    add_point(plot.series[4], row.at("beta_deg"), -row.at("uy").get<double>());
    add_point(plot.series[5], row.at("beta_deg"), row.at("uz"));
  }
  result.plots.push_back({.name = "static_princeton", .plot = std::move(plot)});
}

// The square of the first frequency falls to zero where the flat rod tips over.
void draw_lateral_buckling(CaseResult& result) {
  const double thickness = 0.01, height = 0.1, weak = height * std::pow(thickness, 3) / 12;
  const double critical[] = {4.888505643757956, 15.66915755447969};  // as in the case itself
  Plot plot{.title = "A flat rod on edge: it tips over where its first frequency is zero",
            .x_label = "load / the oracle's critical load [-]",
            .y_label = "omega_1^2, of that without load [-]",
            .series = {line("force at the tip"), line("its weight"), dots("oracle", 6)}};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    double unloaded = 0;
    for (double part = 0; part < 1.1; part += 0.025) {
      const double load = part * critical[kind];
      const std::string text =
          fmt::format("gravity = [0, {}, 0]\n", kind == 1 ? -load : 0.0) +
          fmt::format(
              "[[plant]]\nkind = \"rod\"\nsegments = 80\nlength = 1.0\nwidth = {}\nheight = {}\n"
              "young = {}\npoisson = 0.3\ndensity = {}\ndirection = [1, 0, 0]\nup = [0, 1, 0]\n",
              thickness, height, 1 / weak, 1 / (thickness * height)) +
          (kind == 0 ? fmt::format("[[force]]\nvector = [0, {}, 0]\n", -load) : "");
      const Outcome<ModesSummary> found = modes({.file = {}, .scenario_text = text, .count = 2});
      if (!found || found->frequencies_hz.empty()) break;  // beyond it there is no frequency
      const double squared = std::pow(found->frequencies_hz[0], 2);
      if (part == 0) unloaded = squared;
      add_point(plot.series[kind], part, squared / unloaded);
    }
  }
  add_point(plot.series[2], 1, 0);
  result.plots.push_back({.name = "static_lateral_buckling", .plot = std::move(plot)});
}

// As the part of the case in which a rod of 2 m lies on the floor.
void draw_ground(CaseResult& result) {
  const double radius = 0.005, young = 1e9, weight = 1000 * 9.81 * pi * radius * radius;
  const double bending = young * pi / 4 * std::pow(radius, 4);
  Plot plot{.title = "A rod of 2 m from a level clamp above the floor",
            .x_label = "height of the clamp [m]",
            .y_label = "push of the floor [N]",
            .series = {line("w (L - 2/3 (72 EI H / w)^(1/4))"), dots("thigmo")}};
  for (double height = 0.002; height < 0.081; height += 0.002) {
    const double lift = std::pow(72 * bending * height / weight, 0.25);
    add_point(plot.series[0], height, weight * (2 - 2.0 / 3 * lift));
  }
  for (double height : {0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08}) {
    PoseRequest request;
    request.scenario_text = fmt::format(
        "[ground]\nheight = 0.0\n[[plant]]\nkind = \"rod\"\nsegments = 100\nlength = 2\n"
        "radius = {}\nyoung = {}\ndensity = 1000\ndirection = [1, 0, 0]\nposition = [0, {}, 0]\n",
        radius, young, height);
    const Outcome<PoseSummary> found = pose(request);
    if (!found) throw std::runtime_error(found.error());
    add_point(plot.series[1], height, found->ground_force);
  }
  result.plots.push_back({.name = "static_ground", .plot = std::move(plot)});
}

void draw_mode_frequencies(CaseResult& result) {
  Plot plot{.title = "A rod that stands (Gamma > 0) or hangs under its weight",
            .x_label = "Gamma = w L^3 / EI [-]",
            .y_label = "omega sqrt(rho A L^4 / EI) [-]",
            .series = {line("first, thigmo", 0), line("second, thigmo", 1),
                       dots("first, oracle", 0), dots("second, oracle", 1)}};
  for (double gamma = -100; gamma < 7.8; gamma += gamma < 0 ? 4 : 0.25) {
    const Outcome<ModesSummary> found =
        modes({.file = {},
               .scenario_text = fmt::format("gravity = [{}, 0, 0]\n", -gamma) + unit_rod(80),
               .count = 4});
    if (!found) throw std::runtime_error(found.error());
    add_point(plot.series[0], gamma, 2 * pi * found->frequencies_hz.at(0));
    add_point(plot.series[1], gamma, 2 * pi * found->frequencies_hz.at(2));
  }
  for (const json& row : oracle("D5_selfweight_freq").at("uniform")) {
    const double gamma = row.at("Gamma");
    if (gamma < -100 || gamma > 7.8) continue;
    add_point(plot.series[2], gamma, row.at("omega_bar").at(0));
    add_point(plot.series[3], gamma, row.at("omega_bar").at(1));
  }
  result.plots.push_back({.name = "mode_frequencies", .plot = std::move(plot)});
}

// What the case compared: two checks a tree, without gravity and sagged.
void draw_scanned_trees(CaseResult& result) {
  Plot plot{.title = "First frequency of two scanned trees",
            .x_label = "tree and wood",
            .y_label = "frequency [Hz]",
            .series = {{"finite elements, no gravity", {}, {}, SeriesStyle::bars},
                       {"thigmo, no gravity", {}, {}, SeriesStyle::bars},
                       {"thigmo, sagged", {}, {}, SeriesStyle::bars}},
            .x_names = {"Tf18, birch", "Tf3, sycamore", "Tf3, birch"}};
  for (std::size_t i = 0; 2 * i + 1 < result.checks.size(); ++i) {
    const auto place = static_cast<double>(i);
    add_point(plot.series[0], place, result.checks[2 * i].expected);
    add_point(plot.series[1], place, result.checks[2 * i].measured);
    add_point(plot.series[2], place, result.checks[2 * i + 1].measured);
  }
  result.plots.push_back({.name = "scanned_trees", .plot = std::move(plot)});
}

}  // namespace thigmo::validation
