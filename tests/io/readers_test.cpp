#include "io/read_plant.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/disk/file.h"
#include "io/geo/geo.h"
#include "io/geo/obj.h"
#include "io/geo/plant_lines.h"
#include "io/gltf/glb.h"
#include "io/tables/csv_writer.h"
#include "io/tables/tree_table.h"
#include "mesh/build.h"
#include "mesh/test_tree.h"

namespace thigmo::readers_test {
namespace {

using testing::make_test_tree;

// The same tree: hierarchy, lengths, radii, axes, and where everything stands. Positions go through
// a chain of rotations, so they agree to rounding over some dozen joints.
void expect_same_plant(const Plant& a, const Plant& b, double tolerance = 1e-12) {
  ASSERT_EQ(a.segments.size(), b.segments.size());
  const Pose pose_a = rest_pose(a), pose_b = rest_pose(b);
  for (std::size_t i = 0; i < a.segments.size(); ++i) {
    const Segment &s = a.segments[i], &t = b.segments[i];
    ASSERT_EQ(s.parent, t.parent) << i;
    EXPECT_NEAR(s.length, t.length, tolerance) << i;
    EXPECT_NEAR(s.radius_base, t.radius_base, tolerance) << i;
    EXPECT_NEAR(s.radius_tip, t.radius_tip, tolerance) << i;
    EXPECT_EQ(s.axis, t.axis) << i;
    EXPECT_EQ(s.order, t.order) << i;
    EXPECT_EQ(s.kind, t.kind) << i;
    EXPECT_EQ(s.colour, t.colour) << i;
    const auto index = static_cast<Index>(i);
    EXPECT_NEAR(
        length(point_on_segment(a, pose_a, index, 1) - point_on_segment(b, pose_b, index, 1)), 0,
        tolerance * 10);
  }
}

Plant coloured_tree() {
  Plant plant = make_test_tree({.orders = 2});
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    plant.segments[i].colour = static_cast<Index>(i % 5);
    if (i % 7 == 0) plant.segments[i].kind = OrganKind::root;
  }
  return plant;
}

TEST(Readers, PlantToGeoAndBackIsTheSamePlantWithItsColumns) {
  const Plant plant = coloured_tree();
  std::vector<Attribute> columns{
      {.name = "age", .type = Attribute::Type::real, .size = 1, .values = {}},
      {.name = "tint", .type = Attribute::Type::vector, .size = 3, .values = {}},
      {.name = "label",
       .type = Attribute::Type::word,
       .size = 1,
       .values = {},
       .words = {"old \"wood\"", "new"}}};
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    columns[0].values.push_back(0.1 * static_cast<double>(i));
    for (int k = 0; k < 3; ++k) columns[1].values.push_back(static_cast<double>(i) + 0.25 * k);
    columns[2].values.push_back(static_cast<double>(i % 2));
  }
  const LineGeometry lines = lines_from_plant(plant, rest_pose(plant), {.attributes = columns});
  for (const std::string& text : {geo_classic_from_lines(lines), geo_json_from_lines(lines)}) {
    const Result<ImportedPlant> back = read_plant(Format::geo, text, "x.geo");
    ASSERT_TRUE(back) << to_string(back.diagnostics());
    expect_same_plant(plant, back->plant);
    for (const Attribute& column : columns) {
      const Attribute* kept = find_attribute(back->attributes, column.name);
      ASSERT_NE(kept, nullptr) << column.name;
      EXPECT_EQ(kept->values, column.values);
      EXPECT_EQ(kept->words, column.words);
      EXPECT_EQ(kept->type, column.type);
    }
    EXPECT_TRUE(back->notes.empty()) << back->notes.front();
  }
}

TEST(Readers, PlantToCsvAndBackIsTheSamePlant) {
  const Plant plant = coloured_tree();
  const PosedPlant posed{&plant, nullptr};
  const Result<ImportedPlant> back = read_plant(Format::csv, csv_from_plants({&posed, 1}), "x.csv");
  ASSERT_TRUE(back) << to_string(back.diagnostics());
  expect_same_plant(plant, back->plant);
}

