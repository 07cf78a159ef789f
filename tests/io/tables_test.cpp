#include <gtest/gtest.h>

#include "io/geo/lines.h"
#include "io/geo/plant_lines.h"
#include "io/read_plant.h"
#include "io/tables/csv_writer.h"
#include "io/tables/tree_table.h"

namespace thigmo::tables_test {
namespace {

ImportedPlant read_csv(const std::string& text, ImportOptions options = {}) {
  const Result<ImportedPlant> read = read_plant(Format::csv, text, "t.csv", std::move(options));
  EXPECT_TRUE(read) << to_string(read.diagnostics());
  return read ? *read : ImportedPlant{};
}

std::string csv_of(const ImportedPlant& tree) {
  const PosedPlant posed{&tree.plant, nullptr};
  const std::span<const Attribute> columns(tree.attributes);
  return csv_from_plants({&posed, 1}, {&columns, 1});
}

std::string refusal(const std::string& text, Format format = Format::csv) {
  const Result<ImportedPlant> read = read_plant(format, text, "t.csv");
  return read ? "accepted" : to_string(read.diagnostics());
}

std::vector<Index> parents_of(const Plant& plant) {
  std::vector<Index> parents;
  for (const Segment& s : plant.segments) parents.push_back(s.parent);
  return parents;
}

// One tree, a stem of two pieces and a branch at its middle, in every way of counting rows.
TEST(Tables, ParentsWithoutIdsCountAsTheirRootsSay) {
  const std::vector<Index> expected{no_index, 0, 0};
  for (const std::array<const char*, 4>& parents :
       {std::array{"-1", "0", "1", "1"}, std::array{"0", "1", "2", "2"},
        std::array{"", "0", "1", "1"}, std::array{"", "1", "2", "2"}}) {
    const char* const places[] = {"0,0,0,", "0,1,0,", "0,2,0,", "0.5,1.5,0,"};
    std::string text = "x,y,z,parent\n";
    for (std::size_t i = 0; i < 4; ++i) text += std::string(places[i]) + parents[i] + "\n";
    const ImportedPlant tree = read_csv(text);
    EXPECT_EQ(parents_of(tree.plant), expected) << text;
  }
}

TEST(Tables, ParentsThatAreNoRowAreRefused) {
  EXPECT_NE(refusal("x,y,z,parent\n0,0,0,-1\n0,1,0,3\n").find("no row 3"), std::string::npos);
  EXPECT_NE(refusal("x,y,z,parent\n0,0,0,0\n0,1,0,3\n").find("count from 1"), std::string::npos);
  // A cylinder's table counts as a point's does.
  const ImportedPlant tree = read_csv(
      "x0,y0,z0,x1,y1,z1,radius,parent\n0,0,0,0,0,1,0.1,-1\n0,0,1,0,0,2,0.1,0\n"
      "0,0,2,0,0,3,0.1,1\n");
  EXPECT_EQ(parents_of(tree.plant), (std::vector<Index>{no_index, 0, 1}));
}

// An empty radius is completed from the other end; an empty place cannot be.
TEST(Tables, EmptyCells) {
  const ImportedPlant tree =
      read_csv("id,parent,x,y,z,radius\n1,0,0,0,0,0.3\n2,1,0,1,0,\n3,2,0,2,0,0.1\n");
  EXPECT_EQ(tree.plant.segments[0].radius_base, 0.3);
  EXPECT_EQ(tree.plant.segments[0].radius_tip, 0.3);
  EXPECT_EQ(tree.plant.segments[1].radius_base, 0.1);
  const std::string message = refusal("id,parent,x,y,z\n1,0,0,0,0\n2,1,0,,0\n");
  EXPECT_NE(message.find("t.csv:3"), std::string::npos) << message;
  EXPECT_NE(message.find("'y' is empty"), std::string::npos) << message;
}

// What says where the pieces are is no attribute beside them: it would be there twice in the next file,
// and wrong after a change of scale.
TEST(Tables, OnlyWhatIsNotUnderstoodIsAnAttribute) {
  for (const char* text :
       {"id,parent,x,y,z,radius,diameter,length,age\n1,0,0,0,0,1,2,0,5\n2,1,0,1,0,1,2,1,6\n",
        "cylinder_id,parent_id,start_x,start_y,start_z,axis_x,axis_y,axis_z,end_x,end_y,end_z,"
        "length,"
        "radius,age\n1,0,0,0,0,0,0,1,0,0,1,1,0.2,6\n",
        "id,parent,x0,y0,z0,x1,y1,z1,r,len,age\n1,0,0,0,0,0,0,1,0.2,1,6\n"}) {
    const ImportedPlant tree = read_csv(text);
    ASSERT_EQ(tree.attributes.size(), 1u) << text;
    EXPECT_EQ(tree.attributes[0].name, "age");
    EXPECT_EQ(tree.attributes[0].values, std::vector<double>{6});
  }
}

// Each trip through a file gives the same file, and each name is in its header once.
TEST(Tables, TripsThroughTablesAddNothing) {
  const ImportedPlant tree = read_csv(
      "id,parent,x,y,z,radius,age,axis,order,kind\n1,0,0,0,0,0.1,5,0,0,0\n2,1,0,1,0,0.1,6,3,2,5\n",
      {.scale = 0.5});
  const std::string once = csv_of(tree);
  EXPECT_EQ(
      once,
      "id,parent,base_x,base_y,base_z,tip_x,tip_y,tip_z,radius,radius_tip,length,axis,order,age,"
      "kind\n1,0,0,0,0,0,0.5,0,0.05,0.05,0.5,3,2,6,5\n");
  const ImportedPlant again = read_csv(once);
  EXPECT_EQ(csv_of(again), once);
  EXPECT_EQ(again.plant.segments[0].kind, OrganKind::root);
}

// The first point of a table has a row of its own, which pieces have not.
TEST(Tables, PointsAtTheRootKeepTheirColumns) {
  const ImportedPlant tree = read_csv(
      "id,parent,x,y,z,kind,age\n1,0,0,0,0,5,10\n2,1,0,1,0,0,11\n3,2,0,2,0,0,12\n4,1,1,0,0,0,13\n");
  const LineGeometry lines =
      lines_from_plant(tree.plant, rest_pose(tree.plant),
                       {.attributes = tree.attributes, .start_attributes = tree.start_attributes});
  const Attribute* age = find_attribute(lines.point_attributes, "age");
  const Attribute* kind = find_attribute(lines.point_attributes, "kind");
  ASSERT_TRUE(age != nullptr && kind != nullptr);
  EXPECT_EQ(age->values, (std::vector<double>{10, 11, 12, 13}));
  EXPECT_EQ(kind->values, (std::vector<double>{5, 0, 0, 0}));
  EXPECT_EQ(kind->type, Attribute::Type::integer);
}

// Several plants are one table, which comes back as several stems: as many segments, the same places.
TEST(Tables, SeveralPlantsAreOneTable) {
  const ImportedPlant a =
      read_csv("id,parent,x,y,z,radius\n1,0,0,0,0,0.1\n2,1,0,1,0,0.1\n3,2,0,2,0,0.1\n");
  const ImportedPlant b = read_csv("id,parent,x,y,z,radius\n1,0,5,0,0,0.2\n2,1,5,3,0,0.2\n");
  const std::vector<PosedPlant> both{{&a.plant, nullptr}, {&b.plant, nullptr}};
  const std::string text = csv_from_plants(both);
  const ImportedPlant back = read_csv(text);
  EXPECT_EQ(parents_of(back.plant), (std::vector<Index>{no_index, 0, no_index}));
  EXPECT_EQ(back.plant.segments[2].base_in_parent.x, 5);
  EXPECT_EQ(back.plant.segments[2].radius_base, 0.2);
  const Attribute* plant = find_attribute(back.attributes, "plant");
  ASSERT_NE(plant, nullptr);
  EXPECT_EQ(plant->values, (std::vector<double>{1, 1, 2}));
  // Read and written again it is the same table.
  EXPECT_EQ(csv_of(back), text);
}

// One tree in metres and in other units, in brackets or behind the name.
TEST(Tables, UnitsOfTheHeaderAreHonoured) {
  for (const char* text :
       {"id,parent,x,y,z,radius\n1,0,0,0,0,0.3048\n2,1,0,2.54,0,0.3048\n",
        "id,parent,x (cm),y [cm],z{cm},diameter (mm)\n1,0,0,0,0,609.6\n2,1,0,254,0,609.6\n",
        "id,parent,x_in,y_in,z_in,radius_ft\n1,0,0,0,0,1\n2,1,0,100,0,1\n",
        "id,parent,x (dm),y (km),z (Metres),radius "
        "(Centimeters)\n1,0,0,0,0,30.48\n2,1,0,0.00254,0,30.48\n"}) {
    const ImportedPlant tree = read_csv(text);
    ASSERT_EQ(tree.plant.segments.size(), 1u);
    EXPECT_NEAR(tree.plant.segments[0].length, 2.54, 1e-12) << text;
    EXPECT_NEAR(tree.plant.segments[0].radius_base, 0.3048, 1e-12) << text;
    EXPECT_TRUE(tree.attributes.empty()) << text;
  }
  // A cylinder's length is one, its axis is none.
  const ImportedPlant cylinder = read_csv(
      "parent,start_x,start_y,start_z,axis_x,axis_y,axis_z,length (cm),diameter [mm]\n"
      "0,0,0,0,0,0,1,150,20\n");
  EXPECT_NEAR(cylinder.plant.segments[0].length, 1.5, 1e-12);
  EXPECT_NEAR(cylinder.plant.segments[0].radius_tip, 0.01, 1e-12);
  const std::string message =
      refusal("id,parent,x,y,z,radius (cubits)\n1,0,0,0,0,1\n2,1,0,1,0,1\n");
  EXPECT_NE(message.find("'cubits' of the column 'radius'"), std::string::npos) << message;
  // A unit of what is not understood stays in its name.
  const ImportedPlant other = read_csv("id,parent,x,y,z,dbh (cm)\n1,0,0,0,0,1\n2,1,0,1,0,1\n");
  EXPECT_NE(find_attribute(other.attributes, "dbh_cm"), nullptr);
}

// Words are kept where no number is needed, quotes, separators and all; elsewhere the column is named.
TEST(Tables, WordsAreKeptOrNamed) {
  const char* const text =
      "id,parent,x,y,z,name,plot\n1,0,0,0,0,foot,7\n2,1,0,1,0,\"old \"\"wood\"\", dry\",B 12\n"
      "3,2,0,2,0,,NA\n";
  const ImportedPlant tree = read_csv(text);
  const Attribute* name = find_attribute(tree.attributes, "name");
  ASSERT_NE(name, nullptr);
  ASSERT_EQ(name->type, Attribute::Type::word);
  EXPECT_EQ(name->words, (std::vector<std::string>{"old \"wood\", dry", ""}));
  EXPECT_EQ(name->values, (std::vector<double>{0, 1}));
  const ImportedPlant again = read_csv(csv_of(tree));
  const Attribute* kept = find_attribute(again.attributes, "name");
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->words, name->words);
  EXPECT_EQ(kept->values, name->values);
  const std::string message = refusal("id,parent,x,y,z,radius\n1,0,0,0,0,thick\n2,1,0,1,0,1\n");
  EXPECT_NE(message.find("t.csv:2"), std::string::npos) << message;
  EXPECT_NE(message.find("'thick' in the column 'radius'"), std::string::npos) << message;
  EXPECT_NE(refusal("id,parent,x,y,z\n1,0,0,0,0\n2,root,0,1,0\n").find("a parent must"),
            std::string::npos);
}

// Quotes are closed on their line, with nothing behind them; numbers that are too long are no headings; a row
// that stands on itself is named by its line.
TEST(Tables, BrokenCellsAreNamed) {
  const struct {
    std::string text, word;
  } faults[] = {
      {"id,parent,x,y,z,name\n1,0,0,0,0,a\n2,1,0,1,0,\"never\n", "t.csv:3"},
      {"id,parent,x,y,z,name\n1,0,0,0,0,a\n2,1,0,1,0,\"never\n", "never closed"},
      {"id,parent,x,y,z,name\n1,0,0,0,0,\"two\nlines\"\n2,1,0,1,0,b\n", "t.csv:2"},
      {"id,parent,x,y,z,\"na\"me\n1,0,0,0,0,a\n2,1,0,1,0,b\n", "behind a closing quote"},
      {"1 1 0 0 0 1e999 -1\n2 1 0 1 0 1 1\n", "'1e999' in the column 'radius'"},
      {"1 1 0 0 0 1 3\n2 1 0 1 0 1 1\n3 1 0 2 0 1 2\n", "this row is its own ancestor"},
  };
  for (const auto& [text, word] : faults) {
    EXPECT_NE(refusal(text).find(word), std::string::npos) << refusal(text) << " for " << text;
  }
}

// What a message shows of a file is short, and moves no cursor.
TEST(Tables, MessagesShowTheBeginningOfLongWords) {
  const std::string junk = "\x1b[2J" + std::string(100'000, '[');
  for (const std::string& text : {"id,parent,x,y,z\n1,0,0,0,0\n2,1,0," + junk + ",0\n",
                                  "id,parent,x,y,z(" + junk + "\n1,0,0,0,0\n2,1,0,1,0\n"}) {
    const std::string message = refusal(text);
    EXPECT_LT(message.size(), 300u);
    EXPECT_EQ(message.find('\x1b'), std::string::npos);
  }
}

// R writes NA where it has nothing; rows may end in separators, and blanks and tabs mix in SWC.
TEST(Tables, WaysOfWritingTables) {
  for (const char* text :
       {"id,parent,x,y,z,radius\n1,0,0,0,0,0.5\n2,1,0,1,0,NA\n",
        "\"id\";\"parent\";\"x\";\"y\";\"z\";\"radius\"\n1;0;0;0;0;0.5\n2;1;0;1;0;0.5;\n",
        "id\tparent\tx\ty\tz\tradius (m)\n1\t0\t0\t0\t0\t0.5\n2\t1\t0\t1\t0\t\n",
        "1 1\t0 0 0\t0.5 -1\n2\t1 0  1 0 0.5 1\n"}) {
    const ImportedPlant tree = read_csv(text);
    ASSERT_EQ(tree.plant.segments.size(), 1u) << text;
    EXPECT_EQ(tree.plant.segments[0].radius_base, 0.5) << text;
    EXPECT_EQ(tree.plant.segments[0].radius_tip, 0.5) << text;
  }
}

// Where a row has a direction and a length its place is where it starts, not where it ends.
TEST(Tables, PlacesWithDirectionsAreStarts) {
  const ImportedPlant tree =
      read_csv("parent,length,radius,dx,dy,dz,x,y,z\r0,1,0.2,0,0,1,0,0,0\r1,2,0.1,0,0,1,0,0,1\r");
  ASSERT_EQ(tree.plant.segments.size(), 2u);
  EXPECT_EQ(tree.plant.segments[0].length, 1);
  EXPECT_EQ(tree.plant.segments[1].length, 2);
  // z is up.
  EXPECT_NEAR(point_on_segment(tree.plant, rest_pose(tree.plant), 1, 1).y, 3, 1e-12);
  EXPECT_TRUE(tree.attributes.empty());
}

// Every text begins with the mark in some editor; none becomes another tree by it.
TEST(Tables, ByteOrderMarksAreNoPartOfAText) {
  const struct {
    Format format;
    const char* text;
  } files[] = {
      {Format::csv, "id,parent,x,y,z\n7,-1,0,0,0\n3,7,0,1,0\n9,3,0,2,0\n"},
      {Format::csv, "1 1 0 0 0 0.1 -1\n2 1 0 1 0 0.1 1\n3 1 0 2 0 0.1 2\n"},
      {Format::obj, "v 0 0 0\nv 0 1 0\nv 0 2 0\nl 1 2 3\n"},
      {Format::geo,
       "PGEOMETRY V5\nNPoints 3 NPrims 1\nNPointGroups 0 NPrimGroups 0\nNPointAttrib 0 "
       "NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n0 0 0 1\n0 1 0 1\n0 2 0 1\nRun 1 Poly\n 3 : 0 1 "
       "2\n"},
      {Format::geo_json,
       "{\"xyz\":[[0,0,0],[0,0,1],[0,0,2]],\"parent\":[-1,0,1],\"radius\":[1,1,1]}"},
      {Format::geo_json,
       "[\"pointcount\",3,\"primitivecount\",1,\"topology\",[\"pointref\",[\"indices\",[0,1,2]]],"
       "\"attributes\",[\"pointattributes\",[[[\"type\",\"numeric\",\"name\",\"P\"],[\"size\",3,"
       "\"values\",[\"size\",3,\"tuples\",[[0,0,0],[0,1,0],[0,2,0]]]]]]],\"primitives\",[[["
       "\"type\","
       "\"PolygonCurve_run\"],[\"startvertex\",0,\"nvertices\",[3]]]]]"},
      {Format::gltf,
       "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[1]},{\"translation\":[0,1,0]}]"
       "}"},
  };
  for (const auto& [format, text] : files) {
    const Result<ImportedPlant> plain = read_plant(format, text, "t");
    const Result<ImportedPlant> marked =
        read_plant(format, "\xef\xbb\xbf" + std::string(text), "t");
    ASSERT_TRUE(plain) << to_string(plain.diagnostics());
    ASSERT_TRUE(marked) << to_string(marked.diagnostics()) << text;
    EXPECT_EQ(parents_of(marked->plant), (std::vector<Index>{no_index, 0}));
    EXPECT_EQ(parents_of(marked->plant), parents_of(plain->plant));
  }
}

// Roots by -1, rows counted from 1 or from 0: what stands on row 0 tells them apart.
TEST(Tables, RowsWithoutIdsCountFromZeroOnlyWhereSomethingStandsOnZero) {
  for (const char* text : {"x,y,z,parent\n0,0,0,-1\n0,1,0,1\n0,2,0,2\n0.5,1.5,0,2\n",
                           "x,y,z,parent\n0,0,0,-1\n0,1,0,0\n0,2,0,1\n0.5,1.5,0,1\n",
                           "x,y,z,parent\n0,0,0,0\n0,1,0,1\n0,2,0,2\n0.5,1.5,0,2\n"}) {
    const Result<ImportedPlant> tree = read_plant(Format::csv, text, "t.csv");
    ASSERT_TRUE(tree) << to_string(tree.diagnostics());
    ASSERT_EQ(tree->plant.segments.size(), 3u) << text;
    EXPECT_EQ(tree->plant.segments[0].parent, no_index);
    EXPECT_EQ(tree->plant.segments[1].parent, 0);
    EXPECT_EQ(tree->plant.segments[2].parent, 0);
  }
}

}  // namespace
}  // namespace thigmo::tables_test
