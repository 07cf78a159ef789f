#include <gtest/gtest.h>

#include "mesh/build.h"
#include "mesh/organ.h"
#include "mesh/palette.h"
#include "mesh/tube_quality.h"
#include "support/gallery.h"

// Which organs an option is about.

namespace thigmo::organ_kinds_test {
namespace {

// Area of what is drawn of each surface [m²].
std::map<Surface, double> areas(const SkinnedMesh& mesh) {
  std::map<Surface, double> sums;
  for (const MeshPart& part : mesh.parts) {
    for (std::size_t i = part.first_index; i < part.first_index + part.index_count; i += 3) {
      const Vec3 a = testing::wide(mesh.positions[mesh.indices[i]]);
      sums[part.surface] +=
          0.5 * length(cross(testing::wide(mesh.positions[mesh.indices[i + 1]]) - a,
                             testing::wide(mesh.positions[mesh.indices[i + 2]]) - a));
    }
  }
  return sums;
}

class FloweringPlant : public ::testing::TestWithParam<std::string> {};

// Their petals are drawn one by one. Of many leaves a share of 0.3 keeps the area within the
// scatter of such a sample.
TEST_P(FloweringPlant, KeepsItsPetalsWhenLeavesAreThinned) {
  const Plant plant = support::gallery_storm(GetParam(), {.small = false, .duration = 0}).plant;
  const SkinnedMesh full = build_mesh(plant), thin = build_mesh(plant, {.leaf_share = 0.3});
  std::map<Surface, double> before = areas(full), after = areas(thin);
  const auto petals = std::count_if(plant.organs.begin(), plant.organs.end(), is_petal);
  EXPECT_GE(petals, 20);
  EXPECT_GT(before[Surface::petal], 0);
  EXPECT_EQ(after[Surface::petal], before[Surface::petal]);
  EXPECT_EQ(after[Surface::fruit], before[Surface::fruit]);
  const auto leaves = std::count_if(plant.organs.begin(), plant.organs.end(), [](const Organ& o) {
    return organ_surface(o.kind) == Surface::leaf;
  });
  // The orchid has six.
  if (leaves >= 50) {
    EXPECT_NEAR(after[Surface::leaf], before[Surface::leaf], 0.5 * before[Surface::leaf]);
  }
  EXPECT_LT(thin.positions.size(), full.positions.size());
}

// A mesh of one triangle for one kind: so many of them, and all else as it was.
TEST_P(FloweringPlant, DrawsOnlyTheKindThatIsMeantWithAUsersMesh) {
  const Plant plant = support::gallery_storm(GetParam(), {.small = false, .duration = 0}).plant;
  const SkinnedMesh own = build_mesh(plant);
  for (const bool petals : {false, true}) {
    UserOrgan organ{.kind = petals ? OrganKind::flower : OrganKind::leaf, .petals = petals};
    organ.surface.positions = {{-0.5, 0, 0}, {0.5, 0, 0}, {0, 1, 0}};
    organ.surface.uvs = {{0, 0}, {1, 0}, {0.5f, 1}};
    organ.surface.indices = {0, 1, 2};
    compute_normals(organ.surface);
    compute_tangents(organ.surface);
    const SkinnedMesh mesh = build_mesh(plant, {.user_organs = {organ}});
    std::map<Surface, double> before = areas(own), after = areas(mesh);
    EXPECT_EQ(after[Surface::fruit], before[Surface::fruit]);
    EXPECT_EQ(after[Surface::petal] == before[Surface::petal], !petals);
    EXPECT_EQ(after[Surface::leaf] == before[Surface::leaf], petals);
    std::size_t triangles = 0;
    for (const SkinGroup& group : mesh.groups) triangles += group.vertex_count == 3;
    const auto meant = std::count_if(plant.organs.begin(), plant.organs.end(), [&](const Organ& o) {
      return petals ? is_petal(o) : organ_surface(o.kind) == Surface::leaf;
    });
    EXPECT_EQ(triangles, static_cast<std::size_t>(meant));
  }
}

INSTANTIATE_TEST_SUITE_P(Plants, FloweringPlant,
                         ::testing::Values("rose.lsys", "orchid.lsys", "sunflower.lsys"),
                         support::plain_name);

}  // namespace
}  // namespace thigmo::organ_kinds_test
