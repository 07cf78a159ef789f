#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/random.h"
#include "fuzz/hostile.h"
#include "io/disk/file.h"
#include "io/geo/geo.h"
#include "io/geo/plant_lines.h"
#include "io/gltf/glb.h"
#include "io/tables/csv_writer.h"
#include "io/tables/tree_table.h"
#include "mesh/build.h"
#include "mesh/test_tree.h"

namespace thigmo::hostile_test {
namespace {

using testing::Reader;

struct HostileFile {
  Reader reader;
  std::string bytes;
};

// Sound files of every format.
std::vector<HostileFile> sound_files() {
  const Plant plant = testing::make_test_tree({.orders = 1, .trunk_segments = 4});
  const Pose rest = rest_pose(plant);
  const LineGeometry lines = lines_from_plant(plant, rest);
  const PosedPlant posed{&plant, &rest};
  const MovingPlant still{&plant, nullptr};
  Simulation rod = testing::rod_for_snapshots();
  step(rod, rod.step, 1);
  const std::string glb = *glb_bytes({&still, 1}, {.mesh = {.organs = false}});
  return {
      {Reader::obj, obj_from_lines(lines)},
      {Reader::geo, geo_classic_from_lines(lines)},
      {Reader::geo, geo_json_from_lines(lines)},
      {Reader::json,
       R"({"xyz":[[0,0,0],[0,0,1],[0,1,2]],"parent":[-1,0,1],"radius":[0,0.1,0.05]})"},
      {Reader::csv, csv_from_plants({&posed, 1})},
      {Reader::csv,
       "radius,length,start_x,start_y,start_z,axis_x,axis_y,axis_z,parent\n0.1,1,0,0,0,0,0,1,"
       "0\n0.1,1,0,0,1,0,0,1,1\n"},
      {Reader::gltf, glb},
      {Reader::organ_gltf, glb},
      {Reader::organ_gltf,
       R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
       R"({"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,)"
       R"("type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,)"
       R"("uri":"data:application/octet-stream;base64,)"
       R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})"},
      {Reader::organ_obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\n"},
      {Reader::lsys,
       "derivation length: 4\nAxiom: !(0.1)A(1)\nA(x) : x > 0.1 --> F(x)[+A(x/2)]~l A(x*0.8)\n"},
      {Reader::abs,
       "B(1,0,.5,0,0,.5,0,.3,.1,.3)[J(0,0,1,0,0,0,5,5,5)B(1,0,.5,0,0,.5,0,.3,.1,.3)]\n"},
      {Reader::sbt,
       "n = 3\nstart -> F 0.9 0.5 N zero\nzero -> F 0.9 0.33 [T 30 N zero] T -30 N zero\n"},
      {Reader::scenario,
       "duration = 1\n[wind]\nkind = \"uniform\"\nmean = [8, 0, 0]\n[[plant]]\nfile = "
       "\"a.lsys\"\n[[output]]\nfile = \"a.glb\"\n"},
      {Reader::path, "time, x, y, z\n0, 0, 0, 0\n0.5, 0, 0, 0.1\n1, 0, 0, 0\n"},
      {Reader::snapshot, write_snapshot(rod)},
      {Reader::log,
       "thigmo log 1\nworld\n AAAA\n# a remark\ngrab segment=3:0 along=1 stiffness=50 damping=-1 "
       "gives=1\nthicken segments=0-3:0,7:1 factor=1.5\nchange_plant plant=0:0 stiffness=1 mass=1 "
       "damping=1 creep=0 species=\"oak\\22\"\nstep seconds=0.01 times=3\nstate steps=3 "
       "hash=1f\n"}};
}

