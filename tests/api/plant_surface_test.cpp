#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "thigmo/thigmo.h"

namespace thigmo::plant_surface_test {
namespace {

// A surface follows its plant: at rest it is the rest's, and when the plant has bent, the highest
// point of the mesh is the dome over the tip that the transforms give.
TEST(PlantSurface, FollowsThePlant) {
  Outcome<World> world = parse_world(
      "[[plant]]\nkind = \"rod\"\nsegments = 20\nlength = 2.0\nradius = 0.01\n"
      "direction = [0, 1, 0]\n[[force]]\nvector = [2, 0, 0]\n");
  ASSERT_TRUE(world) << world.error();
  Outcome<PlantSurface> surface = world->surface(world->plant(0));
  ASSERT_TRUE(surface) << surface.error();
  const SurfaceMesh& rest = surface->at_rest();
  const PlantSurface::Shape still = surface->follow(world->transforms(world->plant(0)));
  ASSERT_EQ(3 * still.vertices, rest.positions.size());
  ASSERT_EQ(2 * still.vertices, rest.uvs.size());
  for (std::size_t i = 0; i < rest.positions.size(); ++i) {
    ASSERT_NEAR(still.positions[i], rest.positions[i], 2e-6);  // floats at two metres
    ASSERT_NEAR(still.normals[i], rest.normals[i], 2e-6);
  }
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world->step(1.0 / 60.0));
  const std::vector<Transform> bent = world->transforms(world->plant(0));
  const PlantSurface::Shape moved = surface->follow(bent);
  // The last vertex of a tube is the top of its dome: a radius beyond the last segment's end.
  const auto& [base, q] = bent.back();
  const double reach = 2.0 / 20 + 0.01;
  const Numbers3 along{2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                       2 * (q[2] * q[3] + q[0] * q[1])};
  const float* top = moved.positions + 3 * (moved.vertices - 1);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(top[k], base[k] + reach * along[k], 2e-6);
  EXPECT_GT(std::abs(static_cast<double>(top[0])), 0.05);
}

// A graphics card has the sum of weight times matrix times position; here it is taken in double precision. What
// follow gives is that to single precision, for tubes, welded forks and leaves.
TEST(PlantSurface, JointsAndWeightsGiveWhatFollowGives) {
  for (const bool weld : {false, true}) {
    World world;
    const auto tree = world.add({.file = THIGMO_SOURCE_DIR "/gallery/plants/young_tree.lsys"});
    ASSERT_TRUE(tree) << tree.error();
    ASSERT_TRUE(world.set_wind({.mean = {14, 0, 3}, .ease = 0}));
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(world.step(1.0 / 60.0));
    Outcome<PlantSurface> surface = world.surface(*tree, {.weld = weld});
    ASSERT_TRUE(surface) << surface.error();
    const SurfaceMesh& rest = surface->at_rest();
    const std::vector<Transform> now = world.transforms(*tree);
    const PlantSurface::Shape shape = surface->follow(now);
    ASSERT_EQ(rest.joints.size(), 4 * shape.vertices);
    ASSERT_EQ(rest.weights.size(), 4 * shape.vertices);
    std::vector<float> matrices(16 * surface->segment_count());
    ASSERT_TRUE(surface->joint_matrices(now, matrices));
    double moved = 0;
    for (std::size_t v = 0; v < shape.vertices; ++v) {
      Numbers3 position{}, normal{};
      double sum = 0;
      for (std::size_t k = 4 * v; k < 4 * v + 4; ++k) {
        const double w = static_cast<double>(rest.weights[k]);
        sum += w;
        ASSERT_LT(rest.joints[k], surface->segment_count());
        const float* m = &matrices[16 * rest.joints[k]];
        for (std::size_t row = 0; row < 3; ++row) {
          position[row] += w * static_cast<double>(m[12 + row]);
          for (std::size_t column = 0; column < 3; ++column) {
            const double entry = w * static_cast<double>(m[4 * column + row]);
            position[row] += entry * static_cast<double>(rest.positions[3 * v + column]);
            normal[row] += entry * static_cast<double>(rest.normals[3 * v + column]);
          }
        }
        EXPECT_EQ(m[3], 0.0f);
        EXPECT_EQ(m[15], 1.0f);
      }
      ASSERT_NEAR(sum, 1, 1e-6);
      const double length = std::hypot(normal[0], normal[1], normal[2]);
      for (std::size_t k = 0; k < 3; ++k) {
        const double at_rest = static_cast<double>(rest.positions[3 * v + k]);
        moved = std::max(moved, std::abs(position[k] - at_rest));
        ASSERT_NEAR(static_cast<double>(shape.positions[3 * v + k]), position[k], 2e-6);
        ASSERT_NEAR(static_cast<double>(shape.normals[3 * v + k]), normal[k] / length, 2e-6);
      }
    }
    EXPECT_GT(moved, 0.05);  // else nothing was tried
  }
}

TEST(PlantSurface, FollowsNoOtherPlant) {
  World world;
  const auto rod = world.add(RodPlant{.segments = 5});
  ASSERT_TRUE(rod);
  Outcome<PlantSurface> surface = world.surface(*rod);
  ASSERT_TRUE(surface);
  std::vector<Transform> transforms = world.transforms(*rod);
  std::vector<float> matrices(16 * 5);
  EXPECT_FALSE(surface->joint_matrices(transforms, std::span(matrices).first(79)));
  transforms.pop_back();
  EXPECT_EQ(surface->follow(transforms).vertices, 0u);
  EXPECT_FALSE(surface->joint_matrices(transforms, matrices));
}

TEST(PlantSurface, DetailThatMakesNoSenseIsRefused) {
  World world;
  ASSERT_TRUE(world.add({.file = THIGMO_SOURCE_DIR "/gallery/plants/grass.lsys"}));
  const Outcome<PlantSurface> surface = world.surface(world.plant(0), {.sides = 2});
  ASSERT_FALSE(surface);
  EXPECT_NE(surface.error().find("2 sides"), std::string::npos);
}

}  // namespace
}  // namespace thigmo::plant_surface_test