// OBJ holds points and lines only: those come back, bit for bit.
TEST(Readers, ObjLinesSurviveTheWayThroughAPlant) {
  const Plant plant = make_test_tree({.orders = 2});
  const LineGeometry lines = lines_from_plant(plant, rest_pose(plant));
  const Result<ImportedPlant> read = read_plant(Format::obj, obj_from_lines(lines), "x.obj");
  ASSERT_TRUE(read) << to_string(read.diagnostics());
  const LineGeometry again = lines_from_plant(read->plant, rest_pose(read->plant));
  ASSERT_EQ(again.edges, lines.edges);
  for (std::size_t i = 0; i < lines.points.size(); ++i) {
    EXPECT_NEAR(length(again.points[i] - lines.points[i]), 0, 1e-12);
  }
  // Without widths they fall with the generation (Hampshire 2009, 4.1), to a tenth at least.
  EXPECT_FALSE(read->notes.empty());
  const double foot = read->plant.segments[0].radius_base;
  for (const Segment& s : read->plant.segments) {
    EXPECT_LE(s.radius_base, foot);
    EXPECT_GE(s.radius_tip, 0.1 * foot * (1 - 1e-12));
  }
}

// Scanned trees: every cylinder of the file is a segment of the same length and radius, standing
// upright, and the whole has the file's wood volume.
TEST(Readers, ScannedTreesKeepTheirCylinders) {
  for (const char* name : {"qsm_Tf3_LeafOff", "qsm_Tf18_LeafOff"}) {
    const std::string path = std::string(THIGMO_SOURCE_DIR) + "/tests/data/qsm/" + name + ".json";
    const Result<std::string> text = read_file(path);
    ASSERT_TRUE(text);
    const Result<ImportedPlant> tree = read_plant(Format::geo_json, *text, path);
    ASSERT_TRUE(tree) << to_string(tree.diagnostics());
    const auto json = nlohmann::json::parse(*text);
    double volume = 0, expected = 0, highest = 0, top = 0;
    std::size_t cylinders = 0;
    for (std::size_t i = 1; i < json["xyz"].size(); ++i) {
      const auto &a = json["xyz"][json["parent"][i].get<std::size_t>()], &b = json["xyz"][i];
      const double l = std::hypot(b[0].get<double>() - a[0].get<double>(),
                                  b[1].get<double>() - a[1].get<double>(),
                                  b[2].get<double>() - a[2].get<double>());
      cylinders += l > 0;
      expected += l * std::pow(json["radius"][i].get<double>(), 2);
      highest = std::max(highest, b[2].get<double>());
    }
    const Plant& plant = tree->plant;
    const Pose pose = rest_pose(plant);
    for (Index i = 0; i < segment_count(plant); ++i) {
      const Segment& s = plant.segments[static_cast<std::size_t>(i)];
      volume += s.length * s.radius_base * s.radius_base;
      top = std::max(top, point_on_segment(plant, pose, i, 1).y);
    }
    EXPECT_EQ(plant.segments.size(), cylinders);
    EXPECT_NEAR(volume, expected, 1e-9 * expected);
    EXPECT_NEAR(top, highest, 1e-9);
    EXPECT_EQ(plant.name, json["tree"].get<std::string>());
  }
}

