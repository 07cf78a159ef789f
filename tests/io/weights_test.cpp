#include <gtest/gtest.h>

#include "io/rig/skeleton.h"
#include "mesh/build.h"
#include "mesh/test_tree.h"
#include "plant/rod.h"
#include "support/gallery.h"

// What carries the vertices of a skinned file.

namespace thigmo::weights_test {
namespace {

class GalleryWeights : public ::testing::TestWithParam<std::string> {};

// Programs divide by the sum, or leave a vertex without weights at the origin. Two floats that should
// sum to one are off by one rounding each.
TEST_P(GalleryWeights, SumToOne) {
  const support::Storm storm = support::gallery_storm(GetParam(), {.duration = 0.1});
  for (const bool weld : {false, true}) {
    for (const Index max_joints : {segment_count(storm.plant), Index{20}}) {
      SkinnedMesh mesh = build_mesh(storm.plant, {.weld = weld});
      const JointReduction reduction = reduce_joints(storm.plant, storm.motion, max_joints);
      const auto sums_of = [&](std::size_t joints) {
        std::size_t bad = 0;
        for (const SkinGroup& group : mesh.groups) {
          float sum = 0;
          bool sound = group.weight[0] > 0;
          for (std::size_t k = 0; k < 4; ++k) {
            sum += group.weight[k];
            sound = sound && group.weight[k] >= 0 && group.joint[k] >= 0 &&
                    static_cast<std::size_t>(group.joint[k]) < joints &&
                    (group.weight[k] > 0 || group.joint[k] == 0);
          }
          bad += !sound || std::abs(sum - 1.0f) > 2e-7f;
        }
        return bad;
      };
      EXPECT_EQ(sums_of(storm.plant.segments.size()), 0u) << (weld ? "welded" : "standing");
      rebind(reduction, mesh);
      EXPECT_EQ(sums_of(reduction.kept.size()), 0u)
          << (weld ? "welded, " : "standing, ") << max_joints << " joints";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Plants, GalleryWeights, ::testing::ValuesIn(support::gallery_plants()),
                         support::plain_name);

// Joints that turn by little are no still ones: a hundred of 5e-6 rad along a stem of 10 m move its tip by
// some millimetres.
TEST(Skeleton, SmallTurnsAreKept) {
  const Plant plant = make_rod({.segments = 100, .length = 10});
  const Motion still = testing::make_sway(plant, 3, 10, 0);
  const Motion sway = testing::make_sway(plant, 3, 10, 5e-6);
  const Skeleton skeleton =
      make_skeleton(plant, reduce_joints(plant, sway, segment_count(plant)), 1000);
  EXPECT_TRUE(find_moving_joints(skeleton, still).rotating.empty());
  EXPECT_EQ(find_moving_joints(skeleton, sway).rotating.size(), 100U);
}

}  // namespace
}  // namespace thigmo::weights_test