// Cuts, doubles, overwrites and swaps pieces of a file, and plants numbers that break things.
std::string mutated(std::string bytes, std::uint64_t key) {
  const auto pick = [&key](std::size_t count) {
    key = mix_bits(key);
    return count == 0 ? 0 : static_cast<std::size_t>(key % count);
  };
  static const std::vector<std::string> poison{
      "-1",         "0",           "1e308",   "1e999", "nan", "inf",        "99999999999999999999",
      "4294967296", "-2147483649", "[",       "]",     "{",   "}",          "\"",
      ",",          "(",           " ",       "\n",    "\0",  "2147483648", "0.5",
      "1e-320",     "Run 9 Poly",  "[[[[[[[["};
  for (std::size_t k = 0, count = 1 + pick(4); k < count && !bytes.empty(); ++k) {
    const std::size_t at = pick(bytes.size()), length = 1 + pick(16);
    switch (pick(6)) {
      case 0:
        bytes.erase(at, length);
        break;
      case 1:
        bytes.insert(at, poison[pick(poison.size())]);
        break;
      case 2:
        bytes[at] = static_cast<char>(pick(256));
        break;
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.insert(at, bytes.substr(pick(bytes.size()), 64));
        break;
      default:
        bytes.replace(at, length, poison[pick(poison.size())]);
        break;
    }
  }
  return bytes;
}

// A short run of what the fuzz target does for hours: thousands of broken files, and each is either
// a sound plant or refused with a reason. The sanitizers watch in the debug build.
TEST(Hostile, EveryBrokenFileIsAnswered) {
  const std::vector<HostileFile> files = sound_files();
  for (const HostileFile& file : files) {
    ASSERT_TRUE(testing::answers_well(file.reader, file.bytes));
    // Broken ones are broken only as they differ from what would be read.
    ASSERT_EQ(testing::answer_of(file.reader, file.bytes), testing::Answer::sound)
        << testing::reader_names[static_cast<std::size_t>(file.reader)];
  }
  for (std::uint64_t k = 0; k < 9000; ++k) {
    const HostileFile& file = files[k % files.size()];
    ASSERT_TRUE(testing::answers_well(file.reader, mutated(file.bytes, mix_bits(k, 4711))))
        << "mutation " << k << " of a file for the reader "
        << testing::reader_names[static_cast<std::size_t>(file.reader)];
  }
}

// Files that tools/fuzz begins with are read: of one that is refused at once nothing is tried.
TEST(Hostile, SeedsOfTheFuzzTargetsAreSound) {
  const std::string folder = THIGMO_SOURCE_DIR "/tests/fuzz/seeds/";
  for (const auto& [reader, name] : {std::pair{Reader::gltf, "leaf.gltf"},
                                     {Reader::organ_gltf, "leaf.gltf"},
                                     {Reader::json, "tree.json"}}) {
    const Result<std::string> bytes = read_file(folder + name);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(testing::answer_of(reader, *bytes), testing::Answer::sound) << name;
  }
}

// What the fuzz targets found once, in files named READER-WHAT.
TEST(Hostile, OldFindsAreAnswered) {
  std::size_t count = 0;
  const std::filesystem::path folder = THIGMO_SOURCE_DIR "/tests/data/hostile";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const auto reader = std::find(testing::reader_names.begin(), testing::reader_names.end(),
                                  name.substr(0, name.find('-')));
    ASSERT_NE(reader, testing::reader_names.end()) << name;
    const Result<std::string> bytes = read_file(entry.path().string());
    ASSERT_TRUE(bytes);
    const auto number = reader - testing::reader_names.begin();
    EXPECT_TRUE(testing::answers_well(static_cast<Reader>(number), *bytes)) << name;
    ++count;
  }
  EXPECT_GT(count, 0u);
}