TEST(Readers, TreeQsmTableAndSwcAreUnderstood) {
  const Result<ImportedPlant> cylinders = read_plant(
      Format::csv,
      "radius (m),length (m),start_1,start_2,start_3,axis_1,axis_2,axis_3,parent,BranchOrder\n"
      "0.2,1.5,0,0,0,0,0,1,0,0\n0.1,1,0,0,1.5,0.6,0,0.8,1,0\n0.05,0.5,0.1,0,1.2,-1,0,0,1,1\n",
      "t.csv");
  ASSERT_TRUE(cylinders) << to_string(cylinders.diagnostics());
  ASSERT_EQ(cylinders->plant.segments.size(), 3u);
  EXPECT_EQ(cylinders->plant.segments[2].parent, 0);
  const Pose pose = rest_pose(cylinders->plant);
  // z of the file is our y, its y our -z.
  EXPECT_NEAR(length(point_on_segment(cylinders->plant, pose, 1, 1) - Vec3{0.6, 2.3, 0}), 0, 1e-12);
  EXPECT_NEAR(length(point_on_segment(cylinders->plant, pose, 2, 0) - Vec3{0.1, 1.2, 0}), 0, 1e-12);
  EXPECT_NE(find_attribute(cylinders->attributes, "branchorder"), nullptr);

  const Result<ImportedPlant> swc = read_plant(
      Format::csv,
      "# a comment\n1 1 0 0 0 0.10 -1\n2 1 0 1 0 0.08 1\n3 1 0 2 0 0.05 2\n4 1 1 1 0 0.02 2\n",
      "t.swc");
  ASSERT_TRUE(swc) << to_string(swc.diagnostics());
  ASSERT_EQ(swc->plant.segments.size(), 3u);
  EXPECT_NEAR(swc->plant.segments[0].radius_base, 0.10, 1e-15);
  EXPECT_NEAR(swc->plant.segments[0].radius_tip, 0.08, 1e-15);
  EXPECT_EQ(swc->plant.segments[1].axis, swc->plant.segments[0].axis);
  EXPECT_EQ(swc->plant.segments[2].order, 1);
}

// A plant written with a joint for every segment comes back as it was, deep chains included. Places
// are products of rotations along the branches: 1e-12 m.
TEST(Readers, GltfOfOurOwnKeepsThePlant) {
  const Plant plant = make_test_tree({.orders = 2, .leaves = false});
  const MovingPlant still{&plant, nullptr};
  const Result<std::string> bytes = glb_bytes({&still, 1}, {.max_depth = 5});
  ASSERT_TRUE(bytes);
  const Result<ImportedPlant> back = read_plant(Format::gltf, *bytes, "x.glb");
  ASSERT_TRUE(back) << to_string(back.diagnostics());
  ASSERT_EQ(back->plant.segments.size(), plant.segments.size());
  const Pose pose = rest_pose(plant), again = rest_pose(back->plant);
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Segment &a = plant.segments[i], &b = back->plant.segments[i];
    EXPECT_EQ(a.parent, b.parent);
    EXPECT_EQ(a.axis, b.axis);
    EXPECT_EQ(a.order, b.order);
    EXPECT_NEAR(a.length, b.length, 1e-12);
    EXPECT_EQ(a.radius_base, b.radius_base);
    EXPECT_EQ(a.radius_tip, b.radius_tip);
    EXPECT_NEAR(length(pose.base_world[i] - again.base_world[i]), 0, 1e-12);
  }
}

// Without what our writer adds: the joints of a plant come back where they were.
TEST(Readers, GltfSkeletonKeepsTheJoints) {
  const Plant plant = make_test_tree({.orders = 2, .leaves = false});
  const MovingPlant still{&plant, nullptr};
  Result<std::string> bytes = glb_bytes({&still, 1});
  ASSERT_TRUE(bytes);
  for (std::size_t at = 0; (at = bytes->find("\"segment\"", at)) != std::string::npos;) {
    bytes->replace(at, 9, "\"unknown\"");
  }
  const Result<ImportedPlant> back = read_plant(Format::gltf, *bytes, "x.glb");
  ASSERT_TRUE(back) << to_string(back.diagnostics());
  // A piece a joint with a parent joint, and one drawn on at every tip that has one.
  const Pose pose = rest_pose(plant), again = rest_pose(back->plant);
  std::size_t found = 0;
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    for (Index k = 0; k < segment_count(back->plant); ++k) {
      if (length(point_on_segment(back->plant, again, k, 0) - pose.base_world[i]) < 1e-6) {
        ++found;
        break;
      }
    }
  }
  EXPECT_EQ(found, plant.segments.size());
}

