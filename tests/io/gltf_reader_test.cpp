#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/gltf/glb.h"
#include "io/gltf/gltf_mesh.h"
#include "io/read_plant.h"
#include "mesh/test_tree.h"

namespace thigmo::gltf_reader_test {
namespace {

using testing::make_test_tree;

ImportedPlant read_gltf(std::string_view bytes) {
  const Result<ImportedPlant> read = read_plant(Format::gltf, bytes, "t.glb");
  EXPECT_TRUE(read) << to_string(read.diagnostics());
  return read ? *read : ImportedPlant{};
}

Vec3 tip(const Plant& plant, Index segment) {
  return point_on_segment(plant, rest_pose(plant), segment, 1);
}

// The same segments at the same places, from `first` on in `b`.
void expect_segments(const Plant& a, const Plant& b, std::size_t first, double tolerance) {
  ASSERT_GE(b.segments.size(), first + a.segments.size());
  const Pose pose = rest_pose(a), again = rest_pose(b);
  for (std::size_t i = 0; i < a.segments.size(); ++i) {
    const Segment &s = a.segments[i], &t = b.segments[first + i];
    const Index parent = t.parent == no_index ? no_index : t.parent - static_cast<Index>(first);
    ASSERT_EQ(s.parent, parent) << i;
    EXPECT_EQ(s.axis, t.axis) << i;
    EXPECT_EQ(s.order, t.order) << i;
    EXPECT_NEAR(s.length, t.length, tolerance) << i;
    EXPECT_NEAR(s.radius_base, t.radius_base, tolerance) << i;
    EXPECT_NEAR(s.radius_tip, t.radius_tip, tolerance) << i;
    EXPECT_NEAR(length(pose.base_world[i] - again.base_world[first + i]), 0, tolerance) << i;
  }
}

TEST(GltfReader, NodesBetweenJointsAreNoGap) {
  const ImportedPlant tree = read_gltf(
      R"({"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"translation":[0,1,0],"children":[2]},)"
      R"({"translation":[0,1,0],"children":[3]},{"translation":[0.5,1,0]}],"skins":[{"joints":[0,1,3]}]})");
  // From joint 1 to joint 3 past node 2, and a last piece.
  ASSERT_EQ(tree.plant.segments.size(), 3u);
  EXPECT_NEAR(length(tip(tree.plant, 1) - Vec3{0.5, 3, 0}), 0, 1e-12);
  EXPECT_EQ(tree.plant.segments[1].parent, 0);
}

TEST(GltfReader, AllSkinsAreRead) {
  const ImportedPlant both =
      read_gltf(R"({"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"translation":[0,1,0]},)"
                R"({"translation":[4,0,0],"children":[3]},{"translation":[0,2,0]}],)"
                R"("skins":[{"joints":[0,1]},{"joints":[2,3]},{"joints":[0,1]}]})");
  ASSERT_EQ(both.plant.segments.size(), 4u);
  EXPECT_NEAR(length(tip(both.plant, 2) - Vec3{4, 2, 0}), 0, 1e-12);
}

TEST(GltfReader, SeveralPlantsOfOurOwnComeBack) {
  const Plant a = make_test_tree({.orders = 2, .leaves = false});
  const Plant b = make_test_tree({.orders = 1, .leaves = false});
  const std::vector<MovingPlant> plants{{&a, nullptr}, {&b, nullptr}};
  const Result<std::string> bytes = glb_bytes(plants);
  ASSERT_TRUE(bytes);
  const ImportedPlant back = read_gltf(*bytes);
  ASSERT_EQ(back.plant.segments.size(), a.segments.size() + b.segments.size());
  // Products of rotations along the branches.
  expect_segments(a, back.plant, 0, 1e-12);
  expect_segments(b, back.plant, a.segments.size(), 1e-12);
  const Attribute* plant = find_attribute(back.attributes, "plant");
  ASSERT_NE(plant, nullptr);
  EXPECT_EQ(plant->values.front(), 1);
  EXPECT_EQ(plant->values.back(), 2);
}

// Segments without joints of their own come back too: places are told to 1e-8 m in the frame of their
// joint, and an end's error turns all that it carries, some ten times as far away as it is long.
TEST(GltfReader, FewJointsStillTellOfAllSegments) {
  const Plant plant = make_test_tree({.orders = 2, .leaves = false});
  const MovingPlant still{&plant, nullptr};
  const Result<std::string> bytes = glb_bytes({&still, 1}, {.max_joints = 7});
  ASSERT_TRUE(bytes);
  const ImportedPlant back = read_gltf(*bytes);
  ASSERT_EQ(back.plant.segments.size(), plant.segments.size());
  expect_segments(plant, back.plant, 0, 2e-7);
}