// Two of the sound files above are glTF with triangles: one is a plant's own mesh, the other one triangle.
TEST(Readers, MeshesOfGltfComeBack) {
  std::vector<std::size_t> triangles;
  for (const HostileFile& file : sound_files()) {
    if (file.reader != Reader::organ_gltf) continue;
    const Result<OrganSurface> surface = surface_from_gltf(file.bytes, "x.glb");
    ASSERT_TRUE(surface) << to_string(surface.diagnostics());
    triangles.push_back(surface->indices.size() / 3);
    EXPECT_EQ(surface->normals.size(), surface->positions.size());
    EXPECT_EQ(surface->tangents.size(), surface->positions.size());
  }
  const Plant plant = testing::make_test_tree({.orders = 1, .trunk_segments = 4});
  EXPECT_EQ(triangles,
            (std::vector<std::size_t>{build_mesh(plant, {.organs = false}).indices.size() / 3, 1}));
  // No file but the one given is ever opened.
  const Result<OrganSurface> outside = surface_from_gltf(
      R"({"buffers":[{"uri":"../../etc/passwd"}],"nodes":[{"mesh":0}]})", "x.gltf");
  ASSERT_FALSE(outside);
  EXPECT_NE(to_string(outside.diagnostics()).find("another file"), std::string::npos);
}

// Sizes below zero and files that are shorter than they say are refused, not made the best of.
TEST(Hostile, NegativeRadiiAndCutFilesAreRefused) {
  const auto refused = [](Format format, const std::string& bytes, const char* word) {
    const Result<ImportedPlant> plant = read_plant(format, bytes, "x", {});
    EXPECT_FALSE(plant) << bytes.substr(0, 60);
    if (!plant) {
      EXPECT_NE(to_string(plant.diagnostics()).find(word), std::string::npos)
          << to_string(plant.diagnostics());
    }
  };
  refused(find_format("x.csv")->format,
          "id,parent,base_x,base_y,base_z,tip_x,tip_y,tip_z,radius\n1,0,0,0,0,0,1,0,0.1\n"
          "2,1,0,1,0,0,2,0,-0.1\n",
          "x:3");
  refused(find_format("x.swc")->format, "1 1 0 0 0 1 -1\n2 1 0 9 0 -1 1\n", "x:2");
  refused(find_format("x.json")->format,
          R"({"xyz":[[0,0,0],[0,1,0]],"parent":[-1,0],"radius":[1,-1]})", "radius");
  int cut = 0;
  for (const HostileFile& file : sound_files()) {
    if (file.reader != Reader::gltf || file.bytes.substr(0, 4) != "glTF") continue;
    ++cut;
    refused(find_format("x.glb")->format, file.bytes.substr(0, file.bytes.size() - 4), "cut off");
  }
  EXPECT_GT(cut, 0);
}

// What importers elsewhere have died of.
TEST(Hostile, KnownKillersAreAnsweredFast) {
  for (const auto& [reader, bytes] : std::vector<HostileFile>{
           {Reader::geo, std::string(100'000, '[')},
           {Reader::gltf, "{\"nodes\":" + std::string(100'000, '[')},
           {Reader::geo,
            "PGEOMETRY V5\nNPoints 500000000 NPrims 500000000\nNPointGroups 0 NPrimGroups "
            "0\nNPointAttrib 0 NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n"},
           {Reader::geo,
            "[\"pointcount\",99999999,\"vertexcount\",1,\"primitivecount\",99999999,"
            "\"attributes\",[],\"topology\",[],\"primitives\",[]]"},
           {Reader::gltf,
            "{\"buffers\":[{\"uri\":\"../../etc/"
            "passwd\"}],\"nodes\":[{\"children\":[1]},{\"translation\":[0,1,0]}]}"},
           {Reader::obj, "v 0 0 0\nl 1 1 1 1 1\nl -1 -2147483648 99999999999\n"},
           {Reader::json,
            "{\"xyz\":[[0,0,0],[1e308,1e308,1e308]],\"parent\":[-1,0],\"radius\":[1,1]}"}}) {
    EXPECT_TRUE(testing::answers_well(reader, bytes)) << bytes.substr(0, 60);
  }
}

}  // namespace
}  // namespace thigmo::hostile_test
