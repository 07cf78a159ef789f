#include "io/gltf/glb.h"

#include <gtest/gtest.h>

#include "mesh/build.h"
#include "mesh/deform.h"
#include "mesh/test_tree.h"
#include "support/glb_reader.h"

namespace thigmo::glb_test {
namespace {

using nlohmann::json;
using support::GlbReader;
using testing::make_sway;
using testing::make_test_tree;

void expect_same_motion(const Plant& plant, const Motion& motion, double tolerance) {
  const MovingPlant moving{&plant, &motion};
  const Result<std::string> bytes = glb_bytes({&moving, 1});
  ASSERT_TRUE(bytes);
  const GlbReader reader(*bytes);
  const SkinnedMesh mesh = build_mesh(plant);
  Deformed expected;
  for (const std::size_t frame : {std::size_t{0}, motion.poses.size() - 1}) {
    deform(mesh, motion.poses[frame], expected);
    const std::vector<Vec3> got = reader.skinned_positions(frame);
    ASSERT_EQ(got.size(), expected.positions.size());
    for (std::size_t v = 0; v < got.size(); ++v) {
      const Vec3f& e = expected.positions[v];
      ASSERT_NEAR(length(got[v] - Vec3{e.x, e.y, e.z}), 0, tolerance) << "vertex " << v;
    }
  }
  EXPECT_LE(reader.deepest, 902);  // the root and the mesh's own node count too
}

// Decoded by a reader of its own, the file moves as the engine does. Float rotations of 6e-8 add up
// over a dozen joints and some metres: microns.
TEST(Glb, MovesAsTheEngineDoes) {
  const Plant plant = make_test_tree({.orders = 2});
  expect_same_motion(plant, make_sway(plant, 12, 24, 0.05), 1e-5);
}

// A plant that walks off as a whole needs a translation track, and gets it.
TEST(Glb, MovingBaseIsKept) {
  const Plant plant = make_test_tree({.orders = 1});
  Motion motion = make_sway(plant, 5, 24);
  for (std::size_t f = 0; f < motion.poses.size(); ++f) {
    for (Vec3& base : motion.poses[f].base_world)
      base += Vec3{0.3 * static_cast<double>(f), 0, 0.1};
  }
  expect_same_motion(plant, motion, 1e-5);
}

// A chain of 2,000 segments is deeper than programs can walk; it is cut and still moves alike.
TEST(Glb, DeepChainsAreKeptShallow) {
  Plant plant = make_test_tree({.orders = 0, .trunk_segments = 2000, .leaves = false});
  ASSERT_EQ(segment_count(plant), 2000);
  expect_same_motion(plant, make_sway(plant, 4, 24, 0.001), 1e-4);
}

TEST(Glb, PlantAtRestHasNoAnimation) {
  const Plant plant = make_test_tree({.orders = 1});
  const MovingPlant still{&plant, nullptr};
  const Result<std::string> bytes = glb_bytes({&still, 1});
  ASSERT_TRUE(bytes);
  EXPECT_EQ(GlbReader(*bytes).root.count("animations"), 0u);
}

// More segments than a skin can hold are merged: a straight chain without motion needs one joint.
TEST(Glb, TooManyJointsAreMerged) {
  const Plant plant = make_test_tree({.orders = 0, .trunk_segments = 70000, .leaves = false});
  const MovingPlant still{&plant, nullptr};
  std::vector<JointReduction> reductions;
  const Result<std::string> bytes = glb_bytes({&still, 1}, {.reductions = &reductions});
  ASSERT_TRUE(bytes);
  ASSERT_EQ(reductions.size(), 1u);
  EXPECT_EQ(reductions[0].kept.size(), 1u);
}

// With a quarter of the joints every vertex of the file is as near to the engine's as the report
// says: the error there is of segment and organ tips, and bark lies up to a radius beside them.
TEST(Glb, FewerJointsMoveNearlyAlikeAsReported) {
  const Plant plant = make_test_tree({.orders = 2});
  const Motion motion = make_sway(plant, 12, 24, 0.05);
  const MovingPlant moving{&plant, &motion};
  const SkinnedMesh mesh = build_mesh(plant);
  double before = 1e300;
  for (const Index joints : {12, 50, 150}) {
    std::vector<JointReduction> reductions;
    const Result<std::string> bytes =
        glb_bytes({&moving, 1}, {.max_joints = joints, .reductions = &reductions});
    ASSERT_TRUE(bytes);
    const GlbReader reader(*bytes);
    EXPECT_LE(reader.root["skins"][0]["joints"].size(), static_cast<std::size_t>(joints));
    const JointReduction& r = reductions[0];
    EXPECT_GT(r.error_max, 0);
    EXPECT_LE(r.error_max, before);
    EXPECT_LT(r.error_mean, r.error_max);
    before = r.error_max;
    Deformed expected;
    deform(mesh, motion.poses[7], expected);
    const std::vector<Vec3> got = reader.skinned_positions(7);
    double worst = 0;
    for (std::size_t v = 0; v < got.size(); ++v) {
      const Vec3f& e = expected.positions[v];
      worst = std::max(worst, length(got[v] - Vec3{e.x, e.y, e.z}));
    }
    EXPECT_LE(worst, 1.5 * r.error_max);
    EXPECT_GT(worst, 0.1 * r.error_max);
  }
}

TEST(Glb, SinkErrorsStopTheWriter) {
  const Plant plant = make_test_tree({.orders = 1});
  const MovingPlant still{&plant, nullptr};
  int calls = 0;
  const Result<Done> done = write_glb({&still, 1}, {}, [&](std::string_view) -> Result<Done> {
    return ++calls < 3 ? Result<Done>(Done{}) : Result<Done>(error("disk full"));
  });
  EXPECT_FALSE(done);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace thigmo::glb_test