TEST(Readers, LoopsDoublesAndSeveralRootsAreReported) {
  const Result<ImportedPlant> read = read_plant(Format::obj,
                                                "v 0 0 0\nv 0 1 0\nv 1 1 0\nv 5 0 0\nv 5 1 0\nv 0 "
                                                "1 0\nv 0 2 0\nl 1 2 3 1\nl 4 5\nl 6 7\nl 2 1\n",
                                                "x.obj");
  ASSERT_TRUE(read) << to_string(read.diagnostics());
  EXPECT_EQ(read->plant.segments.size(), 4u);  // two of the triangle, one alone, one on the double
  std::string notes;
  for (const std::string& note : read->notes) notes += note + "\n";
  EXPECT_NE(notes.find("1 lines closed a loop"), std::string::npos) << notes;
  EXPECT_NE(notes.find("1 lines were there twice"), std::string::npos) << notes;
  EXPECT_NE(notes.find("1 points lay on others"), std::string::npos) << notes;
  EXPECT_NE(notes.find("2 roots"), std::string::npos) << notes;
}

// The example of the format's description.
TEST(Readers, ClassicGeoWithWordsAndVertexColumns) {
  const char* text =
      "PGEOMETRY V5\nNPoints 4 NPrims 2\nNPointGroups 0 NPrimGroups 0\n"
      "NPointAttrib 2 NVertexAttrib 1 NPrimAttrib 1 NAttrib 0\nPointAttrib\nCd 3 float 1 1 1\n"
      "name 1 index 2 \"stem\" \"leaf\"\n0 0 0 1 (1 1 1 0)\n1 0 0 1 (1 1 1 0)\n1 1 0 1 (1 1 1 1)\n"
      "0 1 0 1 (1 1 1 1)\nVertexAttrib\nuv 3 float 0 0 0\nPrimitiveAttrib\ngen 1 int 0\nRun 2 "
      "Poly\n"
      " 4 < 0 (0 0 0) 1 (1 0 0) 2 (1 1 0) 3 (0 1 0) [0]\n 2 : 0 (0 0 0) 3 (0 1 0) [1]\n"
      "beginExtra\nendExtra\n";
  const Result<LineGeometry> lines = lines_from_geo(text, "x.geo");
  ASSERT_TRUE(lines) << to_string(lines.diagnostics());
  EXPECT_EQ(lines->points.size(), 4u);
  ASSERT_EQ(lines->edges.size(), 5u);
  EXPECT_EQ(lines->edge_attributes[0].values, (std::vector<double>{0, 0, 0, 0, 1}));
  EXPECT_EQ(lines->point_attributes[1].words, (std::vector<std::string>{"stem", "leaf"}));
}

