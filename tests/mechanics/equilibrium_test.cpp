#include "mechanics/statics/equilibrium.h"
#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/step/step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/oracles.h"
#include "support/plants.h"

namespace thigmo::equilibrium_test {
namespace {

using nlohmann::json;
using std::numbers::pi;
using support::physics_oracle;

// A rod of length 1 along x whose bending stiffness EI is 1 and whose mass is `mass`.
Plant unit_rod(int segments, double mass = 0.01) {
  const double radius = 0.01;
  const double area = pi * radius * radius, second = pi / 4 * std::pow(radius, 4);
  return make_rod({.segments = segments,
                   .length = 1,
                   .radius_base = radius,
                   .radius_tip = radius,
                   .direction = {1, 0, 0},
                   .up = {0, 1, 0},
                   .material = {.name = "unit",
                                .density = mass / area,
                                .young = 1 / second,
                                .poisson = 0.3,
                                .damping_ratio = 0.05,
                                .strength = 1e8}});
}

struct Posed {
  Vec3 tip_in_last;  // with all digits, which a body's length has not
  Mechanism mechanism;
  State state;
  EquilibriumReport report;
};

Posed pose(const Plant& plant, const Loads& loads, const EquilibriumOptions& options = {}) {
  Posed result{.tip_in_last = {0, plant.segments.back().length, 0},
               .mechanism = compile_mechanism(plant),
               .state = {},
               .report = {}};
  result.state = rest_state(result.mechanism);
  result.report = find_equilibrium(result.mechanism, loads, options, result.state);
  return result;
}

Vec3 tip(const Posed& posed) {
  const Index last = body_count(posed.mechanism) - 1;
  return point_motion(posed.mechanism, posed.state, last, posed.tip_in_last).position_world;
}

PointLoad at_tip(const Plant& plant) {
  return {.body = segment_count(plant) - 1, .point_in_body = {0, plant.segments.back().length, 0}};
}

// E1: Bisshopp and Drucker. A dead force across the tip, up to 100 EI/L².
TEST(Equilibrium, DeadTipForceBendsToTheElastica) {
  for (const json& row : physics_oracle("E1_tip_dead")) {
    const double alpha = row["alpha"];
    for (int segments : {20, 40}) {
      const Plant plant = unit_rod(segments);
      PointLoad load = at_tip(plant);
      load.force = {0, alpha, 0};
      const Posed posed = pose(plant, {.gravity_world = {}, .points = {&load, 1}});
      ASSERT_TRUE(posed.report.converged) << alpha;
      EXPECT_TRUE(posed.report.stable);
      // At 100 EI/L² all bending is within two segments of twenty from the clamp.
      const double part = segments == 20 ? 5e-3 : 2e-3;
      EXPECT_NEAR(tip(posed).x / row["x"].get<double>(), 1, part) << alpha << " " << segments;
      EXPECT_NEAR(tip(posed).y / row["y"].get<double>(), 1, part) << alpha << " " << segments;
      EXPECT_LE(posed.report.iterations, 30);
    }
  }
}

TEST(Equilibrium, ConvergesAtSecondOrderInTheSegments) {
  for (const json& row : physics_oracle("E1_tip_dead")) {
    // Less bends so little that the error at 80 segments is the oracle's own.
    if (row["alpha"] < 0.5) continue;
    double last = 0;
    // At 100 EI/L² the bend is as short as a segment of ten.
    for (int segments : {20, 40, 80}) {
      const Plant plant = unit_rod(segments);
      PointLoad load = at_tip(plant);
      load.force = {0, row["alpha"], 0};
      const Posed posed = pose(plant, {.gravity_world = {}, .points = {&load, 1}});
      const double error = length(tip(posed) - Vec3{row["x"], row["y"], 0});
      if (last > 0) {
        EXPECT_GT(std::log2(last / error), 1.8) << row["alpha"] << " " << segments;
      }
      last = error;
    }
  }
}

// E2: a tip moment bends the rod to a circle, even four times around, in a chain whose every joint
// bends the same: exact up to the polygon's own 1/N².
TEST(Equilibrium, TipMomentBendsToACircle) {
  for (bool follower : {false, true}) {
    for (const json& row : physics_oracle("E2_tip_moment")) {
      const Plant plant = unit_rod(40);
      PointLoad load = at_tip(plant);
      // A follower's moment is given in the body's axes: z of the world is minus x of the section.
      const Mat3 r = matrix(plant.segments[0].parent_from_segment);
      const Vec3 moment{0, 0, row["ML_over_EI"]};
      load.moment = follower ? transposed_times(r, moment) : moment;
      load.follower = follower;
      const Posed posed = pose(plant, {.gravity_world = {}, .points = {&load, 1}});
      ASSERT_TRUE(posed.report.converged) << row;
      EXPECT_NEAR(tip(posed).x, row["x"], 1.5e-3) << row;
      EXPECT_NEAR(tip(posed).y, row["y"], 1.5e-3) << row;
    }
  }
}

// E3: a force that stays across the tip.
TEST(Equilibrium, FollowerForceCurlsTheRod) {
  for (const json& row : physics_oracle("E3_follower")) {
    const Plant plant = unit_rod(60);
    PointLoad load = at_tip(plant);
    const Mat3 r = matrix(plant.segments[0].parent_from_segment);
    load.force = transposed_times(r, Vec3{0, row["alpha"], 0});
    load.follower = true;
    const Posed posed = pose(plant, {.gravity_world = {}, .points = {&load, 1}});
    ASSERT_TRUE(posed.report.converged) << row << posed.report.load_fraction;
    EXPECT_NEAR(tip(posed).x, row["x"], 1e-2) << row;
    EXPECT_NEAR(tip(posed).y, row["y"], 1e-2) << row;
  }
}

// E4: the straight column is unstable above Euler's load, and a nudge leads to the bent one.
TEST(Equilibrium, FindsTheBuckledColumnBesideTheUnstableStraightOne) {
  for (const json& row : physics_oracle("E4_postbuckle_euler")) {
    const Plant plant = unit_rod(80);
    PointLoad load = at_tip(plant);
    load.force = {-row["PL2_over_EI"].get<double>(), 0, 0};
    const Loads loads{.gravity_world = {}, .points = {&load, 1}};
    const Posed straight = pose(plant, loads);
    EXPECT_TRUE(straight.report.converged);
    // 80 segments buckle 3e-5 above Euler's load.
    EXPECT_FALSE(straight.report.stable) << row;
    EXPECT_NEAR(tip(straight).x, 1.0, 1e-12);
    const Posed bent = pose(plant, loads, {.branch_world = {0, 1, 0}});
    ASSERT_TRUE(bent.report.converged);
    EXPECT_TRUE(bent.report.stable);
    EXPECT_NEAR(tip(bent).x, row["x_along"], 1e-2) << row;
    EXPECT_NEAR(tip(bent).y, row["y_lateral"], 1e-2) << row;
  }
  const Plant plant = unit_rod(80);
  PointLoad load = at_tip(plant);
  load.force = {-0.999 * pi * pi / 4, 0, 0};
  EXPECT_TRUE(pose(plant, {.gravity_world = {}, .points = {&load, 1}}).report.stable);
}

// E5, E6: self-weight, horizontal and inclined clamps, to 10,000 EI/(w L³).
TEST(Equilibrium, HeavyRodsHang) {
  for (const json& row : physics_oracle("E5_heavy_horizontal")) {
    const double gamma = row["Gamma"];
    for (const int segments : {30, 60, 400}) {
      // All bending is within L/sqrt(gamma) of the clamp. Where that is two and a half segments or
      // more the reach is right to the oracle's part of itself, else to that part of the length.
      const bool seen = segments >= 2.5 * std::sqrt(gamma);
      const double part = segments == 30 ? 1e-2 : 3e-3;
      const Posed posed = pose(unit_rod(segments, 1.0), {.gravity_world = {0, -gamma, 0}});
      ASSERT_TRUE(posed.report.converged) << gamma;
      EXPECT_TRUE(posed.report.stable);
      const double reach = row["W"];
      EXPECT_NEAR(tip(posed).x, reach, part * (seen ? reach : 1.0)) << gamma << " " << segments;
      EXPECT_NEAR(-tip(posed).y / row["H"].get<double>(), 1.0, part) << gamma << " " << segments;
      EXPECT_LT(posed.report.residual, 1e-9);
    }
  }
  for (const json& row : physics_oracle("E6_heavy_inclined")) {
    const double gamma = row["Gamma"];
    const double angle = row["clamp_deg_above_horizontal"].get<double>() * pi / 180;
    const Vec3 gravity = Vec3{-std::sin(angle), -std::cos(angle), 0} * gamma;
    const Posed posed = pose(unit_rod(100, 1.0), {.gravity_world = gravity});
    ASSERT_TRUE(posed.report.converged) << row;
    const Vec3 at = tip(posed);
    EXPECT_NEAR(at.x * std::cos(angle) - at.y * std::sin(angle), row["x"], 1e-2) << row;
    EXPECT_NEAR(at.x * std::sin(angle) + at.y * std::cos(angle), row["z_up"], 1e-2) << row;
  }
}

// R1: a circular arc of 45°, pushed out of its plane.
TEST(Equilibrium, TheBendOf45DegreesGoesOutOfItsPlane) {
  for (const json& row : physics_oracle("R1_bend45", "kirchhoff_inextensible")) {
    // The arc lies in the x-z plane and leaves the origin along z. The oracle has G J = 5e6/6, not
    // with Saint-Venant's J = 0.140577 of a square.
    const double radius = 100, shear = 5e6 / 6 / 0.140577;
    const Plant plant =
        make_rod({.segments = 64,
                  .length = radius * pi / 4,
                  .rectangle = Rectangle{.width = 1, .height = 1},
                  .direction = {0, 0, 1},
                  .up = {1, 0, 0},
                  .material = {.density = 1, .young = 1e7, .poisson = 1e7 / (2 * shear) - 1},
                  .curvature = {1 / radius, 0, 0}});
    const Mechanism mechanism = compile_mechanism(plant);
    PointLoad load = at_tip(plant);
    load.force = {0, row["P"], 0};
    State state = rest_state(mechanism);
    const EquilibriumReport report =
        find_equilibrium(mechanism, {.gravity_world = {}, .points = {&load, 1}}, {}, state);
    ASSERT_TRUE(report.converged) << row;
    const Vec3 at = point_motion(mechanism, state, load.body, load.point_in_body).position_world;
    // "converged 3e-3", in parts of the arc's length
    const double tolerance = 3e-3 * radius * pi / 4;
    EXPECT_NEAR(at.x, row["tip_x"], tolerance) << row;
    EXPECT_NEAR(at.y, row["tip_y"], tolerance) << row;
    EXPECT_NEAR(at.z, row["tip_z"], tolerance) << row;
  }
}

// R7: the Princeton beam, a lath loaded across its tip at an angle to its section.
TEST(Equilibrium, ThePrincetonBeamBendsAndTwists) {
  const json princeton = physics_oracle("R7_princeton");
  const json& p = princeton["params"];
  for (const json& row : princeton["rows"]) {
    if (row["mode"] != "kirchhoff") continue;
    const Plant plant = make_rod({.segments = 60,
                                  .length = p["L"],
                                  .rectangle = Rectangle{.width = p["w"], .height = p["h"]},
                                  .direction = {1, 0, 0},
                                  .up = {0, 1, 0},
                                  .material = {.density = 1, .young = p["E"], .poisson = p["nu"]}});
    const double angle = row["beta_deg"].get<double>() * pi / 180;
    PointLoad load = at_tip(plant);
    load.force = Vec3{0, -std::cos(angle), std::sin(angle)} * row["F"].get<double>();
    const Posed posed = pose(plant, {.gravity_world = {}, .points = {&load, 1}});
    ASSERT_TRUE(posed.report.converged);
    const Vec3 move = tip(posed) - Vec3{p["L"], 0, 0};
    const double tolerance = 1e-2 * length(move);
    EXPECT_NEAR(move.x, row["ux"], tolerance) << row;
    EXPECT_NEAR(move.y, row["uy"], tolerance) << row;
    EXPECT_NEAR(move.z, row["uz"], tolerance) << row;
  }
}

// R2: a lath on edge tips over sideways under a tip force or its own weight: stable 3 % below the
// critical load; 3 % above it unstable, or already tipped over by rounding.
TEST(Equilibrium, LathsTipOverAtTheirCriticalLoad) {
  const auto stands = [](const Posed& posed) {
    return posed.report.stable && std::abs(tip(posed).z) < 1e-6;
  };
  for (const json& row : physics_oracle("R2_lateral_crit", "table")) {
    const double thickness = 0.01, width = thickness * row["width_over_thickness"].get<double>();
    const double weak = width * std::pow(thickness, 3) / 12;
    const Plant plant = make_rod(
        {.segments = 80,
         .length = 1,
         .rectangle = Rectangle{.width = thickness, .height = width},
         .direction = {1, 0, 0},
         .up = {0, 1, 0},
         .material = {
             .density = 1 / (thickness * width), .young = 1 / weak, .poisson = row["nu"]}});
    for (double part : {0.97, 1.03}) {
      PointLoad load = at_tip(plant);
      load.force = {0, -part * row["PL2_over_B1_crit_tip"].get<double>(), 0};
      const Posed tip_loaded = pose(plant, {.gravity_world = {}, .points = {&load, 1}});
      EXPECT_TRUE(tip_loaded.report.converged);
      EXPECT_EQ(stands(tip_loaded), part < 1) << row;
      const double gamma = part * row["Gamma1_crit_weight"].get<double>();
      const Posed heavy = pose(plant, {.gravity_world = {0, -gamma, 0}});
      EXPECT_EQ(stands(heavy), part < 1) << row;
    }
  }
}

// The settled motion must end in the static pose, for a crooked tree with every kind of load.
TEST(Equilibrium, IsWhereTheDynamicsSettles) {
  Material material = support::beam_material();
  material.young = 4e9;
  material.damping_ratio = 0.7;
  const Plant plant = support::random_tree(40, 21, material);
  const std::vector<PointLoad> points = {
      {.body = 39,
       .point_in_body = {0, 0.05, 0},
       .force = {0.1, -0.2, 0.05},
       .moment = {0, 0.1, 0}},
      {.body = 25, .point_in_body = {0.01, 0.02, 0}, .force = {0.05, 0.1, 0.3}, .follower = true},
      {.body = 30, .moment = {0, 0.03, -0.02}, .follower = true}};
  const Loads loads{.points = points};
  const Posed posed = pose(plant, loads);
  ASSERT_TRUE(posed.report.converged);
  State moving = rest_state(posed.mechanism);
  Workspace workspace = make_workspace(posed.mechanism);
  for (int i = 0; i < 6000; ++i) {
    ASSERT_TRUE(step(posed.mechanism, loads, {}, 1.0 / 60, moving, workspace).finite);
  }
  const Pose settled = pose_of(posed.mechanism, moving),
             found = pose_of(posed.mechanism, posed.state);
  double largest = 0, sag = 0;
  const Pose rest = rest_pose(plant);
  for (std::size_t i = 0; i < settled.base_world.size(); ++i) {
    largest = std::max(largest, length(settled.base_world[i] - found.base_world[i]));
    sag = std::max(sag, length(rest.base_world[i] - found.base_world[i]));
  }
  EXPECT_GT(sag, 0.01);
  EXPECT_LT(largest, 1e-6);
}

// Newton's matrix must be the derivative of the imbalance at an equilibrium: each body's torque, by
// differences, under moments and follower forces as well.
TEST(Equilibrium, ConvergesQuadratically) {
  const Plant plant = support::random_tree(60, 5);
  const Posed first = pose(plant, {});
  ASSERT_TRUE(first.report.converged);
  EXPECT_LE(first.report.iterations, 7);
  EXPECT_LT(first.report.residual, 1e-10);
  EXPECT_EQ(first.report.load_steps, 1);
}

// A limp rope in a whirl of follower forces has no equilibrium that could be followed; the report
// must say how far the loads could be raised.
TEST(Equilibrium, SaysHowFarItCame) {
  const Plant plant = unit_rod(30);
  PointLoad load = at_tip(plant);
  load.force = {4000, 3000, 2000};
  load.follower = true;
  const Posed posed =
      pose(plant, {.gravity_world = {}, .points = {&load, 1}}, {.most_iterations = 60});
  EXPECT_FALSE(posed.report.converged);
  EXPECT_LT(posed.report.load_fraction, 1.0);
}

}  // namespace
}  // namespace thigmo::equilibrium_test
