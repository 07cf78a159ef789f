#include "mesh/strap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "mesh/build.h"
#include "mesh/deform.h"
#include "mesh/tube_quality.h"
#include "support/gallery.h"

// Leaves that a grammar draws piece by piece along a midrib are one sheet in the mesh.

namespace thigmo::strap_test {
namespace {

using testing::wide;

constexpr int segments = 6;
constexpr double piece_m = 0.1, width_m = 0.05;

// A midrib of six segments that bends by 15° at each, with a piece of blade on every one.
Plant make_blade(int pieces = segments, double each_m = piece_m) {
  Plant plant;
  plant.name = "blade";
  plant.materials.push_back({.name = "leaf",
                             .density = 700,
                             .young = 1e9,
                             .poisson = 0.3,
                             .damping_ratio = 0.1,
                             .strength = 1e7});
  for (int i = 0; i < pieces; ++i) {
    Segment s;
    s.parent = i - 1;
    s.base_in_parent = {0, i == 0 ? 0.0 : each_m, 0};
    if (i > 0) s.parent_from_segment = rotation_about({1, 0, 0}, std::numbers::pi / 2 / pieces);
    s.length = each_m;
    s.radius_base = s.radius_tip = 0.002;
    plant.segments.push_back(s);
    Organ piece;
    piece.segment = i;
    piece.shape = 4;
    piece.length = static_cast<float>(1.3 * each_m);
    piece.width = static_cast<float>(width_m);
    set_place({0, -0.1 * each_m, 0}, Quat{}, piece);
    plant.organs.push_back(piece);
  }
  return plant;
}

SkinnedMesh organs_of(const Plant& plant, MeshOptions options = {}) {
  options.tubes = false;
  return build_mesh(plant, options);
}

double sheet_area(const SkinnedMesh& mesh, const std::vector<Vec3f>& positions) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const Vec3 a = wide(positions[mesh.indices[i]]);
    sum += 0.5 * length(cross(wide(positions[mesh.indices[i + 1]]) - a,
                              wide(positions[mesh.indices[i + 2]]) - a));
  }
  return sum;
}

// All pieces are one connected sheet: with n vertices, and edges between two triangles inside, the
// triangles can be walked from the first to every other over shared vertices.
TEST(Strap, PiecesAreOneSheet) {
  const Plant plant = make_blade();
  const SkinnedMesh mesh = organs_of(plant);
  std::vector<std::uint32_t> root(mesh.positions.size());
  for (std::uint32_t v = 0; v < root.size(); ++v) root[v] = v;
  const auto find = [&](std::uint32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    for (std::size_t k = 1; k < 3; ++k) root[find(mesh.indices[i + k])] = find(mesh.indices[i]);
  }
  std::set<std::uint32_t> sheets;
  for (std::uint32_t v = 0; v < root.size(); ++v) sheets.insert(find(v));
  EXPECT_EQ(sheets.size(), 1u);
  // Every piece has rows of its own, so that formats with one pivot an organ know where to turn.
  std::set<Index> pieces;
  for (const SkinGroup& group : mesh.groups) pieces.insert(group.organ);
  EXPECT_EQ(pieces.size(), static_cast<std::size_t>(segments));
}

// The sheet is as large as its pieces are wide times how far they reach, less the ends (0.8 of the
// width at the foot, a point at the tip: about 0.04 of it), more what fold and waves add (below
// 15 %).
TEST(Strap, CoversItsMidrib) {
  const SkinnedMesh mesh = organs_of(make_blade());
  const double flat = width_m * (segments * piece_m + 0.2 * piece_m);
  const double area = sheet_area(mesh, mesh.positions);
  EXPECT_GT(area, 0.85 * flat);
  EXPECT_LT(area, 1.15 * flat);
}

