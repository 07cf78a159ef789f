#include "mesh/prune.h"

#include <gtest/gtest.h>

#include "mesh/build.h"
#include "mesh/strap.h"
#include "mesh/tube_quality.h"
#include "support/gallery.h"

// Coarser plants, whose thin twigs are left out.

namespace thigmo::prune_test {
namespace {

using testing::wide;

double off_the_line(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double t = std::clamp(dot(p - a, along) / std::max(dot(along, along), 1e-30), 0.0, 1.0);
  return length(p - a - along * t);
}

class PrunedPlant : public ::testing::TestWithParam<std::string> {};

// Every organ stands where some stem that is drawn passes: of all segments that carry rings of the mesh,
// the nearest is no farther than the organ stood off its own before, and of tubes the same.
TEST_P(PrunedPlant, HasNothingInTheAir) {
  const Plant plant = support::gallery_storm(GetParam(), {.duration = 0}).plant;
  double thickest = 0;
  for (const Segment& s : plant.segments) thickest = std::max(thickest, s.radius_base);
  const Pose rest = rest_pose(plant);
  for (const double share : {0.0, 0.1, 0.3, 0.6, 2.0}) {
    const MeshOptions options{.min_radius = share * thickest};
    const SkinnedMesh mesh = build_mesh(plant, options);
    std::vector<char> drawn(plant.segments.size(), 0);
    for (const SkinGroup& group : mesh.groups) {
      if (group.organ != no_index) continue;
      for (std::size_t k = 0; k < 2; ++k) {
        if (group.weight[k] > 0) drawn[static_cast<std::size_t>(group.joint[k])] = 1;
      }
    }
    // Straps stand on their midribs; here are the others.
    std::vector<char> piece(plant.organs.size(), 0);
    const std::vector<Tube> tubes = find_tubes(plant, options);
    for (const Strap& strap : find_straps(plant, tubes, options)) {
      for (const Index i : strap.pieces) piece[static_cast<std::size_t>(i)] = 1;
    }
    std::size_t floating = 0, looked_at = 0;
    const std::vector<Organ> seated = seated_organs(plant, rest, tubes, options);
    ASSERT_EQ(seated.size(), plant.organs.size());
    std::vector<char> shown(plant.organs.size(), 0);
    for (const SkinGroup& group : mesh.groups) {
      if (group.organ == no_index || piece[static_cast<std::size_t>(group.organ)] != 0) continue;
      const auto i = static_cast<std::size_t>(group.organ);
      const Organ &organ = seated[i], &was = plant.organs[i];
      shown[i] = 1;
      ++looked_at;
      ASSERT_NE(organ.segment, no_index);
      EXPECT_EQ(group.joint[0], organ.segment);
      const Segment& s = plant.segments[static_cast<std::size_t>(organ.segment)];
      const Vec3 base = base_in_segment(organ);
      const double off = off_the_line(base, {}, {0, s.length, 0});
      const double off_before =
          off_the_line(base_in_segment(was), {},
                       {0, plant.segments[static_cast<std::size_t>(was.segment)].length, 0});
      // A twig may begin off its bearer's middle line, by its radius at most.
      const double allowed = organ.segment == was.segment ? off_before : s.radius_base;
      floating += drawn[static_cast<std::size_t>(organ.segment)] == 0 || off > allowed + 1e-6;
    }
    EXPECT_EQ(floating, 0u) << "of " << looked_at << ", below " << options.min_radius << " m";
    // All of them are there as long as a stem is.
    const bool stem = std::count(drawn.begin(), drawn.end(), 1) > 0;
    EXPECT_EQ(stem, share <= 1);
    std::size_t lost = 0;
    for (std::size_t i = 0; i < plant.organs.size(); ++i) {
      const bool drawable = plant.organs[i].length > 0 && plant.organs[i].width > 0;
      lost += drawable && piece[i] == 0 && seated[i].segment != no_index && shown[i] == 0;
    }
    EXPECT_EQ(lost, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Plants, PrunedPlant, ::testing::ValuesIn(support::gallery_plants()),
                         support::plain_name);

// A thin stem that bears a thick one stays.
TEST(Prune, KeepsWhatBearsThickStems) {
  Plant plant;
  plant.materials.emplace_back();
  for (int i = 0; i < 3; ++i) {
    Segment s;
    s.parent = i - 1;
    s.axis = i;
    s.length = 1;
    s.base_in_parent = {0, i == 0 ? 0.0 : 0.5, 0};
    if (i > 0) s.parent_from_segment = rotation_about({1, 0, 0}, 1.2);
    s.radius_base = s.radius_tip = i == 1 ? 0.01 : 0.02;
    plant.segments.push_back(s);
  }
  const std::vector<Tube> tubes = find_tubes(plant);
  ASSERT_EQ(tubes.size(), 3u);
  EXPECT_EQ(drawn_tubes(plant, tubes, {.min_radius = 0.015}), (std::vector<char>{1, 1, 1}));
  plant.segments[2].radius_base = plant.segments[2].radius_tip = 0.01;
  EXPECT_EQ(drawn_tubes(plant, tubes, {.min_radius = 0.015}), (std::vector<char>{1, 0, 0}));
}

}  // namespace
}  // namespace thigmo::prune_test
