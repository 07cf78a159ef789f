#include "io/disk/pose_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "io/caches/point_cache.h"
#include "io/gltf/glb.h"
#include "io/textures/vertex_textures.h"
#include "io/usd/usda.h"
#include "mesh/test_tree.h"

namespace thigmo::pose_file_test {
namespace {

// Two plants that sway, in memory and in a file.
struct Pair {
  std::vector<Plant> plants{testing::make_test_tree({.orders = 2, .trunk_segments = 6}),
                            testing::make_test_tree({.orders = 1, .trunk_segments = 3})};
  std::vector<Motion> kept{testing::make_sway(plants[0], 40, 24, 0.05),
                           testing::make_sway(plants[1], 40, 24, 0.02)};
  std::string folder = ::testing::TempDir();
  std::optional<PoseFile> file;
  std::vector<Motion> filed;

  Pair() {
    file.emplace(
        std::move(*PoseFile::open(folder, {segment_count(plants[0]), segment_count(plants[1])})));
    for (std::size_t f = 0; f < 40; ++f) {
      const Pose poses[2] = {kept[0].poses[f], kept[1].poses[f]};
      EXPECT_TRUE(file->append(poses));
    }
    std::vector<std::size_t> frames(40);
    std::iota(frames.begin(), frames.end(), 0);
    for (std::size_t p = 0; p < 2; ++p) filed.push_back(file->motion(p, kept[p].times, frames));
  }

  std::vector<MovingPlant> moving(const std::vector<Motion>& motions) const {
    return {{&plants[0], &motions[0]}, {&plants[1], &motions[1]}};
  }
};

TEST(PoseFile, GivesBackEveryPoseBitByBit) {
  const Pair pair;
  Pose scratch;
  for (std::size_t p = 0; p < 2; ++p) {
    for (const std::size_t f : {std::size_t{39}, std::size_t{0}, std::size_t{17}}) {
      const Pose& pose = pose_at(pair.filed[p], f, scratch);
      ASSERT_EQ(pose.base_world.size(), pair.plants[p].segments.size());
      for (std::size_t s = 0; s < pose.base_world.size(); ++s) {
        ASSERT_TRUE(pose.base_world[s] == pair.kept[p].poses[f].base_world[s]);
        ASSERT_EQ(pose.world_from_segment[s].w, pair.kept[p].poses[f].world_from_segment[s].w);
        ASSERT_EQ(pose.world_from_segment[s].z, pair.kept[p].poses[f].world_from_segment[s].z);
      }
    }
  }
  EXPECT_FALSE(pair.file->failure());
}

// A frame that is not there is no crash and no silent nonsense.
TEST(PoseFile, TellsReadsThatFail) {
  const Pair pair;
  Pose scratch;
  pose_at(pair.file->motion(0, {0.0}, {40}), 0, scratch);
  ASSERT_TRUE(pair.file->failure());
  EXPECT_NE(pair.file->failure()->message.find("cannot read poses"), std::string::npos);
}

TEST(PoseFile, LeavesNothingInItsFolder) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pose_folder";
  std::filesystem::create_directories(folder);
  Result<PoseFile> file = PoseFile::open(folder.string(), {1});
  ASSERT_TRUE(file);
  const Pose pose{.base_world = {{0, 1, 2}}, .world_from_segment = {Quat{}}};
  ASSERT_TRUE(file->append({&pose, 1}));
  EXPECT_TRUE(std::filesystem::is_empty(folder));  // also while it is open: a kill leaves nothing
  EXPECT_FALSE(PoseFile::open((folder / "none").string(), {1}));
}

// Every animated format has the same bytes, wherever the motion lies.
TEST(PoseFile, WritersDoNotSeeTheDifference) {
  const Pair pair;
  const std::vector<MovingPlant> kept = pair.moving(pair.kept), filed = pair.moving(pair.filed);
  for (const Index most : {Index{65'535}, Index{12}}) {
    const GlbOptions options{.max_joints = most};
    EXPECT_EQ(*glb_bytes(kept, options), *glb_bytes(filed, options));
  }
  // Joints that hang on the root again carry translations too.
  const GlbOptions shallow{.max_depth = 3};
  EXPECT_EQ(*glb_bytes(kept, shallow), *glb_bytes(filed, shallow));
  for (const auto style : {UsdStyle::skeleton, UsdStyle::points, UsdStyle::curves}) {
    const auto text = [&](std::span<const MovingPlant> plants) {
      return *bytes_from(
          [&](const ByteSink& sink) { return write_usda(plants, {.style = style}, sink); });
    };
    EXPECT_EQ(text(kept), text(filed));
  }
  const MovingSurface a = make_moving_surface(kept), b = make_moving_surface(filed);
  const auto bytes = [](const MovingSurface& surface, const auto& write) {
    return *bytes_from([&](const ByteSink& sink) { return write(surface, sink); });
  };
  EXPECT_EQ(bytes(a, write_pc2), bytes(b, write_pc2));
  EXPECT_EQ(bytes(a, write_mdd), bytes(b, write_mdd));
  EXPECT_EQ(vertex_textures(a)->offsets_png, vertex_textures(b)->offsets_png);
}

}  // namespace
}  // namespace thigmo::pose_file_test
