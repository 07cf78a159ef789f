#include <gtest/gtest.h>

#include "io/glb.h"
#include "io/gltf_mesh.h"
#include "io/read_plant.h"
#include "mesh/test_tree.h"

namespace thigmo {
namespace {

using testing::make_test_tree;

ImportedPlant read_gltf(std::string_view bytes) {
  const Result<ImportedPlant> read = read_plant(PlantFormat::gltf, bytes, "t.glb");
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
        read_plant(PlantFormat::gltf,
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
  EXPECT_FALSE(read_plant(PlantFormat::gltf, bytes, "t.glb"));
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

}  // namespace
}  // namespace thigmo
