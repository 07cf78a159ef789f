#include "mesh/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "mesh/build.h"
#include "mesh/deform.h"
#include "mesh/organ.h"
#include "mesh/test_tree.h"
#include "mesh/tube.h"
#include "mesh/tube_quality.h"
#include "mesh/tube_rings.h"

namespace thigmo::mesh_test {
namespace {

using testing::bent_pose;
using testing::make_test_tree;
using testing::welded;
using testing::wide;

Plant make_rod(int count, double length_m, double radius) {
  Plant plant;
  plant.name = "rod";
  plant.materials.push_back({.name = "wood",
                             .density = 800,
                             .young = 1e9,
                             .poisson = 0.3,
                             .damping_ratio = 0,
                             .strength = 1e7});
  for (int i = 0; i < count; ++i) {
    Segment s;
    s.parent = i - 1;
    s.base_in_parent = {0, i == 0 ? 0.0 : length_m / count, 0};
    s.length = length_m / count;
    s.radius_base = s.radius_tip = radius;
    plant.segments.push_back(s);
  }
  return plant;
}

double volume(const SkinnedMesh& mesh, const std::vector<Vec3f>& positions, const MeshPart& part) {
  double six = 0;
  for (std::size_t i = part.first_index; i < part.first_index + part.index_count; i += 3) {
    six += dot(wide(positions[mesh.indices[i]]),
               cross(wide(positions[mesh.indices[i + 1]]), wide(positions[mesh.indices[i + 2]])));
  }
  return six / 6;
}

// Every edge of a tube belongs to exactly two triangles, which run along it in opposite senses.
void expect_watertight(const SkinnedMesh& mesh) {
  const std::vector<std::uint32_t> same = welded(mesh);
  const MeshPart bark = mesh.parts.front();
  ASSERT_EQ(bark.surface, Surface::bark);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t i = bark.first_index; i < bark.first_index + bark.index_count; i += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = same[mesh.indices[i + k]], b = same[mesh.indices[i + (k + 1) % 3]];
      ASSERT_NE(a, b) << "a triangle without area";
      ++edges[{a, b}];
    }
  }
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1);
    ASSERT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
}

TEST(Mesh, TubesAreWatertight) {
  expect_watertight(build_mesh(make_test_tree()));
  expect_watertight(build_mesh(make_test_tree({.seed = 5}), {.root_flare = 0.6}));
  expect_watertight(build_mesh(make_test_tree({.seed = 6}), {.sides_min = 3, .sides_max = 5}));
  expect_watertight(build_mesh(make_test_tree({.seed = 7}), {.joint_rings = false}));
}

Plant make_lath() {
  Plant plant = make_rod(3, 1.5, 0.05);
  for (Segment& s : plant.segments) set_rectangle({0.06, 0.02}, {0.06, 0.02}, s);
  return plant;
}

// A lath is a box: 6 sides, closed form volume.
TEST(Mesh, LathIsABox) {
  const SkinnedMesh mesh = build_mesh(make_lath());
  expect_watertight(mesh);
  EXPECT_NEAR(volume(mesh, mesh.positions, mesh.parts[0]), 0.06 * 0.02 * 1.5, 1e-8);
}

