#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "math/rotation.h"

namespace thigmo::support {

using nlohmann::json;

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

  // The key of a sampler that holds at a frame of the animation: those with a key a frame, or what lasts.
  std::size_t key_at(const json& sampler, std::size_t frame) const {
    if (sampler.value("interpolation", "LINEAR") != "STEP") return frame;
    const std::size_t input = sampler["input"];
    const float time = element<float>(frame_times(), frame * 4);
    std::size_t key = 0;
    const std::size_t keys = root["accessors"][input]["count"];
    while (key + 1 < keys && element<float>(input, (key + 1) * 4) <= time) ++key;
    return key;
  }

  // The times of the longest sampler.
  std::size_t frame_times() const {
    std::size_t longest = 0, keys = 0;
    for (const json& sampler : root["animations"][0]["samplers"]) {
      const std::size_t input = sampler["input"];
      const std::size_t count = root["accessors"][input]["count"];
      if (count > keys) longest = input;
      keys = std::max(keys, count);
    }
    return longest;
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
        value.push_back(
            element<float>(sampler["output"], (key_at(sampler, frame) * parts + k) * 4));
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
    const auto s = node.value("scale", std::vector<double>{1, 1, 1});
    const Mat3 rotation = matrix(Quat{r[3], r[0], r[1], r[2]});
    const Vec3 rows[3] = {rotation.row_x, rotation.row_y, rotation.row_z};
    for (std::size_t i = 0; i < 3; ++i) {
      m.m[i][0] = rows[i].x * s[0];
      m.m[i][1] = rows[i].y * s[1];
      m.m[i][2] = rows[i].z * s[2];
      m.m[i][3] = t[i];
    }
    return m;
  }

  std::vector<Vec3> skinned_positions(std::size_t frame, std::size_t number = 0) const {
    const std::vector<Matrix4> world = world_matrices(frame);
    const json& skin = root["skins"][number];
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
    const json& attributes = root["meshes"][number]["primitives"][0]["attributes"];
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

}  // namespace thigmo::support
