#include "plant/plant.h"
#include "support/structure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace thigmo::plant_test {
namespace {

constexpr double right_angle = std::numbers::pi / 2;

Segment segment_on(Index parent, double length, double parent_length, Quat parent_from_segment = {},
                   Index axis = 0) {
  Segment segment;
  segment.parent = parent;
  segment.base_in_parent = {0, parent_length, 0};
  segment.parent_from_segment = parent_from_segment;
  segment.length = length;
  segment.radius_base = 0.02;
  segment.radius_tip = 0.01;
  segment.axis = axis;
  return segment;
}

// A trunk of 2 m and 1 m; at the fork a branch of two segments of 0.5 m along -x, then the trunk.
//
//        4        indices depth first: 0 trunk, 1 branch (axis 1), 2 its next segment, 3 a twig on
//   2-1--|3       the branch's end (axis 2), 4 trunk
//        0
Plant forked_plant() {
  Plant plant;
  plant.materials = {{.name = "wood", .density = 900, .young = 8e9}};
  // About z by +90°: y turns to -x.
  const Quat left = rotation_about({0, 0, 1}, right_angle);
  plant.segments = {segment_on(no_index, 2, 0), segment_on(0, 0.5, 2, left, 1),
                    segment_on(1, 0.5, 0.5, {}, 1), segment_on(2, 0.25, 0.5, conjugate(left), 2),
                    segment_on(0, 1, 2)};
  return plant;
}

void expect_near(const Vec3& actual, const Vec3& expected) {
  // A few roundings of numbers about 1.
  EXPECT_NEAR(actual.x, expected.x, 1e-14);
  EXPECT_NEAR(actual.y, expected.y, 1e-14);
  EXPECT_NEAR(actual.z, expected.z, 1e-14);
}

TEST(Plant, RestPoseFollowsTheTurns) {
  const Plant plant = forked_plant();
  ASSERT_EQ(support::structure_error(plant), "");
  const Pose pose = rest_pose(plant);
  expect_near(pose.base_world[0], {0, 0, 0});
  expect_near(pose.base_world[1], {0, 2, 0});
  expect_near(pose.base_world[2], {-0.5, 2, 0});
  expect_near(pose.base_world[3], {-1, 2, 0});
  expect_near(point_on_segment(plant, pose, 3, 1.0), {-1, 2.25, 0});
  expect_near(point_on_segment(plant, pose, 1, 0.5), {-0.25, 2, 0});
  expect_near(point_on_segment(plant, pose, 4, 1.0), {0, 3, 0});
}

TEST(Plant, RestPoseStartsAtTheRootsOwnPlace) {
  Plant plant = forked_plant();
  plant.segments[0].base_in_parent = {5, 0, -1};
  plant.segments[0].parent_from_segment = rotation_about({1, 0, 0}, right_angle);  // y turns to z
  const Pose pose = rest_pose(plant);
  expect_near(point_on_segment(plant, pose, 4, 1.0), {5, 0, 2});
}

TEST(Plant, BoxHoldsBothEndsOfEverySegment) {
  const Plant plant = forked_plant();
  const Box box = bounding_box(plant, rest_pose(plant));
  expect_near(box.min, {-1, 0, 0});
  expect_near(box.max, {0, 3, 0});

  const Box none = bounding_box(Plant{}, Pose{});
  EXPECT_EQ(none.min, (Vec3{0, 0, 0}));
  EXPECT_EQ(none.max, (Vec3{0, 0, 0}));
}

TEST(Plant, SubtreesAreCounted) {
  EXPECT_EQ(subtree_sizes(forked_plant()), (std::vector<Index>{5, 3, 2, 1, 1}));
}

TEST(Plant, MainAxisKeepsToItsAxisThenToTheLargerSubtree) {
  Plant plant = forked_plant();
  EXPECT_EQ(main_axis(plant), (std::vector<Index>{0, 4}));
  plant.segments[4].axis = 3;  // the trunk ends at the fork: the branch is larger than the leader
  EXPECT_EQ(main_axis(plant), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_TRUE(main_axis(Plant{}).empty());
}

TEST(Plant, PointsOnTheMainAxisAreMeasuredByLength) {
  const Plant plant = forked_plant();  // its main axis: 2 m, then 1 m
  const AxisPoint base = point_on_main_axis(plant, 0.0);
  EXPECT_EQ(base.segment, 0);
  EXPECT_EQ(base.fraction, 0.0);
  const AxisPoint third = point_on_main_axis(plant, 1.0 / 3.0);
  EXPECT_EQ(third.segment, 0);
  EXPECT_NEAR(third.fraction, 0.5, 1e-15);
  const AxisPoint high = point_on_main_axis(plant, 0.75);
  EXPECT_EQ(high.segment, 4);
  EXPECT_NEAR(high.fraction, 0.25, 1e-15);
  const AxisPoint tip = point_on_main_axis(plant, 1.0);
  EXPECT_EQ(tip.segment, 4);
  EXPECT_EQ(tip.fraction, 1.0);
}

TEST(Plant, AnEmptyPlantWithAMaterialIsSound) {
  Plant plant;
  EXPECT_NE(support::structure_error(plant), "");
  plant.materials.emplace_back();
  EXPECT_EQ(support::structure_error(plant), "");
}

TEST(Plant, EveryBrokenPromiseIsFound) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  struct Damage {
    const char* what;
    std::function<void(Plant&)> apply;
  };
  const std::vector<Damage> damages = {
      {"no material", [](Plant& p) { p.materials.clear(); }},
      {"unknown material", [](Plant& p) { p.segments[2].material = 1; }},
      {"negative material", [](Plant& p) { p.segments[2].material = -1; }},
      {"own parent", [](Plant& p) { p.segments[2].parent = 2; }},
      {"later parent", [](Plant& p) { p.segments[1].parent = 3; }},
      {"impossible parent", [](Plant& p) { p.segments[1].parent = -2; }},
      // The branch's subtree was left when the trunk went on.
      {"torn subtree", [](Plant& p) { p.segments.push_back(segment_on(3, 1, 0.25)); }},
      {"no length", [](Plant& p) { p.segments[3].length = 0; }},
      {"negative length", [](Plant& p) { p.segments[3].length = -1; }},
      {"endless", [=](Plant& p) { p.segments[3].length = infinity; }},
      {"length nan", [=](Plant& p) { p.segments[3].length = nan; }},
      {"no radius", [](Plant& p) { p.segments[0].radius_base = 0; }},
      {"negative tip", [](Plant& p) { p.segments[0].radius_tip = -0.01; }},
      {"radius nan", [=](Plant& p) { p.segments[0].radius_tip = nan; }},
      {"radius infinite", [=](Plant& p) { p.segments[0].radius_base = infinity; }},
      {"flat rectangle",
       [](Plant& p) {
         set_rectangle({0.1, 0}, {0.1, 0.1}, p.segments[0]);
       }},
      {"starts nowhere", [=](Plant& p) { p.segments[4].base_in_parent.z = nan; }},
      {"stretching rotation",
       [](Plant& p) {
         p.segments[4].parent_from_segment = {1, 0.1, 0, 0};
       }},
      {"rotation nan", [=](Plant& p) { p.segments[4].parent_from_segment.x = nan; }},
      {"organ on nothing", [](Plant& p) { p.organs.emplace_back(); }},
      {"organ beyond the end",
       [](Plant& p) {
         p.organs.emplace_back();
         p.organs.back().segment = 5;
       }},
      {"organs out of order",
       [](Plant& p) {
         p.organs.resize(2);
         p.organs[0].segment = 3;
         p.organs[1].segment = 1;
       }},
  };
  for (const Damage& damage : damages) {
    Plant plant = forked_plant();
    ASSERT_EQ(support::structure_error(plant), "");
    damage.apply(plant);
    EXPECT_NE(support::structure_error(plant), "") << damage.what;
  }
}

}  // namespace
}  // namespace thigmo::plant_test
