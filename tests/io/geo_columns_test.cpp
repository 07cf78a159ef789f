#include <gtest/gtest.h>

#include <cmath>

#include "io/geo/geo.h"
#include "io/geo/plant_lines.h"
#include "io/read_plant.h"
#include "mesh/test_tree.h"

namespace thigmo::geo_columns_test {
namespace {

// A stem of two pieces with columns of every sort.
const char* const stem =
    "PGEOMETRY V5\nNPoints 3 NPrims 1\nNPointGroups 0 NPrimGroups 0\n"
    "NPointAttrib 8 NVertexAttrib 0 NPrimAttrib 2 NAttrib 0\nPointAttrib\n"
    "width 1 float 0\nmass 1 float 0\nup 3 vector 0 0 0\nv 3 vector 0 0 0\ngeneration 1 int 0\n"
    "Cd 3 float 1 1 1\nkind 1 int 0\nage 1 float 0\n"
    "0 0 0 1 (0.1 5 1 0 0 0 0 0 3 1 0 0 5 0.25)\n"
    "0 1 0 1 (0.08 6 1 0 0 1 2 3 3 0 1 0 0 0.5)\n"
    "0 2 0 1 (0.05 7 0.6 0 0.8 1 2 3 7 0 0 1 0 0.75)\n"
    "PrimitiveAttrib\nvigour 1 float 0\nage 1 int 0\nRun 1 Poly\n 3 : 0 1 2 [0.125 9]\n"
    "beginExtra\nendExtra\n";

ImportedPlant read_geo(const std::string& text, ImportOptions options = {}) {
  const Result<ImportedPlant> read = read_plant(Format::geo, text, "t.geo", std::move(options));
  EXPECT_TRUE(read) << to_string(read.diagnostics());
  return read ? *read : ImportedPlant{};
}

LineGeometry lines_of(const ImportedPlant& tree, bool moved = false) {
  return lines_from_plant(
      tree.plant, rest_pose(tree.plant),
      {.moved = moved, .attributes = tree.attributes, .start_attributes = tree.start_attributes});
}

std::vector<double> values(const LineGeometry& lines, const char* name) {
  const Attribute* column = find_attribute(lines.point_attributes, name);
  return column != nullptr ? column->values : std::vector<double>{};
}

// Bit for bit, types and the root's point included, through both forms of the format.
TEST(GeoColumns, StayAsTheFileHasThem) {
  const Result<LineGeometry> file = lines_from_geo(stem, "t.geo");
  ASSERT_TRUE(file);
  std::string text = stem;
  for (int trip = 0; trip < 4; ++trip) {
    const LineGeometry lines = lines_of(read_geo(text));
    ASSERT_EQ(lines.points.size(), 3u);
    for (const Attribute& column : file->point_attributes) {
      const Attribute* kept = find_attribute(lines.point_attributes, column.name);
      ASSERT_NE(kept, nullptr) << column.name;
      EXPECT_EQ(kept->values, column.values) << column.name << " on trip " << trip;
      EXPECT_EQ(kept->type, column.type) << column.name << " on trip " << trip;
    }
    // A line for each piece of the polygon.
    ASSERT_EQ(lines.edge_attributes.size(), 2u);
    EXPECT_EQ(lines.edge_attributes[0].values, (std::vector<double>{0.125, 0.125}));
    EXPECT_EQ(lines.edge_attributes[1].values, (std::vector<double>{9, 9}));
    EXPECT_EQ(lines.edge_attributes[1].type, Attribute::Type::integer);
    text = trip % 2 == 0 ? geo_json_from_lines(lines) : geo_classic_from_lines(lines);
  }
}

// Velocities and up vectors of a plant that moved are its own; its masses are the file's.
TEST(GeoColumns, FollowThePlantThatMoved) {
  const LineGeometry lines = lines_of(read_geo(stem), true);
  EXPECT_EQ(values(lines, "mass"), (std::vector<double>{5, 6, 7}));
  EXPECT_EQ(values(lines, "v"), std::vector<double>(9, 0.0));
  EXPECT_EQ(values(lines, "generation"), (std::vector<double>{3, 3, 7}));
}

TEST(GeoColumns, VelocitiesAreScaled) {
  EXPECT_EQ(values(lines_of(read_geo(stem, {.scale = 0.5})), "v"),
            (std::vector<double>{0, 0, 0, 0.5, 1, 1.5, 0.5, 1, 1.5}));
}

// "begins as 1 in the original root node and increases by 1 every additional node" (Hampshire 2009, 4.1).
TEST(GeoColumns, CompletedGenerationsBeginAtOne) {
  const Result<ImportedPlant> tree =
      read_plant(Format::obj, "v 0 0 0\nv 0 1 0\nv 0 2 0\nv 1 2 0\nl 1 2 3\nl 2 4\n", "t.obj");
  ASSERT_TRUE(tree);
  EXPECT_EQ(values(lines_of(*tree), "generation"), (std::vector<double>{1, 2, 3, 3}));
}

// Houdini's L-system node calls generations gen: the lowest is the root, and the name stays.
TEST(GeoColumns, GenIsAGeneration) {
  const std::string text =
      "PGEOMETRY V5\nNPoints 3 NPrims 1\nNPointGroups 0 NPrimGroups 0\nNPointAttrib 1 "
      "NVertexAttrib 0 "
      "NPrimAttrib 0 NAttrib 0\nPointAttrib\ngen 1 int 0\n0 2 0 1 (9)\n0 1 0 1 (8)\n0 0 0 1 (7)\n"
      "Run 1 Poly\n 3 : 0 1 2\nbeginExtra\nendExtra\n";
  const ImportedPlant tree = read_geo(text);
  EXPECT_EQ(tree.plant.segments[0].base_in_parent.y, 0);
  const LineGeometry lines = lines_of(tree);
  EXPECT_EQ(values(lines, "gen"), (std::vector<double>{7, 8, 9}));
  EXPECT_EQ(find_attribute(lines.point_attributes, "generation"), nullptr);
}

// A plant's own files bring its frames back, rolled as they were. Rounding of some dozen rotations.
TEST(GeoColumns, UpVectorsKeepTheRoll) {
  Plant plant = testing::make_test_tree({.orders = 2});
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    plant.segments[i].parent_from_segment =
        plant.segments[i].parent_from_segment *
        rotation_about({0, 1, 0}, 0.7 * static_cast<double>(i + 1));
  }
  const Pose pose = rest_pose(plant);
  const ImportedPlant back = read_geo(geo_classic_from_lines(lines_from_plant(plant, pose)));
  const Pose again = rest_pose(back.plant);
  ASSERT_EQ(back.plant.segments.size(), plant.segments.size());
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Vec3 z{0, 0, 1};
    EXPECT_NEAR(
        length(rotate(pose.world_from_segment[i], z) - rotate(again.world_from_segment[i], z)), 0,
        1e-12)
        << i;
  }
  // An up vector along the piece says nothing of its roll.
  std::string text = stem;
  for (std::size_t place = 0; (place = text.find("1 0 0 ", place)) != std::string::npos; ++place) {
    if (text[place - 2] == '6' || text[place - 2] == '5') text.replace(place, 5, "0 1 0");
  }
  const Pose rolled = rest_pose(read_geo(text).plant);
  EXPECT_NEAR(rotate(rolled.world_from_segment[0], {0, 0, 1}).z, 1, 1e-12);
  EXPECT_NEAR(rotate(rolled.world_from_segment[1], {0, 0, 1}).x, 0.6, 1e-12);
}

