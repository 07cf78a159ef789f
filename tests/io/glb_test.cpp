#include "io/gltf/glb.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "mesh/build.h"
#include "mesh/deform.h"
#include "mesh/test_tree.h"

namespace thigmo::glb_test {
namespace {

using nlohmann::json;
using testing::make_sway;
using testing::make_test_tree;

// A small reader of its own, straight from the specification: 4×4 matrices, node trees, skins.
struct Matrix4 {
  double m[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  friend Matrix4 operator*(const Matrix4& a, const Matrix4& b) {
    Matrix4 c;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        c.m[i][j] = 0;
        for (int k = 0; k < 4; ++k) c.m[i][j] += a.m[i][k] * b.m[k][j];
      }
    }
    return c;
  }
};

class GlbReader {
 public:
  explicit GlbReader(const std::string& bytes) {
    const auto word = [&bytes](std::size_t at) {
      std::uint32_t value;
      std::memcpy(&value, &bytes[at], 4);
      return value;
    };
    EXPECT_EQ(word(0), 0x46546C67u);
    EXPECT_EQ(word(8), bytes.size());
    const std::size_t json_length = word(12);
    root = json::parse(bytes.substr(20, json_length));
    binary = bytes.substr(28 + json_length);
    EXPECT_EQ(binary.size(), word(20 + json_length));
  }

  template <class T>
  T element(std::size_t accessor, std::size_t offset_bytes) const {
    const json& a = root["accessors"][accessor];
    const json& view = root["bufferViews"][a["bufferView"].get<std::size_t>()];
    const std::size_t start = view.value("byteOffset", 0u) + a.value("byteOffset", 0u);
    T value;
    std::memcpy(&value, &binary[start + offset_bytes], sizeof value);
    return value;
  }

  // World matrices of all nodes with the animation at key `frame`.
  std::vector<Matrix4> world_matrices(std::size_t frame) const {
    std::vector<json> nodes(root["nodes"].begin(), root["nodes"].end());
    for (const json& channel : root["animations"][0]["channels"]) {
      const json& sampler =
          root["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()];
      const std::string path = channel["target"]["path"];
      const std::size_t parts = path == "rotation" ? 4 : 3;
      json value = json::array();
      for (std::size_t k = 0; k < parts; ++k) {
        value.push_back(element<float>(sampler["output"], (frame * parts + k) * 4));
      }
      nodes[channel["target"]["node"].get<std::size_t>()][path] = value;
    }
    std::vector<Matrix4> world(nodes.size());
    std::vector<std::pair<std::size_t, int>> stack;
    for (const json& node : root["scenes"][0]["nodes"]) stack.push_back({node, 1});
    while (!stack.empty()) {
      const auto [i, depth] = stack.back();
      stack.pop_back();
      deepest = std::max(deepest, depth);
      world[i] = world[i] * local(nodes[i]);
      for (const json& child : nodes[i].value("children", json::array())) {
        world[child.get<std::size_t>()] = world[i];
        stack.push_back({child, depth + 1});
      }
    }
    return world;
  }

  static Matrix4 local(const json& node) {
    Matrix4 m;
    const auto t = node.value("translation", std::vector<double>{0, 0, 0});
    const auto r = node.value("rotation", std::vector<double>{0, 0, 0, 1});
    const Mat3 rotation = matrix(Quat{r[3], r[0], r[1], r[2]});
    const Vec3 rows[3] = {rotation.row_x, rotation.row_y, rotation.row_z};
    for (std::size_t i = 0; i < 3; ++i) {
      m.m[i][0] = rows[i].x;
      m.m[i][1] = rows[i].y;
      m.m[i][2] = rows[i].z;
      m.m[i][3] = t[i];
    }
    return m;
  }

  std::vector<Vec3> skinned_positions(std::size_t frame) const {
    const std::vector<Matrix4> world = world_matrices(frame);
    const json& skin = root["skins"][0];
    std::vector<Matrix4> joints;
    for (std::size_t j = 0; j < skin["joints"].size(); ++j) {
      Matrix4 bind;
      for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t r = 0; r < 4; ++r) {
          bind.m[r][c] = element<float>(skin["inverseBindMatrices"], (j * 16 + c * 4 + r) * 4);
        }
      }
      joints.push_back(world[skin["joints"][j].get<std::size_t>()] * bind);
    }
    const json& attributes = root["meshes"][0]["primitives"][0]["attributes"];
    const std::size_t count = root["accessors"][attributes["POSITION"].get<std::size_t>()]["count"];
    std::vector<Vec3> positions;
    for (std::size_t v = 0; v < count; ++v) {
      double p[4] = {0, 0, 0, 1};
      for (std::size_t k = 0; k < 3; ++k)
        p[k] = element<float>(attributes["POSITION"], v * 12 + k * 4);
      Vec3 sum;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto joint = element<std::uint16_t>(attributes["JOINTS_0"], v * 8 + k * 2);
        const double weight = element<float>(attributes["WEIGHTS_0"], v * 16 + k * 4);
        const auto row = [&](int i) {
          double value = 0;
          for (int c = 0; c < 4; ++c) value += joints[joint].m[i][c] * p[c];
          return value;
        };
        if (weight > 0) sum += Vec3{row(0), row(1), row(2)} * weight;
      }
      positions.push_back(sum);
    }
    return positions;
  }

  json root;
  std::string binary;
  mutable int deepest = 0;
};