// An elliptic stem is drawn as one: closed, of the prism's volume (a polygon in an ellipse), with normals
// across its wall.
TEST(Mesh, EllipticStemsAreEllipses) {
  Plant plant = make_rod(3, 1.5, 0.03);
  for (Segment& s : plant.segments) {
    set_rectangle({0.06, 0.02}, {0.06, 0.02}, s);
    s.outline = Outline::ellipse;
  }
  const SkinnedMesh mesh = build_mesh(plant, {.sides_min = 64, .sides_max = 64, .nose = 0});
  expect_watertight(mesh);
  // A dome on the end holds two thirds of its cylinder.
  const double exact = std::numbers::pi * 0.03 * 0.01 * (1.5 + 2.0 / 3 * 0.03);
  EXPECT_NEAR(volume(mesh, mesh.positions, mesh.parts[0]) / exact, 1, 0.01);
  std::size_t on_wall = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3f &p = mesh.positions[v], &n = mesh.normals[v];
    if (p.y < 0.1f || p.y > 1.4f) continue;
    ++on_wall;
    EXPECT_NEAR(std::hypot(p.x / 0.03, p.z / 0.01), 1, 1e-5);
    const double size = std::hypot(p.x / (0.03 * 0.03), p.z / (0.01 * 0.01));
    EXPECT_NEAR(n.x, p.x / (0.03 * 0.03) / size, 1e-4);
    EXPECT_NEAR(n.z, p.z / (0.01 * 0.01) / size, 1e-4);
  }
  EXPECT_GT(on_wall, 200u);
}

// A lath or an ellipse that is twisted at rest is drawn twisted: each ring lies as its segment does.
TEST(Mesh, FlatStemsTurnWithTheirSegments) {
  for (const Outline outline : {Outline::rectangle, Outline::ellipse}) {
    Plant plant = make_rod(12, 1.2, 0.03);
    for (Segment& s : plant.segments) {
      set_rectangle({0.06, 0.02}, {0.06, 0.02}, s);
      s.outline = outline;
      if (s.parent != no_index) s.parent_from_segment = exp_rotation({0, 0.1, 0});
    }
    const SkinnedMesh mesh = build_mesh(plant);
    expect_watertight(mesh);
    for (const SkinGroup& group : mesh.groups) {
      if (group.weight[1] != 0 || group.vertex_count < 8) continue;
      const auto s = static_cast<std::size_t>(group.joint[0]);
      double widest = 0;
      for (std::uint32_t v = 0; v < group.vertex_count; ++v) {
        const Vec3f p = mesh.positions[group.first_vertex + v];
        const Vec3 local = rotate(conjugate(mesh.rest.world_from_segment[s]),
                                  Vec3{p.x, p.y, p.z} - mesh.rest.base_world[s]);
        widest = std::max(widest, std::abs(local.z));
        EXPECT_LT(std::abs(local.z), 0.0101);
      }
      if (s + 1 < plant.segments.size()) {
        EXPECT_GT(widest, 0.008);
      }
    }
  }
}

// One that tapers in one side or both is drawn as it is: ∫ w h ds.
TEST(Mesh, TaperedLathsAreDrawnAsTheyTaper) {
  for (const Rectangle tip : {Rectangle{0.06, 0.005}, {0.02, 0.02}, {0.03, 0.01}}) {
    Plant plant = make_rod(3, 1.5, 0.05);
    const auto at = [&](int node) {
      const double part = node / 3.0;
      return Rectangle{0.06 + (tip.width - 0.06) * part, 0.02 + (tip.height - 0.02) * part};
    };
    double exact = 0;
    for (int i = 0; i < 3; ++i) {
      set_rectangle(at(i), at(i + 1), plant.segments[static_cast<std::size_t>(i)]);
      exact += stem_volume(plant.segments[static_cast<std::size_t>(i)]);
    }
    const SkinnedMesh mesh = build_mesh(plant);
    expect_watertight(mesh);
    // Sides that bend between the rings are drawn straight.
    EXPECT_NEAR(volume(mesh, mesh.positions, mesh.parts[0]) / exact, 1, 0.01)
        << tip.width << " " << tip.height;
  }
}

// The root flare widens the foot by what was asked for and leaves the rest.
TEST(Mesh, RootFlareWidensTheFoot) {
  const Plant plant = make_rod(4, 4.0, 0.1);
  const std::vector<Ring> rings =
      tube_rings(plant, rest_pose(plant), find_tubes(plant)[0], {.root_flare = 0.5, .nose = 0});
  EXPECT_NEAR(rings.front().radius, 0.15, 1e-12);
  for (std::size_t i = 1; i < rings.size(); ++i) EXPECT_LE(rings[i].radius, rings[i - 1].radius);
  EXPECT_NEAR(rings.back().radius, 0.1, 1e-12);
}

