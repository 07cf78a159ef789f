#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "validation/validation.h"

// Static poses and vibration modes. Rods have length 1 m, bending stiffness E I = 1 N m² and mass
// 1 kg, so that loads, places and frequencies are the dimensionless ones of the literature.
namespace thigmo::validation {
namespace {

using std::numbers::pi;

// Radius 10 mm along x, up along y.
std::string unit_rod(int segments, const std::string& more = {}) {
  const double radius = 0.01, area = pi * radius * radius, second = pi / 4 * std::pow(radius, 4);
  return fmt::format(
      "[[plant]]\nkind = \"rod\"\nsegments = {}\nlength = 1.0\nradius = {}\nyoung = {}\n"
      "poisson = 0.3\ndensity = {}\ndirection = [1, 0, 0]\nup = [0, 1, 0]\n{}\n",
      segments, radius, 1 / second, 1 / area, more);
}

std::string gravity(double x, double y) { return fmt::format("gravity = [{}, {}, 0]\n", x, y); }

PoseSummary posed(const std::string& text, PoseRequest request = {}) {
  request.scenario_text = text;
  Outcome<PoseSummary> found = pose(request);
  if (!found) throw std::runtime_error(found.error());
  return std::move(*found);
}

Numbers3 tip(const std::string& text, const PoseRequest& request = {}) {
  return posed(text, request).probes.at(0).position;
}

ModesSummary modes_of(const std::string& text, int count,
                      const std::string& about = "equilibrium") {
  Outcome<ModesSummary> found =
      modes({.file = {}, .scenario_text = text, .count = count, .about = about});
  if (!found) throw std::runtime_error(found.error());
  return std::move(*found);
}

}  // namespace

void static_elastica(CaseResult& result) {
  const struct {
    double load, x, y;
  } dead[] = {{1, 0.9435667637, 0.3017207738},
              {10, 0.4450044022, 0.8106090249},
              {100, 0.1414213554, 0.9414213509}};
  for (const auto& row : dead) {
    for (int segments : {20, 40}) {
      const Numbers3 at = tip(gravity(0, 0) + unit_rod(segments) +
                              fmt::format("[[force]]\nvector = [0, {}, 0]\n", row.load));
      const std::string what =
          fmt::format("dead force P L^2/EI = {}, {} segments", row.load, segments);
      const double part = segments == 20 ? 5e-3 : 2e-3;
      check_relative(result, what + ", tip x / L", row.x, at[0], part);
      check_relative(result, what + ", tip y / L", row.y, at[1], part);
    }
  }
  const Numbers3 circle =
      tip(gravity(0, 0) + unit_rod(40) + fmt::format("[[force]]\nmoment = [0, 0, {}]\n", 2 * pi));
  check_absolute(result, "moment M L/EI = 2 pi closes the circle, tip x / L", 0, circle[0], 1e-3);
  check_absolute(result, "moment M L/EI = 2 pi closes the circle, tip y / L", 0, circle[1], 1e-3);
  const struct {
    double load, x, y;
  } follower[] = {{5, 0.1722778754, 0.7806901428},
                  {20, 0.2757101231, 0.3301576598},
                  {30, 0.4761412371, -0.2016908401}};
  for (const auto& row : follower) {
    const Numbers3 at =
        tip(gravity(0, 0) + unit_rod(60) +
            fmt::format("[[force]]\nvector = [0, 0, {}]\nfollower = true\n", row.load));
    check_absolute(result, fmt::format("follower force P L^2/EI = {}, tip x / L", row.load), row.x,
                   at[0], 1e-2);
    check_absolute(result, fmt::format("follower force P L^2/EI = {}, tip y / L", row.load), row.y,
                   at[1], 1e-2);
  }
}

void static_self_weight(CaseResult& result) {
  const struct {
    double gamma, reach, drop;
    int segments;
    double part;
  } level[] = {{1, 0.9912463953, 0.123471402, 30, 1e-2},
               {10, 0.6563537612, 0.7001997155, 30, 1e-2},
               {100, 0.1592233826, 0.9375239354, 30, 1e-2},
               {100, 0.1592233826, 0.9375239354, 60, 3e-3},
               {1000, 0.04598645476, 0.9811412693, 100, 3e-3}};
  for (const auto& row : level) {
    const Numbers3 at = tip(gravity(0, -row.gamma) + unit_rod(row.segments));
    const std::string what =
        fmt::format("level clamp, Gamma = {}, {} segments", row.gamma, row.segments);
    check_relative(result, what + ", reach / L", row.reach, at[0], row.part);
    check_relative(result, what + ", drop / L", row.drop, -at[1], row.part);
  }
  // Bends of L/√Γ: no second-order discretisation has 1 % of the reach with 30 segments there. The
  // oracle asks for 1e-3 of the length where a segment is no longer than half the bend, h ≤ L/(2√Γ).
  const struct {
    double gamma, reach;
  } short_bends[] = {{200, 0.1074204362},
                     {300, 0.0862913654},
                     {500, 0.0658900366},
                     {700, 0.0552962149},
                     {1000, 0.04598645476}};
  for (const auto& row : short_bends) {
    const auto error = [&row](int segments) {
      return tip(gravity(0, -row.gamma) + unit_rod(segments))[0] / row.reach - 1;
    };
    const auto fewest = static_cast<int>(std::ceil(2 * std::sqrt(row.gamma)));
    check_absolute(
        result, fmt::format("level clamp, Gamma = {}, {} segments, reach / L", row.gamma, fewest),
        row.reach, row.reach * (1 + error(fewest)), 1e-3);
    result.notes.push_back(
        fmt::format("level clamp, Gamma = {}: reach off by {:.2f} % with 30 segments, "
                    "{:.2f} % with 60, {:.2f} % with 100",
                    row.gamma, 100 * error(30), 100 * error(60), 100 * error(100)));
  }
  const struct {
    double degrees, x, up;
  } inclined[] = {{30, 0.8117706169, -0.4594373123},
                  {60, 0.8991857274, -0.1211399319},
                  {89, 0.8072942092, 0.424977978}};
  for (const auto& row : inclined) {
    const double c = std::cos(row.degrees * pi / 180), s = std::sin(row.degrees * pi / 180);
    const Numbers3 at = tip(gravity(-10 * s, -10 * c) + unit_rod(100));
    check_absolute(result, fmt::format("clamp at {} degrees, Gamma = 10, reach / L", row.degrees),
                   row.x, at[0] * c - at[1] * s, 1e-2);
    check_absolute(result, fmt::format("clamp at {} degrees, Gamma = 10, height / L", row.degrees),
                   row.up, at[0] * s + at[1] * c, 1e-2);
  }
}

void static_column(CaseResult& result) {
  const struct {
    double load, x, y;
  } rows[] = {{2.6244839138, 0.8812035117, 0.4222403401},
              {3.7464741792, 0.3489893004, 0.7915394965},
              {9.9438385468, -0.3403188557, 0.624603513}};
  for (const auto& row : rows) {
    const std::string text =
        gravity(0, 0) + unit_rod(80) + fmt::format("[[force]]\nvector = [{}, 0, 0]\n", -row.load);
    check_absolute(result,
                   fmt::format("P L^2/EI = {:.4f}: the straight column is unstable", row.load), 0,
                   posed(text).stable.value_or(true) ? 1 : 0, 0);
    const Numbers3 at = tip(text, {.branch = Numbers3{0, 1, 0}});
    check_absolute(result, fmt::format("P L^2/EI = {:.4f}, bent tip along / L", row.load), row.x,
                   at[0], 1e-2);
    check_absolute(result, fmt::format("P L^2/EI = {:.4f}, bent tip across / L", row.load), row.y,
                   at[1], 1e-2);
  }
}

// The arc leaves the origin along z and bends towards x; the force is along y. The oracle's torsion
// stiffness is G/6; a square of side 1 has Saint-Venant's J = 0.140577, hence the Poisson's ratio.
void static_bend45(CaseResult& result) {
  const double poisson = 1e7 / (2 * (5e6 / 6 / 0.140577)) - 1;
  const struct {
    double load, x, y, z;
  } rows[] = {{300, 22.2450347421, 40.188283838, 58.7796853912},
              {450, 18.5084640456, 48.4979826206, 52.2392984209},
              {600, 15.6850781622, 53.4685984423, 47.1512944003},
              {3000, 4.2329386999, 68.5122542485, 23.0261050553}};
  for (const auto& row : rows) {
    const Numbers3 at = tip(fmt::format(
        "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 64\nlength = {}\nwidth = 1.0\n"
        "height = 1.0\nyoung = 1e7\npoisson = {}\ndensity = 1.0\ndirection = [0, 0, 1]\n"
        "up = [1, 0, 0]\ncurvature = [0.01, 0, 0]\n[[force]]\nvector = [0, {}, 0]\n",
        25 * pi, poisson, row.load));
    const double tolerance = 3e-3 * 25 * pi;
    check_absolute(result, fmt::format("P = {}, tip x [m]", row.load), row.x, at[0], tolerance);
    check_absolute(result, fmt::format("P = {}, tip y [m]", row.load), row.y, at[1], tolerance);
    check_absolute(result, fmt::format("P = {}, tip z [m]", row.load), row.z, at[2], tolerance);
  }
}

void static_princeton(CaseResult& result) {
  const struct {
    double degrees, x, y, z;
  } rows[] = {{15, -0.005297352961, -0.01649289568, 0.06449064359},
              {45, -0.03035708193, -0.01533465366, 0.156575924},
              {90, -0.05039995232, 0, 0.2006789248}};
  for (const auto& row : rows) {
    const double angle = row.degrees * pi / 180;
    const Numbers3 at = tip(fmt::format(
        "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 60\nlength = 0.508\n"
        "width = 0.0032024\nheight = 0.0123777\nyoung = 71.7e9\npoisson = 0.31\ndensity = 2800\n"
        "direction = [1, 0, 0]\nup = [0, 1, 0]\n[[force]]\nvector = [0, {}, {}]\n",
        -13.345 * std::cos(angle), 13.345 * std::sin(angle)));
    const double tolerance = 1e-2 * std::hypot(row.x, row.y, row.z);
    check_absolute(result, fmt::format("13.345 N at {} degrees, u_x [m]", row.degrees), row.x,
                   at[0] - 0.508, tolerance);
    check_absolute(result, fmt::format("13.345 N at {} degrees, u_y [m]", row.degrees), row.y,
                   at[1], tolerance);
    check_absolute(result, fmt::format("13.345 N at {} degrees, u_z [m]", row.degrees), row.z,
                   at[2], tolerance);
  }
}

// A flat rod 10 times as high as thick, B1 = 1: the load at which it tips over, by bisection on what
// the pose says of its stability.
void static_lateral_buckling(CaseResult& result) {
  const double thickness = 0.01, height = 0.1;
  const double weak = height * std::pow(thickness, 3) / 12;
  const auto stands = [&](const std::string& loads, const std::string& force) {
    const PoseSummary summary = posed(
        loads +
        fmt::format(
            "[[plant]]\nkind = \"rod\"\nsegments = 80\nlength = 1.0\nwidth = {}\nheight = {}\n"
            "young = {}\npoisson = 0.3\ndensity = {}\ndirection = [1, 0, 0]\n"
            "up = [0, 1, 0]\n",
            thickness, height, 1 / weak, 1 / (thickness * height)) +
        force);
    return summary.stable.value_or(false) && std::abs(summary.probes[0].position[2]) < 1e-6;
  };
  const auto critical = [](double low, double high, const auto& test) {
    for (int i = 0; i < 14; ++i) {
      const double middle = 0.5 * (low + high);
      (test(middle) ? low : high) = middle;
    }
    return 0.5 * (low + high);
  };
  check_relative(result, "tip force P L^2/B1 at which it tips over", 4.888505643757956,
                 critical(3, 7,
                          [&](double p) {
                            return stands(gravity(0, 0),
                                          fmt::format("[[force]]\nvector = [0, {}, 0]\n", -p));
                          }),
                 3e-2);
  check_relative(result, "weight Gamma_1 at which it tips over", 15.66915755447969,
                 critical(10, 25, [&](double gamma) { return stands(gravity(0, -gamma), ""); }),
                 3e-2);
}

void mode_frequencies(CaseResult& result) {
  const std::string still = gravity(0, 0);
  const auto omega = [](const ModesSummary& summary, std::size_t k) {
    return 2 * pi * summary.frequencies_hz.at(2 * k);
  };
  const ModesSummary uniform = modes_of(still + unit_rod(20), 6);
  const double exact[3] = {3.5160152685, 22.0344915647, 61.6972144135};
  const double part[3] = {3e-3, 1e-2, 2e-2};
  for (std::size_t k = 0; k < 3; ++k) {
    check_relative(result, fmt::format("uniform rod of 20 segments, omega_{}", k + 1), exact[k],
                   omega(uniform, k), part[k]);
  }
  const ModesSummary cone = modes_of(still + unit_rod(60, "radius_tip = 0.005"), 4);
  check_relative(result, "cone to half its radius, omega_1", 4.625150253, omega(cone, 0), 1e-2);
  check_relative(result, "cone to half its radius, omega_2", 19.547613489, omega(cone, 1), 1e-2);
  const ModesSummary wedge = modes_of(
      still + fmt::format("[[plant]]\nkind = \"rod\"\nsegments = 80\nlength = 1.0\nwidth = 0.01\n"
                          "height = 1e-4\nheight_tip = 0.5e-4\nyoung = {}\ndensity = {}\n",
                          12 / (0.01 * 1e-12), 1 / (0.01 * 1e-4)),
      2);
  check_relative(result, "flat rod to half its thickness, omega_1", 3.823784848,
                 2 * pi * wedge.frequencies_hz.at(0), 1e-2);
  check_relative(result, "flat rod to half its thickness, omega_2", 18.317260976,
                 2 * pi * wedge.frequencies_hz.at(1), 1e-2);
  for (const auto& [k, first, second] :
       {std::array{1.0, 1.55729712, 16.25008368}, std::array{10.0, 2.967838415, 19.35580149}}) {
    const ModesSummary soft_root =
        modes_of(still + unit_rod(60, fmt::format("root_spring = {}", k)), 4);
    check_relative(result, fmt::format("root spring k L/EI = {}, omega_1", k), first,
                   omega(soft_root, 0), 1e-2);
    check_relative(result, fmt::format("root spring k L/EI = {}, omega_2", k), second,
                   omega(soft_root, 1), 1e-2);
  }
  const ModesSummary sharp = modes_of(
      still + fmt::format("[[plant]]\nkind = \"rod\"\nsegments = 20\nlength = 1.0\nwidth = 0.01\n"
                          "height = 1e-4\nheight_tip = 1e-5\nyoung = {}\ndensity = {}\n",
                          12 / (0.01 * 1e-12), 1 / (0.01 * 1e-4)),
      4);
  const double sharp_exact[4] = {4.6307238626, 14.9307926936, 32.8331211130, 58.9170674916};
  for (std::size_t k = 0; k < 4; ++k) {
    check_relative(
        result, fmt::format("flat rod of 20 segments to a tenth of its thickness, omega_{}", k + 1),
        sharp_exact[k], 2 * pi * sharp.frequencies_hz.at(k), 1e-2);
  }
  // β tan β = 0.1, ω = β/L √(G/ρ); the mass makes ρ J L / (m R²/2) that tenth.
  const ModesSummary disc =
      modes_of(still +
                   "[[plant]]\nkind = \"rod\"\nsegments = 40\nlength = 0.05\n"
                   "radius = 0.0025\nyoung = 1e9\npoisson = 0.3\ndensity = 800\n"
                   "tip_mass = 1.9634954e-5\ntip_radius = 0.05\n",
               8);
  std::size_t twist = 0;
  while (twist + 1 < disc.twist_share.size() && disc.twist_share[twist] < 0.5) ++twist;
  check_relative(result, "disc at the end of a rod that twists, omega_1",
                 0.3110528482 / 0.05 * std::sqrt(1e9 / 2.6 / 800),
                 2 * pi * disc.frequencies_hz.at(twist), 1e-2);
  const ModesSummary mass = modes_of(still + unit_rod(60, "tip_mass = 1.0"), 4);
  check_relative(result, "tip mass as heavy as the rod, omega_1", 1.5572978612, omega(mass, 0),
                 5e-3);
  check_relative(result, "tip mass as heavy as the rod, omega_2", 16.2500851582, omega(mass, 1),
                 5e-3);
  const struct {
    double gamma, first, second, part;
  } heavy[] = {{-100, 12.868742013, 36.509169567, 2e-2},
               {5, 2.118486072, 21.0292822345, 2e-2},
               {7, 1.1515531265, 20.6127598704, 5e-2}};
  for (const auto& row : heavy) {
    const ModesSummary found = modes_of(gravity(-row.gamma, 0) + unit_rod(80), 4);
    check_relative(result, fmt::format("upright, Gamma = {}, omega_1", row.gamma), row.first,
                   omega(found, 0), row.part);
    check_relative(result, fmt::format("upright, Gamma = {}, omega_2", row.gamma), row.second,
                   omega(found, 1), 2e-2);
  }
}

}  // namespace thigmo::validation