void expect_same_motion(const Plant& plant, const Motion& motion, double tolerance) {
  const MovingPlant moving{&plant, &motion};
  const Result<std::string> bytes = glb_bytes({&moving, 1});
  ASSERT_TRUE(bytes);
  const GlbReader reader(*bytes);
  const SkinnedMesh mesh = build_mesh(plant);
  Deformed expected;
  for (const std::size_t frame : {std::size_t{0}, motion.poses.size() - 1}) {
    deform(mesh, motion.poses[frame], expected);
    const std::vector<Vec3> got = reader.skinned_positions(frame);
    ASSERT_EQ(got.size(), expected.positions.size());
    for (std::size_t v = 0; v < got.size(); ++v) {
      const Vec3f& e = expected.positions[v];
      ASSERT_NEAR(length(got[v] - Vec3{e.x, e.y, e.z}), 0, tolerance) << "vertex " << v;
    }
  }
  EXPECT_LE(reader.deepest, 902);  // the root and the mesh's own node count too
}

// Decoded by a reader of its own, the file moves as the engine does. Float rotations of 6e-8 add up
// over a dozen joints and some metres: microns.
TEST(Glb, MovesAsTheEngineDoes) {
  const Plant plant = make_test_tree({.orders = 2});
  expect_same_motion(plant, make_sway(plant, 12, 24, 0.05), 1e-5);
}

// A plant that walks off as a whole needs a translation track, and gets it.
TEST(Glb, MovingBaseIsKept) {
  const Plant plant = make_test_tree({.orders = 1});
  Motion motion = make_sway(plant, 5, 24);
  for (std::size_t f = 0; f < motion.poses.size(); ++f) {
    for (Vec3& base : motion.poses[f].base_world)
      base += Vec3{0.3 * static_cast<double>(f), 0, 0.1};
  }
  expect_same_motion(plant, motion, 1e-5);
}

// A chain of 2,000 segments is deeper than programs can walk; it is cut and still moves alike.
TEST(Glb, DeepChainsAreKeptShallow) {
  Plant plant = make_test_tree({.orders = 0, .trunk_segments = 2000, .leaves = false});
  ASSERT_EQ(segment_count(plant), 2000);
  expect_same_motion(plant, make_sway(plant, 4, 24, 0.001), 1e-4);
}

TEST(Glb, PlantAtRestHasNoAnimation) {
  const Plant plant = make_test_tree({.orders = 1});
  const MovingPlant still{&plant, nullptr};
  const Result<std::string> bytes = glb_bytes({&still, 1});
  ASSERT_TRUE(bytes);
  EXPECT_EQ(GlbReader(*bytes).root.count("animations"), 0u);
}

// More segments than a skin can hold are merged: a straight chain without motion needs one joint.
TEST(Glb, TooManyJointsAreMerged) {
  const Plant plant = make_test_tree({.orders = 0, .trunk_segments = 70000, .leaves = false});
  const MovingPlant still{&plant, nullptr};
  std::vector<JointReduction> reductions;
  const Result<std::string> bytes = glb_bytes({&still, 1}, {.reductions = &reductions});
  ASSERT_TRUE(bytes);
  ASSERT_EQ(reductions.size(), 1u);
  EXPECT_EQ(reductions[0].kept.size(), 1u);
}

// With a quarter of the joints every vertex of the file is as near to the engine's as the report
// says: the error there is of segment and organ tips, and bark lies up to a radius beside them.
TEST(Glb, FewerJointsMoveNearlyAlikeAsReported) {
  const Plant plant = make_test_tree({.orders = 2});
  const Motion motion = make_sway(plant, 12, 24, 0.05);
  const MovingPlant moving{&plant, &motion};
  const SkinnedMesh mesh = build_mesh(plant);
  double before = 1e300;
  for (const Index joints : {12, 50, 150}) {
    std::vector<JointReduction> reductions;
    const Result<std::string> bytes =
        glb_bytes({&moving, 1}, {.max_joints = joints, .reductions = &reductions});
    ASSERT_TRUE(bytes);
    const GlbReader reader(*bytes);
    EXPECT_LE(reader.root["skins"][0]["joints"].size(), static_cast<std::size_t>(joints));
    const JointReduction& r = reductions[0];
    EXPECT_GT(r.error_max, 0);
    EXPECT_LE(r.error_max, before);
    EXPECT_LT(r.error_mean, r.error_max);
    before = r.error_max;
    Deformed expected;
    deform(mesh, motion.poses[7], expected);
    const std::vector<Vec3> got = reader.skinned_positions(7);
    double worst = 0;
    for (std::size_t v = 0; v < got.size(); ++v) {
      const Vec3f& e = expected.positions[v];
      worst = std::max(worst, length(got[v] - Vec3{e.x, e.y, e.z}));
    }
    EXPECT_LE(worst, 1.5 * r.error_max);
    EXPECT_GT(worst, 0.1 * r.error_max);
  }
}

TEST(Glb, SinkErrorsStopTheWriter) {
  const Plant plant = make_test_tree({.orders = 1});
  const MovingPlant still{&plant, nullptr};
  int calls = 0;
  const Result<Done> done = write_glb({&still, 1}, {}, [&](std::string_view) -> Result<Done> {
    return ++calls < 3 ? Result<Done>(Done{}) : Result<Done>(error("disk full"));
  });
  EXPECT_FALSE(done);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace thigmo::glb_test
