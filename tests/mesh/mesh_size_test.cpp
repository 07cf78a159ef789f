#include "mesh/mesh_size.h"

#include <gtest/gtest.h>

#include "mesh/build.h"
#include "support/gallery.h"

namespace thigmo::mesh_size_test {
namespace {

class GalleryMeshSize : public ::testing::TestWithParam<std::string> {};

// Never less than is made, and not so much more that plants would be refused that fit.
TEST_P(GalleryMeshSize, BoundsWhatIsMade) {
  const Plant plant = support::gallery_storm(GetParam(), {.duration = 0.02}).plant;
  for (const bool weld : {false, true}) {
    for (const double min_radius : {0.0, 0.003}) {
      const MeshOptions options{
          .root_flare = 0.5, .min_radius = min_radius, .leaf_share = 0.5, .weld = weld};
      const SkinnedMesh mesh = build_mesh(plant, options);
      const MeshSize tubes = largest_tubes(plant, options), organs = largest_organs(plant, options);
      const double vertices = static_cast<double>(mesh.positions.size()),
                   corners = static_cast<double>(mesh.indices.size()),
                   groups = static_cast<double>(mesh.groups.size());
      EXPECT_GE(tubes.vertices + organs.vertices, vertices);
      EXPECT_GE(tubes.corners + organs.corners, corners);
      EXPECT_GE(tubes.groups + organs.groups, groups);
      if (weld || min_radius > 0) continue;
      EXPECT_LE(tubes.vertices + organs.vertices, 2.5 * vertices);
      EXPECT_LE(tubes.corners + organs.corners, 2.5 * corners);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Plants, GalleryMeshSize, ::testing::ValuesIn(support::gallery_plants()),
                         support::plain_name);

TEST(MeshSize, SeveralPlantsShareTheMemory) {
  Plant plant;
  plant.materials.push_back({.name = "wood", .density = 800, .young = 1e9});
  plant.segments.push_back({.length = 1, .radius_base = 0.01, .radius_tip = 0.01});
  UserOrgan leaf;
  leaf.surface.positions.assign(1'000'000, Vec3{0, 1, 0});
  plant.organs.assign(30, Organ{.segment = 0, .length = 1, .width = 1});
  const MeshOptions options{.user_organs = {leaf}};
  const MovingPlant two[2] = {{.plant = &plant}, {.plant = &plant}};
  EXPECT_TRUE(check_mesh({two, 1}, options));
  const Result<Done> refused = check_mesh(two, options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.diagnostics()[0].hint.find("--leaf-share"), std::string::npos);
}

}  // namespace
}  // namespace thigmo::mesh_size_test