// A shoot that would end as a stump narrows from four radii below its tip to one above, r √(1 - x²); one
// that is pointed already, or bears branches at its tip, is left alone.
TEST(Mesh, ShootsEndInANose) {
  const double radius = 0.01;
  Plant plant = make_rod(4, 1.0, radius);
  const auto rings_of = [&] { return tube_rings(plant, rest_pose(plant), find_tubes(plant)[0]); };
  const std::vector<Ring> rings = rings_of();
  EXPECT_NEAR(rings.back().radius, 0.6 * radius, 1e-9);
  for (const Ring& ring : rings) {
    EXPECT_LE(ring.centre_world.y, 1.0 + 1e-12);
    const double x = std::max(0.0, (ring.centre_world.y - 0.96) / 0.05);
    EXPECT_NEAR(ring.radius, radius * std::sqrt(1 - x * x), 1e-9);
  }
  plant.segments.back().radius_tip = 0.001;
  EXPECT_EQ(rings_of().back().radius, 0.001);
  plant.segments.back().radius_tip = radius;
  Segment side = plant.segments.back();
  side.parent = 3;
  side.axis = 1;
  side.parent_from_segment = rotation_about({1, 0, 0}, std::numbers::pi / 2);
  plant.segments.push_back(side);
  EXPECT_EQ(rings_of().back().radius, radius);
}

// The collar comes out of the bark with no step: where it is widest, its outline still lies inside the
// parent's wall, and above that it only gets narrower.
TEST(Mesh, CollarsGrowOutOfTheBark) {
  for (const double angle_deg : {40.0, 60.0, 90.0}) {
    Plant plant = make_rod(2, 2.0, 0.05);
    Segment side = plant.segments.back();
    side.axis = 1;
    side.base_in_parent = {0, 0.5, 0};
    side.radius_base = side.radius_tip = 0.015;
    side.parent_from_segment = rotation_about({1, 0, 0}, angle_deg * std::numbers::pi / 180);
    plant.segments.push_back(side);
    const std::vector<Tube> tubes = find_tubes(plant);
    ASSERT_EQ(tubes.size(), 2u);
    const std::vector<Ring> rings = tube_rings(plant, rest_pose(plant), tubes[1]);
    const auto widest =
        std::max_element(rings.begin(), rings.end(),
                         [](const Ring& a, const Ring& b) { return a.radius < b.radius; });
    EXPECT_NEAR(widest->radius, 1.35 * 0.015, 1e-12);
    for (int k = 0; k < 24; ++k) {
      const double turn = 2 * std::numbers::pi * k / 24;
      const Vec3 x = any_perpendicular(widest->tangent_world), z = cross(x, widest->tangent_world);
      const Vec3 p =
          widest->centre_world + (x * std::cos(turn) + z * std::sin(turn)) * widest->radius;
      // At a right angle the flat ring pokes through the round wall by r²/2R.
      EXPECT_LT(std::hypot(p.x, p.z), 0.05 + 0.5 * widest->radius * widest->radius / 0.05);
    }
    for (auto ring = widest; ring + 1 != rings.end(); ++ring) {
      EXPECT_LE((ring + 1)->radius, ring->radius + 1e-12);
    }
  }
}

// The bark's colour changes little by little along a tapering shoot: from wood to green over three
// segments no step between rings is larger than a third of the whole change.
TEST(Mesh, BarkColourHasNoSteps) {
  Plant plant = make_rod(8, 0.8, 0.004);
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const auto k = static_cast<double>(i);
    plant.segments[i].radius_base = 0.0045 * (1 - k / 8) + 0.0008;
    plant.segments[i].radius_tip = 0.0045 * (1 - (k + 1) / 8) + 0.0008;
  }
  const std::vector<Ring> rings = tube_rings(plant, rest_pose(plant), find_tubes(plant)[0]);
  const Vec3f foot = ring_colour(plant, rings.front()), tip = ring_colour(plant, rings.back());
  const float whole = std::abs(tip.x - foot.x) + std::abs(tip.y - foot.y);
  EXPECT_GT(whole, 0.05f);
  for (std::size_t i = 1; i < rings.size(); ++i) {
    const Vec3f a = ring_colour(plant, rings[i - 1]), b = ring_colour(plant, rings[i]);
    EXPECT_LT(std::abs(b.x - a.x) + std::abs(b.y - a.y), whole / 3) << i;
  }
}

