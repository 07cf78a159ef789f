#include "mechanics/statics/floor.h"
#include "mechanics/compile/compile_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/statics/equilibrium.h"
#include "mechanics/statics/section_forces.h"
#include "support/plants.h"

namespace thigmo::floor_test {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

// A level clamp `height` above the floor.
struct HeavyRod {
  double length, radius, young, height;
  int segments = 100;
  double weight() const { return 1000 * g * pi * radius * radius; }  // per length [N/m]
  double bending() const { return young * pi / 4 * std::pow(radius, 4); }
  PlantFrame stands() const { return {.origin_world = {0, height, 0}, .world_from_plant = {}}; }
  Plant plant() const {
    return make_rod({.segments = segments,
                     .length = length,
                     .radius_base = radius,
                     .radius_tip = radius,
                     .direction = {1, 0, 0},
                     .up = {0, 1, 0},
                     .material = {.density = 1000, .young = young, .poisson = 0.3}});
  }
};

struct Lying {
  Plant plant;
  Mechanism mechanism;
  State state;
  EquilibriumReport report;
  double push = 0;  // of the ground [N]
};

Lying lay(const HeavyRod& rod) {
  Lying lying{.plant = rod.plant(), .mechanism = {}, .state = {}, .report = {}};
  lying.mechanism = compile_mechanism(lying.plant);
  lying.state = rest_state(lying.mechanism, rod.stands());
  const Floor floor = make_floor(lying.plant, 0, rod.stands());
  lying.report = find_equilibrium(lying.mechanism, {.gravity_world = {0, -g, 0}},
                                  {.most_iterations = 2000, .floor = &floor}, lying.state);
  for (const PointLoad& contact : lying.report.contacts) lying.push += contact.force.y;
  return lying;
}

double tip_height(const Lying& lying, Index segment) {
  return point_on_segment(lying.plant, pose_of(lying.mechanism, lying.state), segment, 1).y;
}

// The tip alone comes down: w L⁴/(8 E I) - R L³/(3 E I) = H. Slopes of 6e-3 leave 1e-5 of nonlinearity,
// 100 segments 1e-4 of sag, of which a fifth is left for R.
TEST(Floor, HoldsATip) {
  HeavyRod rod{.length = 1, .radius = 0.01, .young = 1e10, .height = 0};
  const double sag = rod.weight() / (8 * rod.bending());
  rod.height = 0.8 * sag;
  const Lying lying = lay(rod);
  ASSERT_TRUE(lying.report.converged);
  EXPECT_TRUE(lying.report.stable);
  ASSERT_EQ(lying.report.contacts.size(), 1u);
  EXPECT_EQ(lying.report.contacts[0].body, 99);
  EXPECT_NEAR(lying.push / (3 * rod.bending() * 0.2 * sag), 1, 2e-3);
  EXPECT_NEAR(tip_height(lying, 99), 0, 1e-9);
  rod.height = 1.1 * sag;
  EXPECT_TRUE(lay(rod).report.contacts.empty());
}

// A long rod leaves the floor at a = (72 E I H / w)^¼ from its clamp, level and unbent there, and the
// clamp carries ⅔ w a.
TEST(Floor, LetsARodLieFlat) {
  const HeavyRod rod{.length = 2, .radius = 0.005, .young = 1e9, .height = 0.02};
  const double a = std::pow(72 * rod.bending() * rod.height / rod.weight(), 0.25);
  const Lying lying = lay(rod);
  ASSERT_TRUE(lying.report.converged);
  EXPECT_TRUE(lying.report.stable);
  EXPECT_LT(lying.report.residual, 1e-6);  // places are rounded, and pushes are stiff in them
  // The slope is 0.03 on average: 1e-3 of nonlinearity.
  const double held = 2.0 / 3 * rod.weight() * a;
  EXPECT_NEAR(rod.weight() * rod.length - lying.push, held, 5e-3 * held);
  for (Index i = 0; i < 100; ++i) {
    const double at = (i + 1) * 0.02, gap = tip_height(lying, i);
    EXPECT_GT(gap, -1e-8) << at;
    if (at > a + 0.04) {
      EXPECT_LT(gap, 1e-6) << at;
    }
    if (at < a - 0.1) {
      EXPECT_GT(gap, 1e-5) << at;
    }
  }
  // What the sections carry includes the ground's push: nothing bends the part that lies.
  std::vector<PointLoad> points = lying.report.contacts;
  const auto forces =
      section_forces(lying.plant, lying.mechanism, {.gravity_world = {0, -g, 0}, .points = points},
                     pose_of(lying.mechanism, lying.state));
  EXPECT_NEAR(std::hypot(forces[0].base.force.x, forces[0].base.force.z), held, 5e-3 * held);
  EXPECT_LT(forces[80].stress, 0.01 * forces[0].stress);
}

// A force that follows a tip above the ground, weak and strong: the pose is also that of a
// force fixed where it came to point, and every tip stays above the ground.
TEST(Floor, BearsForcesThatTurnAlong) {
  const struct {
    double young, force;
  } cases[] = {{2e7, 0.01}, {2e7, 0.05}, {5e6, 0.01}, {5e6, 0.05}, {5e6, 0.2}, {2e7, 0.2}};
  for (const auto& c : cases) {
    const HeavyRod rod{
        .length = 1, .radius = 0.005, .young = c.young, .height = 0.2, .segments = 40};
    const Plant plant = rod.plant();
    const Mechanism mechanism = compile_mechanism(plant);
    const Floor floor = make_floor(plant, 0, rod.stands());
    const EquilibriumOptions options{.most_iterations = 6000, .floor = &floor};
    PointLoad load{
        .body = 39, .point_in_body = {0, 1.0 / 40, 0}, .force = {0, 0, -c.force}, .follower = true};
    State state = rest_state(mechanism, rod.stands());
    const EquilibriumReport report = find_equilibrium(
        mechanism, {.gravity_world = {0, -g, 0}, .points = {&load, 1}}, options, state);
    ASSERT_TRUE(report.converged) << c.young << " " << c.force << " " << report.load_fraction;
    EXPECT_FALSE(report.contacts.empty());
    EXPECT_LT(report.residual, 1e-6);
    const Pose pose = pose_of(mechanism, state);
    for (Index i = 0; i < segment_count(plant); ++i) {
      EXPECT_GT(point_on_segment(plant, pose, i, 1).y, -1e-8);
    }
    load.force = rotate(pose.world_from_segment[39], load.force);
    load.follower = false;
    const EquilibriumReport fixed = find_equilibrium(
        mechanism, {.gravity_world = {0, -g, 0}, .points = {&load, 1}}, options, state);
    ASSERT_TRUE(fixed.converged);
    EXPECT_NEAR(length(point_on_segment(plant, pose_of(mechanism, state), 39, 1) -
                       point_on_segment(plant, pose, 39, 1)),
                0, 1e-6);
  }
}

TEST(Floor, HoldsNoRoots) {
  Plant plant{.name = "rooted", .materials = {support::beam_material()}};
  for (double height : {-0.5, 0.02, 0.5}) {
    Segment segment{.parent = no_index, .length = 0.1, .radius_base = 0.05, .radius_tip = 0.05};
    segment.base_in_parent = {0, height - 0.1, 0};
    plant.segments.push_back(segment);
  }
  const Floor floor = make_floor(plant, 0);
  EXPECT_TRUE(std::isinf(floor.lowest[0]));
  EXPECT_EQ(floor.lowest[1], 0);
  EXPECT_EQ(floor.lowest[2], 0);
}

// A pole far above Greenhill's limit with symmetric arms: the upright pose is a ridge that descents
// only creep along; it is found, and so is the hanging one beside it.
TEST(Equilibrium, FindsSymmetricPosesFarAboveTheirBucklingLoad) {
  Plant plant{.name = "pole", .materials = {{.density = 1000, .young = 1e10, .poisson = 0.3}}};
  const auto add = [&plant](Index parent, double length, double angle) {
    Segment segment{.parent = parent, .length = length};
    segment.radius_base = segment.radius_tip = 0.002;
    if (parent != no_index) {
      segment.base_in_parent = {0, plant.segments[static_cast<std::size_t>(parent)].length, 0};
    }
    segment.parent_from_segment = exp_rotation({0, 0, angle});
    plant.segments.push_back(segment);
  };
  for (Index i = 0; i < 4; ++i) add(i - 1, 1, 0);
  add(3, 0.5, 0.4);
  add(3, 0.5, -0.4);
  add(3, 1, 0);
  const Mechanism mechanism = compile_mechanism(plant);
  for (bool fall : {false, true}) {
    State state = rest_state(mechanism);
    const EquilibriumReport report =
        find_equilibrium(mechanism, {}, {.branch_world = fall ? Vec3{1, 0, 0} : Vec3{}}, state);
    ASSERT_TRUE(report.converged);
    EXPECT_EQ(report.stable, fall);
    EXPECT_LT(report.iterations, 100);
    EXPECT_EQ(point_motion(mechanism, state, 6, {0, 1, 0}).position_world.y < 0, fall);
  }
}

}  // namespace
}  // namespace thigmo::floor_test
