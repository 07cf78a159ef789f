#include <gtest/gtest.h>

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

TEST(PlantSurface, DetailThatMakesNoSenseIsRefused) {
  World world;
  ASSERT_TRUE(world.add({.file = THIGMO_SOURCE_DIR "/gallery/plants/grass.lsys"}));
  const Outcome<PlantSurface> surface = world.surface(world.plant(0), {.sides = 2});
  ASSERT_FALSE(surface);
  EXPECT_NE(surface.error().find("2 sides"), std::string::npos);
}

}  // namespace
}  // namespace thigmo::plant_surface_test