// A bone with two at its end, as Blender exports them: each of these goes its own way.
TEST(GltfReader, LastBonesPointAlongTheirOwnY) {
  const ImportedPlant tree = read_gltf(
      R"({"asset":{"version":"2.0"},"nodes":[{"children":[1,2]},)"
      R"({"translation":[0,2,0],"rotation":[0,0,0.38268343236508977,0.9238795325112867]},)"
      R"({"translation":[0,2,0],"rotation":[0,0,-0.7071067811865476,0.7071067811865476]}],)"
      R"("skins":[{"joints":[0,1,2]}]})");
  ASSERT_EQ(tree.plant.segments.size(), 3u);
  // Turned about z by 45° and by -90°.
  const double s = std::sqrt(2.0);
  EXPECT_NEAR(length(tip(tree.plant, 1) - Vec3{-s, 2 + s, 0}), 0, 1e-12);
  EXPECT_NEAR(length(tip(tree.plant, 2) - Vec3{2, 2, 0}), 0, 1e-12);
}

// A joint at the foot with two children is one root.
TEST(GltfReader, AForkAtTheFootIsOneRoot) {
  const ImportedPlant tree =
      read_gltf(R"({"asset":{"version":"2.0"},"nodes":[{"children":[1,2]},{"translation":[0,1,0]},)"
                R"({"translation":[1,1,0]}],"skins":[{"joints":[0,1,2]}]})");
  for (const std::string& note : tree.notes)
    EXPECT_EQ(note.find("roots"), std::string::npos) << note;
  EXPECT_EQ(tree.plant.segments.size(), 4u);
}

// Joints that point elsewhere go straight on, and two at one place draw one piece.
TEST(GltfReader, OtherLastJointsGoStraightOn) {
  const ImportedPlant tree = read_gltf(
      R"({"asset":{"version":"2.0"},"nodes":[{"children":[1,2]},)"
      R"({"translation":[2,0,0],"rotation":[0,0,0.38268343236508977,0.9238795325112867]},)"
      R"({"translation":[2,0,0]}],"skins":[{"joints":[0,1,2]}]})");
  ASSERT_EQ(tree.plant.segments.size(), 2u);
  EXPECT_NEAR(length(tip(tree.plant, 1) - Vec3{4, 0, 0}), 0, 1e-12);
}

// What is broken is said, though the skeleton does not need it.
TEST(GltfReader, BrokenFilesAreRefusedWithAReason) {
  const auto message = [](const std::string& version, const std::string& skin,
                          const std::string& more) {
    const Result<ImportedPlant> read =
        read_plant(Format::gltf,
                   "{\"asset\":{\"version\":\"" + version +
                       "\"},\"nodes\":[{\"children\":[1]},{\"translation\":[0,1,0]}],\"skins\":[{"
                       "\"joints\":[0,1]" +
                       skin + "}]" + more + "}",
                   "t.gltf");
    return read ? "accepted" : to_string(read.diagnostics());
  };
  const std::string bind = ",\"inverseBindMatrices\":0";
  const auto buffers = [](const char* accessor, int view = 128, int buffer = 128,
                          const char* more = "") {
    return ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126," + std::string(accessor) +
           "}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":" + std::to_string(view) +
           "}],\"buffers\":[{\"byteLength\":" + std::to_string(buffer) + more + "}]";
  };
  const char* const matrices = "\"count\":2,\"type\":\"MAT4\"";
  EXPECT_EQ(message("2.0", "", ""), "accepted");
  EXPECT_EQ(message("2.1", bind, buffers(matrices)), "accepted");
  const struct {
    std::string text, word;
  } faults[] = {
      {message("1.0", "", ""), "glTF 1.0"},
      {message("2.0", ",\"inverseBindMatrices\":7", ""), "in no accessor"},
      {message("2.0", bind, buffers("\"count\":1,\"type\":\"MAT4\"")), "every joint"},
      {message("2.0", bind, buffers("\"count\":2,\"type\":\"VEC4\"")), "every joint"},
      {message("2.0", bind, buffers("\"count\":2,\"type\":\"VEC9\"")), "'VEC9'"},
      {message("2.0", bind, buffers("\"count\":3,\"type\":\"MAT4\"")), "beyond its buffer view"},
      {message("2.0", bind, buffers("\"count\":1000000000000000000,\"type\":\"MAT4\"")), "beyond"},
      {message("2.0", bind, buffers(matrices, 128, 127)), "outside its buffer of 127"},
      {message(
           "2.0", bind,
           buffers(matrices, 128, 128, ",\"uri\":\"data:application/octet-stream;base64,AAAA\"")),
       "128 bytes, and has 3"},
  };
  for (const auto& [text, word] : faults) {
    EXPECT_NE(text.find(word), std::string::npos) << text << " should tell of " << word;
  }
  // Our own file, had it the version before.
  const Plant plant = make_test_tree({.orders = 1, .leaves = false});
  const MovingPlant still{&plant, nullptr};
  std::string bytes = *glb_bytes({&still, 1});
  bytes[4] = 1;
  EXPECT_FALSE(read_plant(Format::gltf, bytes, "t.glb"));
}

