#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "material/section.h"
#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/kinematics/energy.h"
#include "mechanics/model/beam.h"
#include "mechanics/statics/equilibrium.h"
#include "mechanics/statics/inverse_statics.h"
#include "mechanics/step/step.h"
#include "support/kirchhoff.h"
#include "support/oracles.h"
#include "support/plants.h"
#include "thigmo/thigmo.h"

// Rods with natural curvature and twist whose stiffnesses differ.
namespace thigmo::curved_rod_test {
namespace {

using nlohmann::json;
using std::numbers::pi;

// E I of a disc of 10 mm radius is 1; laths have that about x.
const Material unit_material{.name = "unit",
                             .density = 1,
                             .young = 4 / (pi * 1e-8),
                             .poisson = 0.3,
                             .damping_ratio = 0.9,
                             .strength = 1e8};

RodDescription rod_of(bool lath, const Vec3& curvature) {
  RodDescription rod{.length = 1,
                     .radius_base = 0.01,
                     .radius_tip = 0.01,
                     .direction = {1, 0, 0},
                     .up = {0, 1, 0},
                     .material = unit_material,
                     .curvature = curvature};
  // Thrice as wide as high.
  const double height = std::pow(12.0 / 3 * pi / 4 * 1e-8, 0.25);
  if (lath) rod.rectangle = Rectangle{.width = 3 * height, .height = height};
  return rod;
}

Vec3 stiffness_of(const RodDescription& rod) {
  const Section section = rod.rectangle
                              ? rectangular_section(rod.rectangle->width, rod.rectangle->height)
                              : round_section(rod.radius_base);
  return {rod.material.young * section.second_moment_x,
          shear_modulus(rod.material) * section.torsion_constant,
          rod.material.young * section.second_moment_z};
}

Quat foot_of(const RodDescription& rod) {
  const Vec3 x = cross(rod.direction, rod.up);
  return quat_from_columns(x, rod.direction, cross(x, rod.direction));
}

// By integrating the rod's equations.
Vec3 exact_tip(const RodDescription& rod, const Vec3& force, const Vec3& moment_in_tip) {
  return support::exact_tip({.length = rod.length,
                             .stiffness = stiffness_of(rod),
                             .curvature = rod.curvature,
                             .world_from_foot = foot_of(rod),
                             .force = force,
                             .weight_per_length = {},
                             .moment_in_tip = moment_in_tip});
}

Vec3 chain_tip(RodDescription rod, int segments, const PointLoad& at_tip,
               const Vec3& gravity = {}) {
  rod.segments = segments;
  const Plant plant = make_rod(rod);
  const Mechanism mechanism = compile_mechanism(plant);
  PointLoad load = at_tip;
  load.body = segments - 1;
  load.point_in_body = {0, rod.length / segments, 0};
  State state = rest_state(mechanism);
  const EquilibriumReport report =
      find_equilibrium(mechanism, {.gravity_world = gravity, .points = {&load, 1}}, {}, state);
  EXPECT_TRUE(report.converged);
  return point_motion(mechanism, state, load.body, load.point_in_body).position_world;
}

struct Curved {
  const char* label;
  bool lath;
  Vec3 curvature;
  Vec3 force;
};

// The error falls by 3.5 or more (order 1.8) whenever segments are halved, from ten on.
TEST(CurvedRod, ConvergesAtSecondOrder) {
  const Curved cases[] = {
      {"round arc, out of its plane", false, {1.2, 0, 0}, {0, 0, 3}},
      {"round arc, obliquely", false, {1.2, 0, 0}, {1, -2, 2}},
      {"lath's arc over its flat side", true, {1.5, 0, 0}, {0, 0, 3}},
      {"lath's arc over its edge", true, {0, 0, 1.5}, {0.5, 3, 2}},
      {"twisted lath", true, {0, pi / 2, 0}, {0, 2, 1}},
      {"round helix", false, {2, 1.5, 0}, {1, 2, 3}},
      {"lath's helix", true, {2, 1.5, 0}, {1, 2, 3}},
      {"lath's helix, bent about both axes", true, {1, 2, -1}, {-1, 2, 2}},
  };
  for (const Curved& c : cases) {
    const RodDescription rod = rod_of(c.lath, c.curvature);
    const Vec3 exact = exact_tip(rod, c.force, {});
    double last = 0;
    for (int segments : {10, 20, 40, 80}) {
      const double error = length(chain_tip(rod, segments, {.force = c.force}) - exact);
      if (last > 0) {
        EXPECT_GT(std::log2(last / error), 1.8) << c.label << " " << segments;
      }
      if (segments == 40) {
        EXPECT_LT(error, 1e-3) << c.label;
      }
      last = error;
    }
  }
}

// Follower loads with the section at the tip, which the moment of the load itself turns further
// than the last segment's middle.
TEST(CurvedRod, MomentsThatTurnAlongConvergeAtSecondOrder) {
  const struct {
    const char* label;
    bool lath;
    Vec3 curvature, moment, force;
  } cases[] = {
      {"round, bent and twisted", false, {}, {1.5, 1.2, 0}, {}},
      {"lath, bent and twisted", true, {}, {1.5, 1.2, 0.8}, {}},
      {"lath, with a force that stays", true, {}, {1, 0.8, 0.6}, {0, 1, 0}},
      {"round helix", false, {2, 1.5, 0}, {1, -0.8, 0.5}, {}},
      {"lath's helix", true, {1, 2, -1}, {0.5, 0.6, -0.7}, {}},
  };
  for (const auto& c : cases) {
    const RodDescription rod = rod_of(c.lath, c.curvature);
    const Vec3 exact = exact_tip(rod, c.force, c.moment);
    double last = 0;
    for (int segments : {10, 20, 40, 80}) {
      const std::string text = fmt::format(
          "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = {}\nlength = 1.0\n{}\nyoung "
          "= {}\n"
          "poisson = 0.3\ndensity = 1.0\ndirection = [1, 0, 0]\nup = [0, 1, 0]\n"
          "curvature = [{}, {}, {}]\n[[force]]\nmoment = [{}, {}, {}]\nfollower = true\n"
          "[[force]]\nvector = [{}, {}, {}]\n",
          segments,
          c.lath
              ? fmt::format("width = {}\nheight = {}", rod.rectangle->width, rod.rectangle->height)
              : "radius = 0.01",
          rod.material.young, c.curvature.x, c.curvature.y, c.curvature.z, c.moment.x, c.moment.y,
          c.moment.z, c.force.x, c.force.y, c.force.z);
      PoseRequest request;
      request.scenario_text = text;
      const Outcome<PoseSummary> found = pose(request);
      ASSERT_TRUE(found) << found.error();
      const Numbers3 at = found->probes.at(0).position;
      const double error = length(Vec3{at[0], at[1], at[2]} - exact);
      if (last > 0) {
        EXPECT_GT(std::log2(last / error), 1.8) << c.label << " " << segments;
      }
      last = error;
    }
  }
}

// The oracle's arc and loads, and others of the kind by shooting.
TEST(CurvedRod, TheBendOf45DegreesConvergesAtSecondOrder) {
  const double radius = 100, shear = 5e6 / 6 / 0.140577;  // G J = 5e6/6
  const RodDescription rod{
      .length = radius * pi / 4,
      .rectangle = Rectangle{.width = 1, .height = 1},
      .direction = {0, 0, 1},
      .up = {1, 0, 0},
      .material = {.density = 1, .young = 1e7, .poisson = 1e7 / (2 * shear) - 1},
      .curvature = {1 / radius, 0, 0}};
  struct Row {
    Vec3 force, tip;
  };
  std::vector<Row> rows;
  for (const json& row : support::physics_oracle("R1_bend45", "kirchhoff_inextensible")) {
    rows.push_back({{0, row["P"], 0}, {row["tip_x"], row["tip_y"], row["tip_z"]}});
  }
  ASSERT_GE(rows.size(), 4U);
  for (const Vec3& force :
       {Vec3{0, 200, 0}, Vec3{0, 900, 0}, Vec3{300, 450, -200}, Vec3{0, 2000, 0}}) {
    rows.push_back({force, support::exact_tip({.length = rod.length,
                                               .stiffness = stiffness_of(rod),
                                               .curvature = rod.curvature,
                                               .world_from_foot = foot_of(rod),
                                               .force = force,
                                               .weight_per_length = {},
                                               .moment_in_tip = {}})});
  }
  for (const Row& row : rows) {
    double last = 0;
    for (int segments : {10, 20, 40, 80}) {
      const double error = length(chain_tip(rod, segments, {.force = row.force}) - row.tip);
      if (last > 0) {
        EXPECT_GT(std::log2(last / error), 1.8) << length(row.force) << " " << segments;
      }
      if (segments == 20) {
        EXPECT_LT(error, 1e-3 * rod.length) << length(row.force);
      }
      last = error;
    }
  }
}

// Love 1927, art. 271: a small axial force P at the axis of a helix of radius R and slope α twists
// the wire by P R cos α and bends it by P R sin α all along: it gives way along the axis by
// P R² L (cos²α/GJ + sin²α/EI). Wahl's formula 64 P R³ n / (G d⁴) is its limit for α = 0.
TEST(CurvedRod, AHelicalSpringIsAsSoftAsLoveSays) {
  for (const double slope : {0.05, 0.3, 0.8}) {
    const double c = std::cos(slope), s = std::sin(slope), turns = 2;
    RodDescription rod = rod_of(false, {});
    const double radius = rod.length * c / (2 * pi * turns);
    rod.curvature = Vec3{c * c, c * s, 0} / radius;
    const Vec3 stiffness = stiffness_of(rod);
    const double expected =
        radius * radius * rod.length * (c * c / stiffness.y + s * s / stiffness.x);
    const Vec3 axis = normalized(rotate(foot_of(rod), rod.curvature));
    double last = 0;
    for (int segments : {40, 80, 160}) {
      rod.segments = segments;
      const Plant plant = make_rod(rod);
      const Mechanism mechanism = compile_mechanism(plant);
      const double step = rod.length / segments;
      State state = rest_state(mechanism);
      const auto last_body = [&] { return pose_of(mechanism, state).world_from_segment.back(); };
      PointLoad load{.body = segments - 1, .point_in_body = {0, step, 0}};
      const auto tip = [&] {
        return point_motion(mechanism, state, load.body, load.point_in_body).position_world;
      };
      // From the last section, half a segment's turn beyond the last segment, to the axis: along z.
      const Quat body = last_body();
      const Vec3 before = tip();
      const Quat section = body * exp_rotation(rod.curvature * (step / 2));
      const Vec3 arm = rotate(section, {0, 0, radius});
      constexpr double small = 1e-5;
      load.force = axis * small;
      load.moment = cross(arm, load.force);
      ASSERT_TRUE(
          find_equilibrium(mechanism, {.gravity_world = {}, .points = {&load, 1}}, {}, state)
              .converged);
      // What the moment bends the last half segment by, whose flexibility no joint has.
      const Vec3 half = stretch_compliance(plant.segments.back(), rod.material, 0.5, 1);
      const Vec3 turn = log_rotation(last_body() * conjugate(body)) +
                        rotate(section, scale(half, rotate(conjugate(section), load.moment)));
      const double moved = dot(axis, tip() - before + cross(turn, arm));
      const double error = std::abs(moved / small / expected - 1);
      if (last > 0) {
        EXPECT_GT(std::log2(last / error), 1.8) << slope << " " << segments;
      }
      last = error;
    }
    EXPECT_LT(last, 1e-3) << slope;
  }
}

// Motion has the same springs: it comes to rest where statics says, to rounding, for round and flat
// sections, whose springs steps hold in different ways; and inverse statics holds such a rod still.
TEST(CurvedRod, SettlesWhereStaticsSays) {
  for (const bool lath : {false, true}) {
    RodDescription rod = rod_of(lath, {1, 2, -1});
    rod.segments = 20;
    rod.material.density = 1000;
    const Mechanism mechanism = compile_mechanism(make_rod(rod));
    State posed = rest_state(mechanism);
    ASSERT_TRUE(find_equilibrium(mechanism, {}, {}, posed).converged);
    State moving = rest_state(mechanism);
    Workspace workspace = make_workspace(mechanism);
    for (int i = 0; i < 2000; ++i) step(mechanism, {}, {}, 1.0 / 60, moving, workspace);
    const Pose found = pose_of(mechanism, posed), settled = pose_of(mechanism, moving),
               rest = pose_of(mechanism, rest_state(mechanism));
    EXPECT_GT(length(found.base_world.back() - rest.base_world.back()), 0.01);
    EXPECT_LT(length(found.base_world.back() - settled.base_world.back()), 1e-11) << lath;

    Mechanism standing = mechanism;
    State state = rest_state(standing);
    ASSERT_TRUE(make_pose_equilibrium({}, standing, state).found);
    Workspace other = make_workspace(standing);
    for (int i = 0; i < 600; ++i) step(standing, {}, {}, 1.0 / 60, state, other);
    EXPECT_LT(length(pose_of(standing, state).base_world.back() - rest.base_world.back()), 1e-13);
  }
}

// A swinging undamped one keeps its energy: the torques of a step are those of the energy.
TEST(CurvedRod, KeepsItsEnergy) {
  for (const bool lath : {false, true}) {
    RodDescription rod = rod_of(lath, {1, 2, -1});
    rod.segments = 12;
    rod.material.density = 1000;
    rod.material.damping_ratio = 0;
    const Mechanism mechanism = compile_mechanism(make_rod(rod));
    const Vec3 gravity{0, -9.81, 0};
    State state = rest_state(mechanism);
    Workspace workspace = make_workspace(mechanism);
    double least = 0, largest = 0, elastic = 0;
    for (int i = 0; i < 4000; ++i) {
      step(mechanism, {.gravity_world = gravity}, {.numerical_damping = 0}, 2.5e-4, state,
           workspace);
      const Energy energy = energy_of(mechanism, state, gravity);
      const double sum = energy.kinetic + energy.elastic + energy.gravitational;
      if (i == 0) least = largest = sum;
      least = std::min(least, sum);
      largest = std::max(largest, sum);
      elastic = std::max(elastic, energy.elastic);
    }
    EXPECT_LT(largest - least, 1e-5 * elastic) << lath;
  }
}

}  // namespace
}  // namespace thigmo::curved_rod_test
