#include "plant/sizes.h"

#include <gtest/gtest.h>

#include <limits>

namespace thigmo::sizes_test {
namespace {

Plant stick(double length, double radius, const Vec3& base = {}) {
  Plant plant;
  plant.materials.push_back({.name = "wood", .density = 800, .young = 1e9});
  plant.segments.push_back(
      {.base_in_parent = base, .length = length, .radius_base = radius, .radius_tip = radius});
  return plant;
}

std::string refusal(const Plant& plant, Precision precision) {
  const Result<Done> done = check_sizes(plant, rest_pose(plant), precision);
  if (done) return {};
  EXPECT_FALSE(done.diagnostics()[0].hint.empty());
  return done.diagnostics()[0].message;
}

TEST(Sizes, PlantsOfAnyUsualSizePass) {
  for (const double size : {1e-6, 1e-3, 1.0, 100.0, 1e6}) {
    for (const Precision precision : {Precision::full, Precision::single}) {
      EXPECT_EQ(refusal(stick(size, 0.01 * size), precision), "") << size;
    }
  }
  EXPECT_EQ(refusal(Plant{.materials = {{.name = "wood"}}}, Precision::single), "");
}

TEST(Sizes, TheOffendingSizeIsNamed) {
  const auto says = [](const Plant& plant, Precision precision, const char* words) {
    const std::string said = refusal(plant, precision);
    EXPECT_NE(said.find(words), std::string::npos) << said << " lacks " << words;
  };
  says(stick(1e13, 1), Precision::full, "1e+13 m");
  EXPECT_EQ(refusal(stick(2e10, 1e6), Precision::full), "");
  says(stick(2e10, 1e6), Precision::single, "at most 1e+10 m");
  says(stick(1, 5e19), Precision::single, "1e+20 m");
  says(stick(1, 1, {0, 0, -3e15}), Precision::single, "3e+15 m from the origin");
  says(stick(9e11, 4e11), Precision::full, "kg");
  says(stick(1e-40, 1), Precision::full, "1e-40 m");
  says(stick(700, 1), Precision::half, "655 m");
  Plant leafy = stick(1, 0.01);
  leafy.organs.push_back({.segment = 0, .length = std::numeric_limits<float>::infinity()});
  says(leafy, Precision::single, "an organ with a length of inf m");
}

// Single precision has 2^23 steps up to the next power of two: a plant of 64 of them is the smallest.
TEST(Sizes, SmallPlantsMayNotBeFarAway) {
  const double far = 1 << 23;
  EXPECT_EQ(refusal(stick(70, 1, {far, 0, 0}), Precision::single), "");
  EXPECT_NE(refusal(stick(60, 1, {far, 0, 0}), Precision::single), "");
  EXPECT_EQ(refusal(stick(60, 1, {far, 0, 0}), Precision::full), "");
  // Halfs have eleven bits, and pivots need a quarter of the steps.
  EXPECT_EQ(refusal(stick(10, 0.01, {512, 0, 0}), Precision::half), "");
  EXPECT_NE(refusal(stick(7, 0.01, {512, 0, 0}), Precision::half), "");
  EXPECT_EQ(refusal(stick(7, 0.01, {512, 0, 0}), Precision::single), "");
  EXPECT_DOUBLE_EQ(rounding(Precision::half, 512), 0.5);
}

TEST(Sizes, MotionMayNotLeadTooFar) {
  const Plant plant = stick(1, 0.01);
  Pose pose = rest_pose(plant);
  const double size = plant_size(plant, pose);
  EXPECT_TRUE(check_reach(plant, pose, size, Precision::single));
  for (const double far : {1e13, 1e7, std::numeric_limits<double>::quiet_NaN()}) {
    pose.base_world[0].x = far;
    EXPECT_FALSE(check_reach(plant, pose, size, Precision::single)) << far;
  }
}

}  // namespace
}  // namespace thigmo::sizes_test
