#include <gtest/gtest.h>

#include "base/random.h"
#include "fuzz/hostile.h"
#include "io/geo.h"
#include "io/glb.h"
#include "io/tree_table.h"
#include "mesh/test_tree.h"

namespace thigmo {
namespace {

// Sound files of every format, each with the byte in front that chooses its reader.
std::vector<std::string> sound_files() {
  const Plant plant = testing::make_test_tree({.orders = 1, .trunk_segments = 4});
  const Pose rest = rest_pose(plant);
  const LineGeometry lines = lines_from_plant(plant, rest);
  const MovingPlant still{&plant, nullptr};
  const std::string glb = *glb_bytes({&still, 1}, {.mesh = {.organs = false}});
  const auto with = [](PlantFormat format, const std::string& text) {
    return std::string(1, static_cast<char>(format)) + text;
  };
  return {
      with(PlantFormat::obj, obj_from_lines(lines)),
      with(PlantFormat::geo, geo_classic_from_lines(lines)),
      with(PlantFormat::geo, geo_json_from_lines(lines)),
      with(PlantFormat::json,
           R"({"xyz":[[0,0,0],[0,0,1],[0,1,2]],"parent":[-1,0,1],"radius":[0,0.1,0.05]})"),
      with(PlantFormat::csv, csv_from_plant(plant, rest)),
      with(PlantFormat::csv,
           "radius,length,start_x,start_y,start_z,axis_x,axis_y,axis_z,parent\n0.1,1,0,0,0,0,0,1,"
           "0\n0.1,1,0,0,1,0,0,1,1\n"),
      with(PlantFormat::gltf, glb),
      std::string(1, '\6') + glb,
      std::string(1, '\6') +
          R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
          R"({"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,)"
          R"("type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,)"
          R"("uri":"data:application/octet-stream;base64,)"
          R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})",
      std::string(1, '\5') + "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\n"};
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
  for (std::size_t k = 0, count = 1 + pick(4); k < count && bytes.size() > 1; ++k) {
    const std::size_t at = 1 + pick(bytes.size() - 1), length = 1 + pick(16);
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
        bytes.insert(at, bytes.substr(1 + pick(bytes.size() - 1), 64));
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
  const std::vector<std::string> files = sound_files();
  for (const std::string& file : files) ASSERT_TRUE(testing::answers_well(file));
  for (std::uint64_t k = 0; k < 6000; ++k) {
    const std::string bytes = mutated(files[k % files.size()], mix_bits(k, 4711));
    ASSERT_TRUE(testing::answers_well(bytes))
        << "mutation " << k << " of file " << k % files.size();
  }
}

// The last two sound files above hold triangles; one is a plant's own mesh, the other one triangle.
TEST(Readers, MeshesOfGltfComeBack) {
  const std::vector<std::string> files = sound_files();
  std::vector<std::size_t> triangles;
  for (const std::string& file : files) {
    if (file.front() != '\6') continue;
    const Result<OrganSurface> surface =
        surface_from_gltf(std::string_view(file).substr(1), "x.glb");
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

// What importers elsewhere have died of.
TEST(Hostile, KnownKillersAreAnsweredFast) {
  const auto with = [](PlantFormat format, const std::string& text) {
    return std::string(1, static_cast<char>(format)) + text;
  };
  for (const std::string& bytes :
       {with(PlantFormat::geo, std::string(100'000, '[')),
        with(PlantFormat::gltf, "{\"nodes\":" + std::string(100'000, '[')),
        with(PlantFormat::geo,
             "PGEOMETRY V5\nNPoints 500000000 NPrims 500000000\nNPointGroups 0 NPrimGroups "
             "0\nNPointAttrib 0 NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n"),
        with(PlantFormat::geo,
             "[\"pointcount\",99999999,\"vertexcount\",1,\"primitivecount\",99999999,"
             "\"attributes\",[],\"topology\",[],\"primitives\",[]]"),
        with(PlantFormat::gltf,
             "{\"buffers\":[{\"uri\":\"../../etc/"
             "passwd\"}],\"nodes\":[{\"children\":[1]},{\"translation\":[0,1,0]}]}"),
        with(PlantFormat::obj, "v 0 0 0\nl 1 1 1 1 1\nl -1 -2147483648 99999999999\n"),
        with(PlantFormat::json,
             "{\"xyz\":[[0,0,0],[1e308,1e308,1e308]],\"parent\":[-1,0],\"radius\":[1,1]}")}) {
    EXPECT_TRUE(testing::answers_well(bytes)) << bytes.substr(0, 60);
  }
}

}  // namespace
}  // namespace thigmo