// Each is refused with the place and the reason, and nothing is allocated for what is not there.
TEST(Readers, BrokenFilesAreRefusedWithAReason) {
  const auto message = [](Format format, const std::string& text) {
    const Result<ImportedPlant> read = read_plant(format, text, "f");
    return read ? std::string("accepted") : to_string(read.diagnostics());
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  std::string m = message(Format::obj, "v 0 0 0\nv 0 nan 0\nl 1 2\n");
  EXPECT_TRUE(has(m, "f:2") && has(m, "three finite numbers")) << m;
  m = message(Format::obj, "v 0 0 0\nl 1 2\n");
  EXPECT_TRUE(has(m, "f:2") && has(m, "'2' is no vertex")) << m;
  m = message(Format::obj, "");
  EXPECT_TRUE(has(m, "no line")) << m;
  m = message(Format::geo, "PGEOMETRY V5\nNPoints 500000000 NPrims 1\n");
  EXPECT_TRUE(has(m, "fits into the file")) << m;
  m = message(Format::geo, std::string(100000, '['));
  EXPECT_TRUE(has(m, "deeper")) << m;
  m = message(Format::geo, "[\"pointcount\",500000000]");
  EXPECT_TRUE(has(m, "pointcount")) << m;
  m = message(Format::geo_json, "{\"xyz\":[[0,0,0],[0,0,1]],\"parent\":[-1,7],\"radius\":[1,1]}");
  EXPECT_TRUE(has(m, "parent 7")) << m;
  m = message(Format::geo_json,
              "{\"xyz\":[[0,0,0],[0,0,1],[0,0,2]],\"parent\":[-1,2,1],\"radius\":[1,1,1]}");
  EXPECT_TRUE(has(m, "its own ancestor")) << m;
  m = message(Format::geo_json, "{\"xyz\":[[0,0,1e999]]}");
  EXPECT_FALSE(has(m, "accepted")) << m;
  m = message(Format::csv, "id,parent,x,y,z\n1,0,0,0,0\n1,0,0,1,0\n");
  EXPECT_TRUE(has(m, "f:3") && has(m, "twice")) << m;
  m = message(Format::csv, "id,parent,x,y,z\n1,-1,0,0,0\n2,9,0,1,0\n");
  EXPECT_TRUE(has(m, "no row with the id 9")) << m;
  m = message(Format::gltf, "{\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}");
  EXPECT_TRUE(has(m, "loop")) << m;
  m = message(Format::gltf, std::string("glTF\2\0\0\0\xff\xff\xff\xff\xff\xff\xff\xffJSON{}", 22));
  EXPECT_TRUE(has(m, "cut off")) << m;
}

// A cube from elsewhere: quads become fans, normals and tangents are made up.
TEST(Readers, ObjFacesBecomeAnOrgan) {
  const Result<OrganSurface> leaf = surface_from_obj(
      "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n",
      "leaf.obj");
  ASSERT_TRUE(leaf);
  EXPECT_EQ(leaf->indices.size(), 6u);
  for (const Vec3& n : leaf->normals) EXPECT_NEAR(n.z, 1, 1e-12);
  for (const Vec4f& t : leaf->tangents) EXPECT_NEAR(t.x, 1, 1e-6);
  Plant plant = make_test_tree({.orders = 1});
  ASSERT_FALSE(plant.organs.empty());
  const SkinnedMesh mesh = build_mesh(plant, {.tubes = false, .user_organs = {{.surface = *leaf}}});
  EXPECT_EQ(mesh.positions.size(), 4 * plant.organs.size());
  const Vec3f a = mesh.positions[0], d = mesh.positions[3];
  EXPECT_NEAR(std::hypot(a.x - d.x, a.y - d.y, a.z - d.z), plant.organs[0].length, 1e-6);
  EXPECT_FALSE(surface_from_obj("v 0 0 0\nf 1 2 3\n", "bad.obj"));
}

// A twig begins as thick as itself, not as the trunk; what goes on tapers from the fork.
TEST(Readers, SideBranchesOfPointsBeginInTheirOwnWidth) {
  const Result<ImportedPlant> y =
      read_plant(find_format("y.csv")->format,
                 "id,parent,x,y,z,radius\n"
                 "1,-1,0,0,0,0.05\n2,1,0,1,0,0.04\n"
                 "3,2,0.1,1.5,0,0.01\n4,2,0,2,0,0.03\n5,3,0.2,2,0,0.005\n",
                 "y.csv");
  ASSERT_TRUE(y) << to_string(y.diagnostics());
  const std::vector<Segment>& s = y->plant.segments;
  ASSERT_EQ(s.size(), 4u);
  EXPECT_DOUBLE_EQ(s[0].radius_base, 0.05);
  EXPECT_DOUBLE_EQ(s[1].radius_base, 0.01);
  EXPECT_DOUBLE_EQ(s[1].radius_tip, 0.01);
  EXPECT_DOUBLE_EQ(s[2].radius_base, 0.01);
  EXPECT_DOUBLE_EQ(s[2].radius_tip, 0.005);
  EXPECT_DOUBLE_EQ(s[3].radius_base, 0.04);
  EXPECT_DOUBLE_EQ(s[3].radius_tip, 0.03);
  EXPECT_EQ(s[3].axis, s[0].axis);
  EXPECT_EQ(s[1].order, 1);
}

}  // namespace
}  // namespace thigmo::readers_test