double area(const SkinnedMesh& mesh, const std::vector<Vec3f>& positions, Surface surface) {
  double sum = 0;
  for (const MeshPart& part : mesh.parts) {
    if (part.surface != surface) continue;
    for (std::size_t i = part.first_index; i < part.first_index + part.index_count; i += 3) {
      const Vec3 a = wide(positions[mesh.indices[i]]);
      sum += 0.5 * length(cross(wide(positions[mesh.indices[i + 1]]) - a,
                                wide(positions[mesh.indices[i + 2]]) - a));
    }
  }
  return sum;
}

// Coarser levels have fewer triangles and keep the leaf area, as a sample of 1,836 leaves can: the
// share kept scatters by 1/sqrt(n p / (1 - p)), 2.3 % for a half and 4 % for a quarter.
TEST(Mesh, CoarserLevelsKeepTheLeafArea) {
  const Plant plant = make_test_tree();
  const SkinnedMesh fine = build_mesh(plant);
  const double leaf_area = area(fine, fine.positions, Surface::leaf);
  std::size_t triangles = fine.indices.size();
  for (const double share : {0.5, 0.25}) {
    const SkinnedMesh coarse = build_mesh(plant, {.sides_min = 3,
                                                  .sides_max = static_cast<int>(12 * share),
                                                  .min_radius = 0.002 / share,
                                                  .leaf_share = share});
    EXPECT_LT(coarse.indices.size(), 0.7 * static_cast<double>(triangles));
    EXPECT_NEAR(area(coarse, coarse.positions, Surface::leaf), leaf_area, 0.10 * leaf_area);
    triangles = coarse.indices.size();
  }
}

// Tangents run along growing u, and normal × tangent · w along growing v.
TEST(Mesh, TangentsFollowTheTexture) {
  const SkinnedMesh mesh = build_mesh(make_test_tree({.orders = 2}));
  ASSERT_EQ(mesh.tangents.size(), mesh.positions.size());
  std::size_t wrong = 0, looked_at = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const std::uint32_t v[3] = {mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]};
    const Vec3 e1 = wide(mesh.positions[v[1]]) - wide(mesh.positions[v[0]]);
    const Vec3 e2 = wide(mesh.positions[v[2]]) - wide(mesh.positions[v[0]]);
    const double u1 = mesh.uvs[v[1]].x - mesh.uvs[v[0]].x, v1 = mesh.uvs[v[1]].y - mesh.uvs[v[0]].y;
    const double u2 = mesh.uvs[v[2]].x - mesh.uvs[v[0]].x, v2 = mesh.uvs[v[2]].y - mesh.uvs[v[0]].y;
    const double det = u1 * v2 - u2 * v1;
    if (std::abs(det) < 1e-6) continue;  // caps and stalks have no texture
    const Vec3 along_u = (e1 * v2 - e2 * v1) / det, along_v = (e2 * u1 - e1 * u2) / det;
    for (const std::uint32_t k : v) {
      const Vec4f& t = mesh.tangents[k];
      const Vec3 tangent{t.x, t.y, t.z}, normal = wide(mesh.normals[k]);
      ++looked_at;
      EXPECT_NEAR(length(tangent), 1, 1e-5);
      EXPECT_NEAR(dot(tangent, normal), 0, 1e-5);
      wrong += dot(tangent, along_u) <= 0 || dot(cross(normal, tangent), along_v) * t.w <= 0;
    }
  }
  EXPECT_GT(looked_at, 10000u);
  // Tops of domes have one tangent for all directions around them.
  EXPECT_LT(static_cast<double>(wrong), 0.02 * static_cast<double>(looked_at));
}

