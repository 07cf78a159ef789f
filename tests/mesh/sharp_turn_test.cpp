#include <gtest/gtest.h>

#include <numbers>

#include "base/random.h"
#include "grammar/grammar.h"
#include "io/read_plant.h"
#include "mesh/build.h"
#include "mesh/deform.h"
#include "mesh/mesh_options.h"
#include "mesh/tube_quality.h"
#include "mesh/tube_rings.h"
#include "support/gallery.h"

// Stems that turn back on themselves, as drawn and scanned ones do, keep their surface everywhere.

namespace thigmo::sharp_turn_test {
namespace {

using testing::wide;

double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = cross(b - a, c - a);
  const double area = dot(normal, normal);
  if (area > 0) {
    const double u = dot(cross(c - b, p - b), normal), v = dot(cross(a - c, p - c), normal),
                 w = dot(cross(b - a, p - a), normal);
    if (u >= 0 && v >= 0 && w >= 0) return std::abs(dot(p - a, normal)) / std::sqrt(area);
  }
  const auto to_edge = [&](const Vec3& from, const Vec3& to) {
    const Vec3 along = to - from;
    const double square = dot(along, along);
    const double t = square > 0 ? std::clamp(dot(p - from, along) / square, 0.0, 1.0) : 0.0;
    return length(p - from - along * t);
  };
  return std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
}

// How far the nearest surface is from the middle of each segment, in its radii there. A segment's wall is
// one radius away from its middle line.
struct Cover {
  std::size_t bare = 0;  // segments whose surface is farther than `bar`
  double worst = 0;
};
constexpr double bar = 1.25;  // where it meets a thicker one its wall is wider

Cover cover_of(const Plant& plant, const Pose& pose, const SkinnedMesh& mesh,
               const std::vector<Vec3f>& positions) {
  Cover cover;
  // Triangles sorted by where they begin along x, so that only those near a segment are measured.
  struct Piece {
    double low, high;
    std::size_t index;
  };
  std::vector<Piece> pieces;
  double widest = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const double a = positions[mesh.indices[i]].x, b = positions[mesh.indices[i + 1]].x,
                 c = positions[mesh.indices[i + 2]].x;
    pieces.push_back({std::min({a, b, c}), std::max({a, b, c}), i});
    widest = std::max(widest, pieces.back().high - pieces.back().low);
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.low < b.low; });
  for (std::size_t s = 0; s < plant.segments.size(); ++s) {
    const Segment& segment = plant.segments[s];
    const Vec3 middle = point_on_segment(plant, pose, static_cast<Index>(s), 0.5);
    const double radius = std::max(segment.radius_base, segment.radius_tip);
    const double reach = bar * radius;
    double least = 10 * radius;
    auto piece = std::lower_bound(pieces.begin(), pieces.end(), middle.x - reach - widest,
                                  [](const Piece& p, double x) { return p.low < x; });
    for (; piece != pieces.end() && piece->low <= middle.x + reach; ++piece) {
      if (piece->high < middle.x - reach) continue;
      const std::uint32_t* const t = &mesh.indices[piece->index];
      least = std::min(least, distance_to_triangle(middle, wide(positions[t[0]]),
                                                   wide(positions[t[1]]), wide(positions[t[2]])));
    }
    cover.bare += least > reach;
    cover.worst = std::max(cover.worst, least / radius);
  }
  return cover;
}

void expect_sound(const Plant& plant, const char* what) {
  const Pose rest = rest_pose(plant);
  for (const MeshOptions& options :
       {MeshOptions{.organs = false}, MeshOptions{.organs = false, .weld = true},
        MeshOptions{.organs = false, .root_flare = 0.5, .joint_rings = false}}) {
    const SkinnedMesh mesh = build_mesh(plant, options);
    const Cover cover = cover_of(plant, rest, mesh, mesh.positions);
    EXPECT_EQ(cover.bare, 0u) << what << ", worst " << cover.worst << " radii";
  }
  testing::Quality quality;
  for (const Tube& tube : find_tubes(plant)) {
    const testing::OneTube one = testing::one_tube(plant, rest, tube);
    EXPECT_EQ(testing::open_edges(one.mesh), 0u) << what;
    look_at_rings(one, one.mesh.positions, quality);
  }
  EXPECT_EQ(quality.inverted, 0u) << what;
  EXPECT_EQ(quality.cutting, 0u) << what;
}

ImportedPlant read(Format format, const std::string& text) {
  Result<ImportedPlant> tree = read_plant(format, text, "tree");
  EXPECT_TRUE(tree) << to_string(tree.diagnostics());
  return tree ? std::move(*tree) : ImportedPlant{};
}

