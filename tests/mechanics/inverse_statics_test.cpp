#include "mechanics/statics/inverse_statics.h"
#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/step/step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/model/joint_spring.h"
#include "support/plants.h"

namespace thigmo::inverse_statics_test {
namespace {

Vec3 random_vector(std::uint64_t key, double size) {
  const auto draw = [key](std::uint64_t k) { return 2 * unit_from_bits(mix_bits(key, k)) - 1; };
  return Vec3{draw(1), draw(2), draw(3)} * size;
}

// Gradient and curvature of a joint's energy against differences of the energy itself, for angles
// up to far into the fold.
TEST(JointSpring, DerivativesAreThoseOfTheEnergy) {
  for (std::uint64_t key = 1; key <= 40; ++key) {
    const double size = key <= 5 ? 1e-3 : 0.15 * static_cast<double>(key % 20);
    Vec3 theta = random_vector(key, 1.0);
    theta = theta * (std::min(size, 2.9) / length(theta));
    // Every other one couples bend and twist.
    const Sym3 k =
        key % 2 == 0 ? diagonal(Vec3{3.0, 2.0, 0.5}) : Sym3{3.0, 0.4, -0.2, 2.0, 0.3, 0.5};
    const Quat q = exp_rotation(theta);
    const auto energy = [&](const Vec3& delta) {
      return joint_spring(log_rotation(q * exp_rotation(delta)), k).energy;
    };
    const JointSpring spring = joint_spring(theta, k);
    // Truncation grows as d², rounding as 1e-16 U / d²: both below the tolerance at this d.
    const double d = 1e-4;
    const double tolerance = 2e-6 * (1 + 100 * spring.energy * (size > 2.3 ? 100 : 1));
    const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Vec3& a : axes) {
      EXPECT_NEAR((energy(a * d) - energy(a * -d)) / (2 * d), dot(spring.gradient, a), tolerance);
      for (const Vec3& b : axes) {
        const double second = (energy((a + b) * d) - energy((a - b) * d) - energy((b - a) * d) +
                               energy((a + b) * -d)) /
                              (4 * d * d);
        EXPECT_NEAR(second, dot(a, spring.curvature * b), tolerance) << "angle " << size;
      }
    }
  }
}

// A crooked tree whose joints must be bent by degrees at rest, yet far from buckling, must not move
// at all when let go, and its pose must be the one it had.
TEST(InverseStatics, APoseMadeEquilibriumStays) {
  Material soft = support::beam_material();
  soft.young = 8e9;
  for (std::uint64_t seed : {3, 4, 5}) {
    const Plant plant = support::random_tree(60, seed, soft);
    Mechanism mechanism = compile_mechanism(plant);
    State state = rest_state(mechanism);
    const Pose before = pose_of(mechanism, state);
    const InverseReport report = make_pose_equilibrium({}, mechanism, state);
    ASSERT_TRUE(report.found);
    EXPECT_GT(report.largest_joint_angle, 0.001);
    const Pose after = pose_of(mechanism, state);
    for (std::size_t i = 0; i < before.base_world.size(); ++i) {
      // Rounding of some 60 products of rotations.
      ASSERT_LT(length(after.base_world[i] - before.base_world[i]), 1e-13);
    }
    Workspace workspace = make_workspace(mechanism);
    for (int i = 0; i < 600; ++i) step(mechanism, {}, {}, 1.0 / 60, state, workspace);
    const Pose later = pose_of(mechanism, state);
    for (std::size_t i = 0; i < before.base_world.size(); ++i) {
      ASSERT_LT(length(later.base_world[i] - before.base_world[i]), 1e-10);
    }
  }
}

// The same with every kind of load, by the dynamics' own accelerations: none.
TEST(InverseStatics, HoldsForcesAndMomentsThatKeepOrTurn) {
  const Plant plant = support::random_tree(30, 11);
  Mechanism mechanism = compile_mechanism(plant);
  State state = rest_state(mechanism);
  const std::vector<PointLoad> points = {
      {.body = 29, .point_in_body = {0, 0.05, 0}, .force = {1, -2, 0.5}, .moment = {0.2, 0.1, 0}},
      {.body = 12, .point_in_body = {0.01, 0.02, 0}, .force = {0.5, 1, 3}, .follower = true},
      {.body = 20, .moment = {0, 0.3, -0.2}, .follower = true}};
  const Loads loads{.points = points};
  ASSERT_TRUE(make_pose_equilibrium(loads, mechanism, state).found);
  Workspace workspace = make_workspace(mechanism);
  const Pose before = pose_of(mechanism, state);
  for (int i = 0; i < 120; ++i) step(mechanism, loads, {}, 1.0 / 60, state, workspace);
  const Pose later = pose_of(mechanism, state);
  for (std::size_t i = 0; i < before.base_world.size(); ++i) {
    EXPECT_LT(length(later.base_world[i] - before.base_world[i]), 1e-10);
  }
}

// A rope cannot be given a rest shape in which it stands upright, and nothing is changed.
TEST(InverseStatics, SaysThatARopeCannotStand) {
  Material limp = support::beam_material();
  limp.young = 10;
  Mechanism mechanism = compile_mechanism(support::cantilever(20, limp));
  State state = rest_state(mechanism);
  const Quat before = mechanism.body[3].parent_from_rest;
  const InverseReport report = make_pose_equilibrium({}, mechanism, state);
  EXPECT_FALSE(report.found);
  EXPECT_EQ(report.at, 0);
  EXPECT_EQ(mechanism.body[3].parent_from_rest, before);
}

// Greenhill: an upright rod is in balance at any height, and falls in two directions above
// ρ g A L³ / (E I) = 7.837.
TEST(InverseStatics, SaysWhatFallsAtATouch) {
  for (double gamma : {7.8, 7.9}) {
    const double radius = 0.01;
    const Plant plant = make_rod({.segments = 60,
                                  .length = 1,
                                  .radius_base = radius,
                                  .radius_tip = radius,
                                  .material = {.density = 1000,
                                               .young = 1000 * 9.81 * 4 / (radius * radius * gamma),
                                               .poisson = 0.3}});
    Mechanism mechanism = compile_mechanism(plant);
    State state = rest_state(mechanism);
    const InverseReport report = make_pose_equilibrium({}, mechanism, state);
    EXPECT_TRUE(report.found);
    EXPECT_EQ(report.falling, gamma < 7.837 ? 0 : 2);
  }
}

}  // namespace
}  // namespace thigmo::inverse_statics_test
