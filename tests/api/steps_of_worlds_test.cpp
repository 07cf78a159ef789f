#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "thigmo/world.h"

namespace thigmo::steps_of_worlds_test {
namespace {

const std::string tree = std::string(THIGMO_SOURCE_DIR) + "/gallery/plants/young_tree.lsys";
constexpr double dt = 1.0 / 120;

World windy_grove() {
  World world;
  world.set_wind({.mean = {8, 0, 1}, .intensity = 0.3, .seed = 3});
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(world.add({.file = tree, .position = {2.5 * i, 0, 0.5 * i}}));
  }
  return world;
}

double total(const Energies& energies) {
  return energies.kinetic + energies.elastic + energies.gravitational;
}

TEST(StepsOfWorlds, HaveTheSameBitsForAnyNumberOfThreads) {
  World alone = windy_grove(), together = windy_grove();
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(alone.step(dt, 1));
    ASSERT_TRUE(together.step(dt, 1 + i % 4));
  }
  EXPECT_EQ(alone.state_hash(), together.state_hash());
  EXPECT_NE(alone.state_hash(), windy_grove().state_hash());
}

// Time is the sum of the steps; an empty world has time too.
TEST(StepsOfWorlds, AddUpToTime) {
  World empty, grove = windy_grove();
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(empty.step(0.125));
    ASSERT_TRUE(grove.step(0.0078125));
  }
  EXPECT_EQ(empty.time(), 1.0);
  EXPECT_EQ(grove.time(), 0.0625);
  EXPECT_EQ(empty.energies().kinetic, 0);
  EXPECT_EQ(empty.state_hash(), World().state_hash());
}

// A plant starts in the pose that its weight holds it in: without wind nothing moves.
TEST(StepsOfWorlds, LeaveAPlantInStillAirWhereItIs) {
  World world;
  ASSERT_TRUE(world.add({.file = tree}));
  const std::vector<Transform> before = world.transforms(world.plant(0));
  const double gravitational = world.energies().gravitational;
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(dt));
  const std::vector<Transform> after = world.transforms(world.plant(0));
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      // The pose is balanced to some 1e-9 of the largest torque.
      EXPECT_NEAR(after[i].position[k], before[i].position[k], 1e-6);
    }
  }
  EXPECT_LT(world.energies().kinetic, 1e-9 * std::abs(gravitational));
  EXPECT_EQ(world.rejected_steps(), 0);
  EXPECT_EQ(world.braked_joints(), 0);
  EXPECT_EQ(world.coarse_steps(), 0);
}

// Rotations stay unit quaternions, and roots where they were put.
TEST(StepsOfWorlds, KeepTransformsWhole) {
  World world = windy_grove();
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(dt));
  EXPECT_GE(world.substeps(), 1);
  for (std::size_t plant = 0; plant < world.plant_count(); ++plant) {
    for (const auto& [position, q] : world.transforms(world.plant(plant))) {
      EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-9);
      for (const double x : position) EXPECT_TRUE(std::isfinite(x));
    }
    EXPECT_NEAR(world.transforms(world.plant(plant))[0].position[0],
                2.5 * static_cast<double>(plant), 1e-12);
  }
}

// What is stored is what works brought and losses left: the account closes, and what it cannot name is
// small beside what the air did.
TEST(StepsOfWorlds, KeepAnAccountThatCloses) {
  World world = windy_grove();
  EXPECT_EQ(world.account().by_air, 0);
  const double before = total(world.energies());
  world.keep_account();
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world.step(dt));
  const EnergyWorks a = world.account();
  const double gained = total(world.energies()) - before;
  const double named = a.by_air + a.by_loads + a.by_ground + a.by_base - a.lost_in_joints -
                       a.lost_by_mass - a.numerical;
  EXPECT_NEAR(gained, named, 1e-9 * std::abs(before));
  EXPECT_GT(a.by_air, 0);
  EXPECT_GT(a.lost_in_joints, 0);
  EXPECT_EQ(a.by_loads, 0);
  EXPECT_EQ(a.by_ground, 0);
  EXPECT_EQ(a.by_base, 0);
  // The scheme damps what is too fast for the step, twigs above all.
  EXPECT_LT(std::abs(a.numerical), 0.5 * a.by_air);
}

// To keep an account changes no motion.
TEST(StepsOfWorlds, MoveTheSameWithAnAccount) {
  World plain = windy_grove(), kept = windy_grove();
  kept.keep_account();
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(plain.step(dt));
    ASSERT_TRUE(kept.step(dt));
  }
  EXPECT_EQ(plain.state_hash(), kept.state_hash());
}