// Two stems from one point share it, so that trips do not add points.
TEST(GeoColumns, RootsAtOnePlaceShareTheirPoint) {
  const Result<ImportedPlant> tree =
      read_plant(Format::obj, "v 0 0 0\nv 0 1 0\nv 1 1 0\nl 1 2\nl 1 3\n", "t.obj");
  ASSERT_TRUE(tree);
  const LineGeometry lines = lines_of(*tree);
  EXPECT_EQ(lines.points.size(), 3u);
  EXPECT_EQ(lines.edges, (std::vector<std::array<Index, 2>>{{0, 1}, {0, 2}}));
}

// Branches that leave their parent below its tip come back as they were, though lines join tips.
TEST(GeoColumns, PiecesThatStartAsideKeepTheirPlace) {
  Plant plant = testing::make_test_tree({.orders = 2});
  for (std::size_t i = 1; i < plant.segments.size(); i += 3) {
    if (plant.segments[i].parent == no_index) continue;
    plant.segments[i].base_in_parent.y *= 0.5;
    plant.segments[i].base_in_parent.x += 0.01;
  }
  ASSERT_TRUE(starts_aside(plant));
  const Pose pose = rest_pose(plant);
  const LineGeometry lines = lines_from_plant(plant, pose, {.base_offset = true});
  for (const std::string& text : {geo_classic_from_lines(lines), geo_json_from_lines(lines)}) {
    const ImportedPlant back = read_geo(text);
    const Pose again = rest_pose(back.plant);
    ASSERT_EQ(back.plant.segments.size(), plant.segments.size());
    EXPECT_EQ(find_attribute(back.attributes, "base_offset"), nullptr);
    for (std::size_t i = 0; i < plant.segments.size(); ++i) {
      EXPECT_EQ(back.plant.segments[i].parent, plant.segments[i].parent) << i;
      EXPECT_NEAR(back.plant.segments[i].length, plant.segments[i].length, 1e-12) << i;
      EXPECT_NEAR(length(again.base_world[i] - pose.base_world[i]), 0, 1e-12) << i;
    }
  }
}

}  // namespace
}  // namespace thigmo::geo_columns_test