// In a storm (every joint turned by 15° or more) rings do not turn inside out or cut each other, no
// triangle shows its back, and the area of the tubes changes by less than 5 % at every joint.
TEST(Mesh, StormKeepsRingsAndArea) {
  const Plant plant = make_test_tree({.leaves = false});
  const Pose rest = rest_pose(plant);
  const Pose pose = bent_pose(plant, [](Index i) {
    const double angle = 15.0 * std::numbers::pi / 180.0;
    return Vec3{angle * std::sin(1.0 * i), 0.5 * angle * std::cos(3.0 * i),
                angle * std::cos(1.0 * i)};
  });
  testing::Quality quality;
  std::size_t inverted = 0;
  for (const Tube& tube : find_tubes(plant)) {
    const testing::OneTube one = testing::one_tube(plant, rest, tube);
    Deformed storm;
    deform(one.mesh, pose, storm);
    testing::look_at_rings(one, storm.positions, quality);
    testing::look_at_areas(one, storm.positions, quality);
    for (std::size_t i = 0; i < one.mesh.indices.size(); i += 3) {
      const std::uint32_t a = one.mesh.indices[i], b = one.mesh.indices[i + 1],
                          c = one.mesh.indices[i + 2];
      const auto& p = storm.positions;
      const Vec3 area = cross(wide(p[b]) - wide(p[a]), wide(p[c]) - wide(p[a]));
      Vec3 normal;
      for (const std::uint32_t v : {a, b, c}) normal += wide(storm.normals[v]);
      inverted += dot(area, normal) <= 0;
    }
  }
  EXPECT_GT(quality.rings, plant.segments.size());
  EXPECT_EQ(inverted, 0u);
  EXPECT_EQ(quality.inverted, 0u);
  EXPECT_EQ(quality.cutting, 0u);
  EXPECT_LT(quality.worst_area_change, 0.05);
}

// A rod's mesh is a prism with a cap in the form of a truncated pyramid and a pyramid above it.
TEST(Mesh, RodHasThePrismsVolume) {
  const double length_m = 2, radius = 0.1;
  const SkinnedMesh mesh =
      build_mesh(make_rod(7, length_m, radius), {.sides_min = 12, .sides_max = 12, .nose = 0});
  const double base = 0.5 * 12 * radius * radius * std::sin(2 * std::numbers::pi / 12);
  const double h = radius * std::numbers::sqrt2 / 2;
  // Areas scale with the square of the radius: shoulder 1/2 of the base.
  const double cap =
      h / 3 * (base + base / 2 + base * std::numbers::sqrt2 / 2) + (radius - h) / 3 * base / 2;
  EXPECT_NEAR(volume(mesh, mesh.positions, mesh.parts[0]), base * length_m + cap, 1e-6);
}

TEST(Mesh, NormalsPointOutOfTheTriangles) {
  const SkinnedMesh mesh = build_mesh(make_test_tree());
  std::size_t against = 0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const Vec3 a = wide(mesh.positions[mesh.indices[i]]),
               b = wide(mesh.positions[mesh.indices[i + 1]]),
               c = wide(mesh.positions[mesh.indices[i + 2]]);
    Vec3 mean;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 n = wide(mesh.normals[mesh.indices[i + k]]);
      EXPECT_NEAR(length(n), 1.0, 1e-5);
      mean += n;
    }
    against += dot(cross(b - a, c - a), mean) < 0;
  }
  // The disc that closes a tube below shares its rim with the wall, whose normals stand across it;
  // only such triangles may disagree, and those have the disc's own middle: none disagree.
  EXPECT_EQ(against, 0u);
}