TEST(SharpTurn, ScannedTreesKeepTheirSurface) {
  for (const char* name : {"qsm_Tf3_LeafOff.json", "qsm_Tf18_LeafOff.json"}) {
    const auto path = std::filesystem::path(THIGMO_SOURCE_DIR) / "tests/data/qsm" / name;
    expect_sound(read(Format::geo_json, support::text_of(path)).plant, name);
  }
}

TEST(SharpTurn, HairpinKeepsItsSurface) {
  const ImportedPlant tree = read(Format::obj,
                                  "v 0 0 0\nv 0 1 0\nv 0.7 1 0\nv -0.1 1.25 0\nv 1.3 1.3 0\n"
                                  "l 1 2\nl 2 3\nl 3 4\nl 3 5\n");
  ASSERT_GE(tree.plant.segments.size(), 4u);
  expect_sound(tree.plant, "hairpin");
}

// Stems of one axis with turns of up to 175° at every joint, slender and stout ones.
TEST(SharpTurn, ZigZagsKeepTheirSurface) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto random = [&](std::uint64_t key, double low, double high) {
      return low + (high - low) * unit_from_bits(mix_bits(seed, key));
    };
    Plant plant;
    plant.materials.push_back({.name = "wood",
                               .density = 800,
                               .young = 1e9,
                               .poisson = 0.3,
                               .damping_ratio = 0,
                               .strength = 1e7});
    const double stoutness = random(1, 0.02, 0.6);
    for (std::uint64_t i = 0; i < 30; ++i) {
      Segment s;
      s.parent = static_cast<Index>(i) - 1;
      s.length = random(100 + i, 0.05, 0.2);
      s.base_in_parent = {0, i == 0 ? 0.0 : plant.segments.back().length, 0};
      s.radius_base = 0.1 * stoutness * (1 - 0.025 * static_cast<double>(i));
      s.radius_tip = 0.1 * stoutness * (1 - 0.025 * static_cast<double>(i + 1));
      if (i > 0) {
        const double around = random(200 + i, 0, 2 * std::numbers::pi);
        const double turn = random(300 + i, 0, 175) * std::numbers::pi / 180;
        s.parent_from_segment = rotation_about({std::cos(around), 0, std::sin(around)}, turn);
      }
      plant.segments.push_back(s);
    }
    expect_sound(plant, ("seed " + std::to_string(seed)).c_str());
  }
}

// Stems that turn back within their own thickness leave room for one ring; a wall needs two.
TEST(SharpTurn, BlocksKeepAWall) {
  for (const char* text :
       {"width: 75\nAxiom: F(5e-6)|F(0.5)", "width: 0.001\nAxiom: F(0.001)|!(2)F(0.5)",
        "width: 1\nAxiom: F(1)[|F(0.01)]", "width: 1\nAxiom: F(1)[+(170)!(3)F(0.1)|F(0.2)]",
        "width: 2\nAxiom: F(1e-5)|F(1e-5)|F(1e-5)", "width: 1\nAxiom: F(1e-12)",
        "width: 1e-9\nAxiom: F(1)[!(5e7)|F(1e-9)|F(1)]"}) {
    const auto grammar = parse_grammar("block.lsys", text);
    ASSERT_TRUE(grammar) << to_string(grammar.diagnostics());
    const auto growth = grow(*grammar, {});
    ASSERT_TRUE(growth) << to_string(growth.diagnostics());
    const Plant& plant = growth->plant;
    const Pose rest = rest_pose(plant);
    for (const Tube& tube : find_tubes(plant)) {
      EXPECT_GE(tube_rings(plant, rest, tube).size(), 2u) << text;
    }
    expect_sound(plant, text);
  }
}

class GalleryCover : public ::testing::TestWithParam<std::string> {};

// A joint that a gale turns by 70° flattens its middle ring, but no more: the wall stays at hand.
TEST_P(GalleryCover, EverySegmentHasItsSurface) {
  const support::Storm storm = support::gallery_storm(GetParam());
  const SkinnedMesh mesh = build_mesh(storm.plant, {.organs = false});
  Deformed shape;
  for (const Pose& pose : {mesh.rest, storm.motion.poses.back()}) {
    deform(mesh, pose, shape);
    const Cover cover = cover_of(storm.plant, pose, mesh, shape.positions);
    EXPECT_EQ(cover.bare, 0u) << "worst " << cover.worst << " radii";
  }
}

INSTANTIATE_TEST_SUITE_P(Plants, GalleryCover, ::testing::ValuesIn(support::gallery_plants()),
                         support::plain_name);

}  // namespace
}  // namespace thigmo::sharp_turn_test
