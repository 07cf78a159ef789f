#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "io/disk/file.h"
#include "io/gltf/glb.h"
#include "io/usd/usda.h"
#include "mesh/build.h"
#include "mesh/deform.h"
#include "mesh/test_tree.h"

namespace thigmo::interop_test {
namespace {

using testing::make_sway;
using testing::make_test_tree;

// Runs a script of tests/interop under node, with the packages of package.json.
class InteropTest : public ::testing::Test {
 protected:
  void SetUp() override {
    // Other checkouts may be testing beside this one.
    folder_ = std::filesystem::path(::testing::TempDir()) /
              fmt::format("{}-{}", ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                          ::getpid());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void need(const char* package) const {
    const std::string place = std::string(THIGMO_SOURCE_DIR) + "/node_modules/" + package;
    if (!std::filesystem::exists(place) || std::system("node --version > /dev/null 2>&1") != 0) {
      FAIL() << "needs node and the package " << package << ": run tools/bootstrap";
    }
  }
  int run(const std::string& script, const std::string& arguments) const {
    return std::system(fmt::format("node '{}/tests/interop/{}' {} > '{}' 2>&1", THIGMO_SOURCE_DIR,
                                   script, arguments, path("log"))
                           .c_str());
  }
  std::string log() const { return *read_file(path("log")); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::filesystem::path folder_;
};

TEST_F(InteropTest, ValidatorFindsNothingWrongWithGlb) {
  need("gltf-validator");
  if (IsSkipped()) return;
  Plant plant = make_test_tree();
  for (std::size_t i = 0; i < plant.organs.size(); ++i) {
    plant.organs[i].kind =
        std::array{OrganKind::leaf, OrganKind::flower, OrganKind::fruit, OrganKind::bud}[i % 4];
  }
  const Plant other = make_test_tree({.orders = 1, .seed = 9});
  const Motion motion = make_sway(plant, 5, 24);
  const std::array plants{MovingPlant{&plant, &motion}, MovingPlant{&other, nullptr}};
  std::string files;
  for (const auto& [name, options] :
       {std::pair{"a.glb", GlbOptions{}},
        {"b.glb", GlbOptions{.mesh = {.tangents = true}, .max_joints = 20}},
        {"c.glb",
         GlbOptions{
             .mesh = {.sides_min = 3, .sides_max = 4, .root_flare = 0.5, .leaf_share = 0.3}}}}) {
    const Result<std::string> bytes = glb_bytes(plants, options);
    ASSERT_TRUE(bytes);
    ASSERT_TRUE(write_file(path(name), *bytes));
    files += "'" + path(name) + "' ";
  }
  EXPECT_EQ(run("validate_gltf.mjs", files), 0) << log();
}

TEST_F(InteropTest, ThreeJsMovesGlbAsTheEngineDoes) {
  need("three");
  if (IsSkipped()) return;
  const Plant plant = make_test_tree({.orders = 2});
  const Motion motion = make_sway(plant, 24, 24, 0.05);
  const MovingPlant moving{&plant, &motion};
  const Result<std::string> bytes = glb_bytes({&moving, 1});
  ASSERT_TRUE(bytes);
  ASSERT_TRUE(write_file(path("x.glb"), *bytes));
  const SkinnedMesh mesh = build_mesh(plant);
  std::string frames;
  Deformed shape;
  for (std::size_t f = 0; f < 20; f += 2) {  // ten frames
    deform(mesh, motion.poses[f], shape);
    std::string positions;
    for (const Vec3f& p : shape.positions)
      positions += fmt::format("{}[{},{},{}]", positions.empty() ? "" : ",", p.x, p.y, p.z);
    frames += fmt::format("{}{{\"time\":{},\"positions\":[{}]}}", frames.empty() ? "" : ",",
                          motion.times[f], positions);
  }
  ASSERT_TRUE(write_file(path("x.json"), "{\"frames\":[" + frames + "]}"));
  EXPECT_EQ(run("step_gltf.mjs", fmt::format("'{}' '{}' 1e-4", path("x.glb"), path("x.json"))), 0)
      << log();
}

TEST_F(InteropTest, TinyUsdzReadsEveryStyle) {
  need("tinyusdz");
  if (IsSkipped()) return;
  const Plant plant = make_test_tree({.orders = 1});
  const Motion motion = make_sway(plant, 4, 24);
  const std::array plants{MovingPlant{&plant, &motion}, MovingPlant{&plant, nullptr}};
  std::string files;
  for (const auto& [name, style] : {std::pair{"skeleton.usda", UsdStyle::skeleton},
                                    {"points.usda", UsdStyle::points},
                                    {"curves.usda", UsdStyle::curves}}) {
    const Result<std::string> bytes = bytes_from(
        [&, s = style](const ByteSink& sink) { return write_usda(plants, {.style = s}, sink); });
    ASSERT_TRUE(bytes);
    ASSERT_TRUE(write_file(path(name), *bytes));
    files += "'" + path(name) + "' ";
  }
  EXPECT_EQ(run("read_usd.mjs", files), 0) << log();
  // And it does say no.
  ASSERT_TRUE(
      write_file(path("broken.usda"), "#usda 1.0\ndef Mesh \"x\" { point3f[] points = [(0, 0"));
  EXPECT_NE(run("read_usd.mjs", "'" + path("broken.usda") + "'"), 0);
}

}  // namespace
}  // namespace thigmo::interop_test