TEST(Mesh, GroupsCoverAllVerticesWithWeightsThatSumToOne) {
  const Plant plant = make_test_tree();
  const SkinnedMesh mesh = build_mesh(plant);
  std::uint32_t next = 0;
  for (const SkinGroup& group : mesh.groups) {
    EXPECT_EQ(group.first_vertex, next);
    next += group.vertex_count;
    float sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      sum += group.weight[k];
      EXPECT_GE(group.joint[k], 0);
      EXPECT_LT(group.joint[k], segment_count(plant));
      if (group.weight[k] == 0) {
        EXPECT_EQ(group.joint[k], 0);
      }
    }
    EXPECT_NEAR(sum, 1.0f, 1e-6f);
  }
  EXPECT_EQ(next, mesh.positions.size());
  EXPECT_EQ(mesh.normals.size(), mesh.positions.size());
  EXPECT_EQ(mesh.uvs.size(), mesh.positions.size());
  EXPECT_EQ(mesh.colours.size(), mesh.positions.size());
}

// At rest nothing moves, beyond the rounding of floats at a few metres.
TEST(Mesh, RestPoseLeavesTheMeshAlone) {
  const Plant plant = make_test_tree();
  const SkinnedMesh mesh = build_mesh(plant);
  Deformed out;
  deform(mesh, rest_pose(plant), out);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    ASSERT_NEAR(length(wide(out.positions[v]) - wide(mesh.positions[v])), 0, 2e-6);
    ASSERT_NEAR(length(wide(out.normals[v]) - wide(mesh.normals[v])), 0, 2e-6);
  }
}

TEST(Mesh, RigidMotionMovesTheMeshRigidly) {
  const Plant plant = make_test_tree();
  const SkinnedMesh mesh = build_mesh(plant);
  const Quat turn = exp_rotation({0.4, -1.0, 0.3});
  const Vec3 shift{1, -2, 0.5};
  Pose pose = rest_pose(plant);
  for (std::size_t i = 0; i < pose.base_world.size(); ++i) {
    pose.base_world[i] = rotate(turn, pose.base_world[i]) + shift;
    pose.world_from_segment[i] = turn * pose.world_from_segment[i];
  }
  Deformed out;
  deform(mesh, pose, out);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 expected = rotate(turn, wide(mesh.positions[v])) + shift;
    ASSERT_NEAR(length(wide(out.positions[v]) - expected), 0, 3e-6);
  }
}

// Neighbouring rings do not cut each other, whatever the bends and however short the segments.
TEST(Mesh, RingsStayApart) {
  for (const double turn_deg : {5.0, 20.0, 40.0, 60.0}) {
    Plant plant = make_rod(12, 0.6, 0.05);
    for (std::size_t i = 1; i < plant.segments.size(); ++i) {
      plant.segments[i].parent_from_segment =
          rotation_about({1, 0, 0}, (i % 3 == 0 ? -1 : 1) * turn_deg * std::numbers::pi / 180);
    }
    const std::vector<Tube> tubes = find_tubes(plant);
    ASSERT_EQ(tubes.size(), 1u);
    const std::vector<Ring> rings = tube_rings(plant, rest_pose(plant), tubes[0]);
    for (std::size_t i = 1; i < rings.size(); ++i) {
      const Vec3 x = any_perpendicular(rings[i].tangent_world);
      const Vec3 z = cross(x, rings[i].tangent_world);
      for (int k = 0; k < 24; ++k) {
        const double angle = 2 * std::numbers::pi * k / 24;
        const Vec3 p =
            rings[i].centre_world + (x * std::cos(angle) + z * std::sin(angle)) * rings[i].radius;
        EXPECT_GT(dot(p - rings[i - 1].centre_world, rings[i - 1].tangent_world), 0)
            << turn_deg << " degrees, ring " << i << " of " << rings.size();
      }
    }
  }
}

