#include "mechanics/statics/chain.h"
#include "mechanics/compile/compile_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/statics/equilibrium.h"
#include "support/oracles.h"
#include "support/plants.h"

namespace thigmo::chain_test {
namespace {

using nlohmann::json;
using std::numbers::pi;
using support::physics_oracle;

// EI = 1, L = 1, along x.
Plant unit_rod(int segments) {
  const double radius = 0.01, second = pi / 4 * std::pow(radius, 4);
  return make_rod(
      {.segments = segments,
       .length = 1,
       .radius_base = radius,
       .radius_tip = radius,
       .direction = {1, 0, 0},
       .up = {0, 1, 0},
       .material = {.name = "unit", .density = 1, .young = 1 / second, .poisson = 0.3}});
}

PointLoad at_tip(const Plant& plant) {
  return {.body = segment_count(plant) - 1, .point_in_body = {0, plant.segments.back().length, 0}};
}

// One 1R element under a moment: its tip where the recipe's two links put it, 1 % of the length from
// the circular arc's, its turn M l / (E I) exactly.
TEST(Chain, OneElementUnderAMoment) {
  const Plant plant = unit_rod(1);
  for (double moment : {0.1, 1.0, 2.0}) {
    PointLoad load = at_tip(plant);
    load.moment = {0, 0, moment};
    const ChainPose pose = bend_chain(plant, {.gravity_world = {}, .points = {&load, 1}}, {});
    ASSERT_TRUE(pose.report.converged);
    const double link = moment / 1.5164;
    EXPECT_NEAR(pose.tip_world[0].x, 0.2654 + 0.7346 * std::cos(link), 1e-12);
    EXPECT_NEAR(pose.tip_world[0].y, 0.7346 * std::sin(link), 1e-12);
    EXPECT_NEAR(pose.tip_world[0].x, std::sin(moment) / moment, 1e-2) << moment;
    EXPECT_LT(length(point_on_chain(pose, 0, 1) - pose.tip_world[0]), 1e-15);
    EXPECT_LT(length(point_on_chain(pose, 0, 0.2654) - Vec3{0.2654, 0, 0}), 1e-15);
    EXPECT_NEAR(pose.tip_world[0].y, (1 - std::cos(moment)) / moment, 1e-2) << moment;
    const Vec3 along = rotate(pose.world_from_tip[0], {0, 1, 0});
    EXPECT_NEAR(std::atan2(along.y, along.x), moment, 1e-12);
  }
}

// One 3R element under a force across its tip follows the elastica: Su gives 1.2 % of the length.
TEST(Chain, OneThreeJointElementUnderAForce) {
  const Plant plant = unit_rod(1);
  for (const json& row : physics_oracle("E1_tip_dead")) {
    if (row["alpha"] > 3.0) continue;
    PointLoad load = at_tip(plant);
    load.force = {0, row["alpha"], 0};
    const ChainPose pose = bend_chain(plant, {.gravity_world = {}, .points = {&load, 1}},
                                      {.element = ChainElement::three_joints});
    ASSERT_TRUE(pose.report.converged) << row;
    EXPECT_NEAR(pose.tip_world[0].x, row["x"], 1.2e-2) << row;
    EXPECT_NEAR(pose.tip_world[0].y, row["y"], 1.2e-2) << row;
  }
}

// All forms sum the same loads, on a branching plant under weight, forces and moments: equal to
// rounding after the same number of sweeps.
TEST(Chain, LinearOuterAndQuadraticFormsAgree) {
  const Plant plant = support::random_tree(60, 9);
  const std::vector<PointLoad> points = {
      {.body = 59, .point_in_body = {0, 0.1, 0}, .force = {0.2, 0.1, 0.3}},
      {.body = 30, .point_in_body = {0, 0.1, 0}, .moment = {0.01, 0.05, 0.02}}};
  for (ChainElement element : {ChainElement::one_joint, ChainElement::three_joints}) {
    ChainOptions options{.element = element, .form = ChainForm::quadratic};
    const ChainPose quadratic = bend_chain(plant, {.points = points}, options);
    ASSERT_TRUE(quadratic.report.converged);
    for (ChainForm form : {ChainForm::linear, ChainForm::outer}) {
      options.form = form;
      const ChainPose linear = bend_chain(plant, {.points = points}, options);
      ASSERT_TRUE(linear.report.converged);
      EXPECT_EQ(linear.report.iterations, quadratic.report.iterations);
      for (std::size_t i = 0; i < plant.segments.size(); ++i) {
        ASSERT_LT(length(linear.tip_world[i] - quadratic.tip_world[i]), 1e-11);
      }
    }
  }
}

// With many elements the chain approaches the same pose as Newton's method on the same rod.
TEST(Chain, ApproachesTheElasticaAndNewtonsPose) {
  const Plant plant = unit_rod(100);
  PointLoad load = at_tip(plant);
  load.force = {0, 2, 0.5};
  load.moment = {0.3, 0, 0};
  const Loads loads{.gravity_world = {}, .points = {&load, 1}};
  const Mechanism mechanism = compile_mechanism(plant);
  State state = rest_state(mechanism);
  ASSERT_TRUE(find_equilibrium(mechanism, loads, {}, state).converged);
  const Vec3 newton = point_motion(mechanism, state, 99, load.point_in_body).position_world;
  for (ChainElement element : {ChainElement::one_joint, ChainElement::three_joints}) {
    const ChainPose chain = bend_chain(plant, loads, {.element = element});
    ASSERT_TRUE(chain.report.converged);
    // 1R leaves out each element's own force: first order in the element's length.
    EXPECT_LT(length(chain.tip_world.back() - newton),
              element == ChainElement::one_joint ? 1e-2 : 2e-3);
  }
}

TEST(Chain, SaysWhenItDoesNotComeToRest) {
  const Plant plant = unit_rod(5);
  PointLoad load = at_tip(plant);
  load.force = {0, 500, 0};
  const ChainPose pose =
      bend_chain(plant, {.gravity_world = {}, .points = {&load, 1}}, {.most_iterations = 300});
  EXPECT_FALSE(pose.report.converged);
  EXPECT_LT(pose.report.load_fraction, 1);
}

}  // namespace
}  // namespace thigmo::chain_test