// A mesh whose positions are of a type that there is not, or of another than they should be.
TEST(GltfReader, MeshesOfOtherTypesAreRefused) {
  const auto read = [](const std::string& type) {
    return surface_from_gltf(
        R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
        R"({"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":")" +
            type +
            R"("}],"bufferViews":[{"buffer":0,"byteLength":144}],"buffers":[{"byteLength":144,"uri":)"
            R"("data:application/octet-stream;base64,)" +
            std::string(192, 'A') + R"("}]})",
        "leaf.gltf");
  };
  EXPECT_TRUE(read("VEC3"));
  EXPECT_FALSE(read("VEC4"));
  const Result<OrganSurface> nine = read("VEC9");
  ASSERT_FALSE(nine);
  EXPECT_NE(to_string(nine.diagnostics()).find("'VEC9'"), std::string::npos);
}

// What is broken where an organ's triangles do not need it, and what would give them another shape.
TEST(GltfReader, BrokenPartsOfMeshesAreRefused) {
  const auto sound = [] {
    return nlohmann::json::parse(
        R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
        R"("meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":0,"TEXCOORD_0":1,"_own":2},)"
        R"("targets":[{"POSITION":0,"TANGENT":0}]}],"weights":[0]}],)"
        R"("skins":[{"joints":[0]}],"extensionsRequired":["KHR_materials_unlit"],)"
        R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},)"
        R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC2"},)"
        R"({"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR"},)"
        R"({"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":)"
        R"("data:application/octet-stream;base64,)" +
        std::string(48, 'A') + R"("}]})");
  };
  const auto message = [](const nlohmann::json& root) {
    const Result<OrganSurface> surface = surface_from_gltf(root.dump(), "leaf.gltf");
    return surface ? std::string("accepted") : to_string(surface.diagnostics());
  };
  EXPECT_EQ(message(sound()), "accepted");
  const std::string attributes = "/meshes/0/primitives/0/attributes";
  const struct {
    std::string where;
    nlohmann::json what;
    const char* word;
  } faults[] = {
      {"/asset", nlohmann::json::object(), "which version"},
      {"/asset/version", 2, "which version"},
      {"/asset/minVersion", "2.1", "needs glTF 2.1"},
      {"/scene", 9, "scene that is not there"},
      {"/scene", -1, "scene that is not there"},
      {"/scene", "x", "scene that is not there"},
      {"/scenes", nlohmann::json::array(), "scene that is not there"},
      {"/scenes/0/nodes", {5}, "scene 0 names a node"},
      {"/scenes/0/nodes", {0, 0}, "node 0 twice"},
      {"/skins/0/joints", {9}, "skin 0 names a node"},
      {"/skins/0", nlohmann::json::object(), "joints that are no list"},
      {"/extensionsRequired", "KHR_draco_mesh_compression", "no list"},
      {"/nodes/0/matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, "accepted"},
      {"/nodes/0", {{"matrix", {1}}, {"scale", {1, 1, 1}}}, "both a matrix and a scale"},
      {"/nodes/0/skin", 3, "skin that is not there"},
      {"/nodes/0/weights", {0.5}, "morphed"},
      {"/meshes/0/weights", {1}, "morphed"},
      {"/meshes/0/primitives", nlohmann::json::array(), "no primitives"},
      {attributes + "/NORMAL", 99, "NORMAL in no accessor"},
      {attributes + "/NORMAL", 1, "NORMAL of another type"},
      {attributes + "/NORMAL", 3, "NORMAL for 2 of 3 vertices"},
      {attributes + "/TEXCOORD_0", 0, "TEXCOORD_0 of another type"},
      {attributes + "/JUNK", 0, "JUNK of another type"},
      {"/meshes/0/primitives/0/targets/0/POSITION", 9, "POSITION in no accessor"},
      {"/meshes/0/primitives/0/indices", 0, "indices"},
  };
  for (const auto& [where, what, word] : faults) {
    nlohmann::json root = sound();
    root[nlohmann::json::json_pointer(where)] = what;
    EXPECT_NE(message(root).find(word), std::string::npos)
        << where << " = " << what << ": " << message(root);
  }
}

}  // namespace
}  // namespace thigmo::gltf_reader_test