TEST(Mesh, EverySegmentIsInOneTube) {
  const Plant plant = make_test_tree();
  std::vector<int> seen(plant.segments.size(), 0);
  for (const Tube& tube : find_tubes(plant)) {
    for (const Index s : tube.segments) ++seen[static_cast<std::size_t>(s)];
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
}

// A branch starts inside its parent also when the plant is bent, so no hole can be seen.
TEST(Mesh, BranchesStartInsideTheirParents) {
  const Plant plant = make_test_tree();
  const Pose pose = bent_pose(plant, [](Index i) { return Vec3{0.08 * std::sin(i), 0, 0.08}; });
  for (const Tube& tube : find_tubes(plant)) {
    const Index first = tube.segments.front();
    const Segment& s = plant.segments[static_cast<std::size_t>(first)];
    if (s.parent == no_index) continue;
    const Ring start = tube_rings(plant, rest_pose(plant), tube).front();
    EXPECT_EQ(start.joint[0], s.parent);  // so it moves rigidly with the parent
    EXPECT_LT(start.radius, plant.segments[static_cast<std::size_t>(s.parent)].radius_base);
  }
}

// However far a bend is rounded, what sits on its corner stays in the wall: long thin segments bent by
// 40° have a branch or a leaf at one joint and nothing at the next, which is rounded farther.
TEST(Mesh, RoundedBendsKeepWhatSitsOnThem) {
  for (const bool leaf : {false, true}) {
    Plant plant = make_rod(3, 1.5, 0.006);
    for (std::size_t i = 1; i < 3; ++i) {
      plant.segments[i].parent_from_segment =
          rotation_about({1, 0, 0}, 40 * std::numbers::pi / 180);
    }
    if (leaf) {
      Organ organ;
      organ.segment = 1;
      organ.length = organ.width = 0.05f;
      set_place({0, 0.001, 0}, rotation_about({0, 0, 1}, 1.0), organ);
      plant.organs.push_back(organ);
    } else {
      Segment side = plant.segments[1];
      side.parent = 0;
      side.axis = 1;
      side.parent_from_segment = rotation_about({0, 0, 1}, 1.0);
      plant.segments.push_back(side);
    }
    const Pose rest = rest_pose(plant);
    const std::vector<Ring> rings = tube_rings(plant, rest, find_tubes(plant)[0]);
    const auto off_the_curve = [&](const Vec3& p) {
      double least = 1;
      for (std::size_t i = 1; i < rings.size(); ++i) {
        const Vec3 a = rings[i - 1].centre_world, along = rings[i].centre_world - a;
        const double t = std::clamp(dot(p - a, along) / dot(along, along), 0.0, 1.0);
        least = std::min(least, length(p - a - along * t));
      }
      return least;
    };
    EXPECT_LT(off_the_curve(rest.base_world[1]), 0.5 * 0.006 + 1e-9);
    EXPECT_GT(off_the_curve(rest.base_world[2]), 0.006);
  }
}

// Leaves are as long and as wide as the plant says, whatever their form; fruits enclose about the
// ellipsoid's volume.
TEST(Organ, HasTheSizeThePlantSays) {
  for (const OrganKind kind : {OrganKind::leaf, OrganKind::fruit, OrganKind::bud}) {
    for (const Index form : {0, 4, 5, 6, 7, 100}) {
      Organ organ;
      organ.segment = 0;
      organ.kind = kind;
      organ.shape = static_cast<std::int16_t>(form);
      organ.length = 0.1f;
      organ.width = 0.04f;
      const OrganSurface shape = make_organ(organ, 3, 24);
      double widest = 0, farthest = 0;
      for (const Vec3& p : shape.positions) {
        widest = std::max(widest, std::abs(p.x));
        farthest = std::max(farthest, length(p));
      }
      // Rows or rings may step over the widest place: by less than 3 % with 24 of them, 8 % with
      // the seven rings of a ball.
      EXPECT_NEAR(widest, 0.02, kind == OrganKind::leaf ? 0.0006 : 0.0016);
      EXPECT_NEAR(farthest, 0.1, 0.005);
    }
  }
}

}  // namespace
}  // namespace thigmo::mesh_test