// In every pose the middle of each row stays on the midrib and the sheet keeps its area. Blended rows
// cut the corner of a joint: by d (1 - cos(θ/2)) at most, with d the reach of the rounding, 0.4 of a
// segment.
TEST(Strap, FollowsItsMidrib) {
  const Plant plant = make_blade();
  const SkinnedMesh mesh = organs_of(plant);
  Plant bent = plant;
  const double angle = 20 * std::numbers::pi / 180;
  for (Segment& s : bent.segments) {
    s.parent_from_segment =
        s.parent_from_segment * exp_rotation({angle, 0.3 * angle, -0.5 * angle});
  }
  const Pose pose = rest_pose(bent);
  Deformed shape;
  deform(mesh, pose, shape);
  for (const SkinGroup& group : mesh.groups) {
    const std::uint32_t middle = group.first_vertex + group.vertex_count / 2;
    const Vec3 p = wide(shape.positions[middle]);
    const Vec3 at_rest = wide(mesh.positions[middle]);
    double nearest = 1, nearest_at_rest = 1;
    for (std::size_t s = 0; s < plant.segments.size(); ++s) {
      const auto distance = [&](const Pose& of, const Vec3& point) {
        const Vec3 along = rotate(of.world_from_segment[s], {0, 1, 0});
        // The tip goes on beyond the last segment.
        const double t = std::clamp(dot(point - of.base_world[s], along), 0.0, 1.5 * piece_m);
        return length(point - of.base_world[s] - along * t);
      };
      nearest = std::min(nearest, distance(pose, p));
      nearest_at_rest = std::min(nearest_at_rest, distance(mesh.rest, at_rest));
    }
    EXPECT_LT(nearest, nearest_at_rest + 0.4 * piece_m * (1 - std::cos(angle)) + 1e-5);
  }
  EXPECT_NEAR(sheet_area(mesh, shape.positions) / sheet_area(mesh, mesh.positions), 1, 0.05);
}

// A share of the leaves is a share of whole straps.
TEST(Strap, SharesKeepWholeLeaves) {
  const Plant plant = support::gallery_storm("maize.lsys", {.small = false}).plant;
  const std::size_t straps = find_straps(plant, find_tubes(plant), {}).size();
  EXPECT_GE(straps, 10u);
  const SkinnedMesh half = organs_of(plant, {.leaf_share = 0.5});
  std::set<Index> kept;
  for (const SkinGroup& group : half.groups) kept.insert(group.organ);
  std::size_t drawn = 0;
  for (const Strap& strap : find_straps(plant, find_tubes(plant), {})) {
    const std::size_t rows =
        static_cast<std::size_t>(std::count_if(strap.pieces.begin(), strap.pieces.end(),
                                               [&](Index piece) { return kept.count(piece) > 0; }));
    // All or nothing: no leaf loses its middle.
    EXPECT_TRUE(rows == 0 || rows == strap.pieces.size());
    drawn += rows > 0;
  }
  EXPECT_GT(drawn, 0u);
  EXPECT_LT(drawn, straps);
}

// Needles around a twig and blades of a tuft are leaves of their own.
TEST(Strap, OtherLeavesStayAsTheyAre) {
  for (const char* name : {"spruce.lsys", "palm.lsys", "grass.lsys", "oak.lsys"}) {
    const Plant plant = support::gallery_storm(name, {.small = true}).plant;
    EXPECT_TRUE(find_straps(plant, find_tubes(plant), {}).empty()) << name;
  }
  // A user's own mesh for leaves is put on every piece.
  const Plant blade = make_blade();
  const MeshOptions with_mesh{.user_organs = {{.kind = OrganKind::leaf, .surface = {}}}};
  EXPECT_EQ(find_straps(blade, find_tubes(blade), {}).size(), 1u);
  EXPECT_TRUE(find_straps(blade, find_tubes(blade), with_mesh).empty());
}

// Pieces far shorter than the blade is wide have no row of their own.
TEST(Strap, ShortPiecesGiveFiniteSheets) {
  const SkinnedMesh mesh = organs_of(make_blade(60, 0.004));
  ASSERT_FALSE(mesh.positions.empty());
  for (const Vec3f& p : mesh.positions) {
    ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
  }
}

}  // namespace
}  // namespace thigmo::strap_test