// A world that was moved goes on where it was.
TEST(StepsOfWorlds, GoOnInAMovedWorld) {
  World stays = windy_grove(), first = windy_grove();
  for (World* world : {&stays, &first}) {
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(world->step(dt));
  }
  World second = std::move(first);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(stays.step(dt));
    ASSERT_TRUE(second.step(dt));
  }
  World third;
  third = std::move(second);
  EXPECT_EQ(third.state_hash(), stays.state_hash());
  EXPECT_EQ(third.time(), stays.time());
  first = World();  // what was moved from can be used again
  EXPECT_EQ(first.plant_count(), 0u);
}

// The air is still until a wind blows; a uniform one is the same everywhere.
TEST(StepsOfWorlds, AirMovesWithTheWind) {
  World world;
  ASSERT_TRUE(world.add({.file = tree}));
  ASSERT_TRUE(world.step(dt));
  EXPECT_EQ(world.air_velocity(world.plant(0), {0, 1, 0}), (Numbers3{0, 0, 0}));
  ASSERT_TRUE(world.set_wind({.mean = {4, 0, -3}, .intensity = 0, .ease = 0}));
  ASSERT_TRUE(world.step(dt));
  for (const double height : {0.1, 1.0, 2.0}) {
    const Numbers3 air = world.air_velocity(world.plant(0), {0, height, 0});
    EXPECT_NEAR(air[0], 4, 1e-12);
    EXPECT_NEAR(air[1], 0, 1e-12);
    EXPECT_NEAR(air[2], -3, 1e-12);
  }
}

// Surfaces of detail that needs files are refused here, with the way to make them.
TEST(StepsOfWorlds, SurfacesReadNoFiles) {
  World world;
  ASSERT_TRUE(world.add({.file = tree}));
  const Outcome<PlantSurface> surface =
      world.surface(world.plant(0), {.organs = {{.kind = "leaf", .file = "leaf.obj"}}});
  ASSERT_FALSE(surface);
  EXPECT_NE(surface.error().find("leaf.obj"), std::string::npos);
  EXPECT_NE(surface.error().find("surface_with_organs"), std::string::npos);
}

// A surface outlives its world, and moves as an object.
TEST(StepsOfWorlds, SurfacesOutliveTheirWorld) {
  std::vector<Transform> pose;
  const auto make = [&] {
    World world;
    EXPECT_TRUE(world.add({.file = tree}));
    pose = world.transforms(world.plant(0));
    Outcome<PlantSurface> surface = world.surface(world.plant(0), {.sides = 5});
    EXPECT_TRUE(surface);
    return std::move(*surface);
  };
  PlantSurface surface = make();
  PlantSurface moved = std::move(surface);
  const PlantSurface::Shape shape = moved.follow(pose);
  EXPECT_EQ(3 * shape.vertices, moved.at_rest().positions.size());
  for (const std::uint32_t index : moved.at_rest().indices) ASSERT_LT(index, shape.vertices);
}

// What could not be moved on does not end the world: without it all else goes on. A ground far above the root of a
// bush is beyond what its joints can give.
TEST(StepsOfWorlds, GoOnWithoutAPlantThatStopped) {
  World world;
  const auto bush = world.add(GrammarPlant{
      .species = "oak",
      .text = "derivation length: 5\nAxiom: !(0.05)A(0.4)\nA(s) --> !(s * 0.08)F(s)[&(35)A(s * "
              "0.8)][/(120)&(35)A(s * 0.8)]/(240)&(35)A(s * 0.7)\n"});
  const auto rod = world.add(RodPlant{.position = {5, 2, 0}});
  ASSERT_TRUE(bush && rod);
  ASSERT_TRUE(world.step(dt));
  ASSERT_TRUE(world.set_ground(LevelGround{.height = 2}));
  bool stopped = false;
  for (int i = 0; i < 120 && !stopped; ++i) stopped = !world.step(dt);
  ASSERT_TRUE(stopped);
  ASSERT_TRUE(world.remove(*bush));
  EXPECT_TRUE(world.step(dt));
  EXPECT_TRUE(std::isfinite(world.transforms(*rod).back().position[1]));
}

TEST(StepsOfWorlds, NumbersBeyondReckoningAreRefused) {
  World world;
  const auto rod = world.add(RodPlant{});
  ASSERT_TRUE(rod);
  EXPECT_FALSE(world.add_instances(*rod, std::vector<Placing>{{.turn = 1e155}}));
  EXPECT_FALSE(world.set_gravity({0, -1e156, 0}));
  EXPECT_FALSE(world.step(dt, Jobs{.threads = -3}));
  EXPECT_TRUE(std::isnan(world.frequency_error(*rod, -1)));
  EXPECT_TRUE(std::isnan(world.frequency_error(PlantId{}, dt)));
  EXPECT_TRUE(world.step(dt));
}

}  // namespace
}  // namespace thigmo::steps_of_worlds_test
