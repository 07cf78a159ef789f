#include <gtest/gtest.h>

#include <cmath>

#include "thigmo/thigmo.h"

namespace thigmo::world_test {
namespace {

const std::string tree = std::string(THIGMO_SOURCE_DIR) + "/gallery/plants/young_tree.lsys";
constexpr double dt = 1.0 / 240;

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(world.step(dt));
}

// Wind and plants may come in any order.
TEST(World, WindBlowsAroundPlantsThatWereThereBefore) {
  const GustyWind wind{.mean = {9, 0, 2}, .intensity = 0.3, .seed = 5};
  World before, after;
  before.set_wind(wind);
  for (World* world : {&before, &after}) {
    ASSERT_TRUE(world->add({.file = tree}));
    ASSERT_TRUE(world->add({.file = tree, .position = {3, 0, 1}}));
  }
  after.set_wind(wind);
  run(before, 120);
  run(after, 120);
  EXPECT_EQ(before.state_hash(), after.state_hash());
}

// A wind that comes up later wakes a plant that has come to rest, and one that ends lets it return.
TEST(World, WindMayChangeAsItRuns) {
  World world;
  const Outcome<PlantId> plant = world.add({.file = tree});
  ASSERT_TRUE(plant);
  run(world, 240);
  const auto tip = [&] { return world.transforms(*plant).back().position; };
  const Numbers3 still = tip();
  world.set_wind({.mean = {10, 0, 0}});
  run(world, 240);
  const double leaned = tip()[0] - still[0];
  EXPECT_GT(leaned, 0.01);
  world.set_wind({.mean = {-10, 0, 0}});
  run(world, 480);
  EXPECT_LT(tip()[0] - still[0], -0.3 * leaned);
}

// The drag that a scenario gives its air stays with a new wind.
TEST(World, ScenarioKeepsItsAir) {
  const auto lean = [](const char* air) {
    Outcome<World> world = parse_world(
        std::string("[[plant]]\nname = \"rod\"\nkind = \"rod\"\nsegments = 8\nlength = 1\n"
                    "radius = 0.003\nyoung = 5e9\ndensity = 500\ndamping_ratio = 0.3\n"
                    "[wind]\nkind = \"uniform\"\nmean = [0.1, 0, 0]\n") +
            air + "[[probe]]\nname = \"tip\"\nplant = \"rod\"\nat = \"tip\"\n",
        ".");
    EXPECT_TRUE(world) << (world ? "" : world.error());
    world->set_wind({.mean = {8, 0, 0}});
    run(*world, 720);
    return world->probes()[0].position[0];
  };
  const double thin = lean("air_density = 0.6\n"), thick = lean("air_density = 1.2\n");
  EXPECT_GT(thin, 0.001);
  EXPECT_NEAR(thick / thin, 2, 0.1);
}

// What is no wind is refused, and what blew before goes on.
TEST(World, WindsThatAreNoneAreRefused) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  World world, other;
  for (World* w : {&world, &other}) {
    ASSERT_TRUE(w->add({.file = tree}));
    EXPECT_TRUE(w->set_wind({.mean = {6, 0, 0}}));
  }
  for (const GustyWind& wind :
       {GustyWind{.mean = {1e300, 0, 0}}, GustyWind{.mean = {0, 10'001, 0}},
        GustyWind{.mean = {nan, 0, 0}}, GustyWind{.mean = {6, 0, 0}, .intensity = nan},
        GustyWind{.mean = {6, 0, 0}, .intensity = -1},
        GustyWind{.mean = {6, 0, 0}, .length_scale = 0},
        GustyWind{.mean = {6, 0, 0}, .length_scale = inf},
        GustyWind{.mean = {6, 0, 0}, .decay = -1}}) {
    const Outcome<Done> set = world.set_wind(wind);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.diagnostics().front().severity, Severity::error);
    EXPECT_EQ(set.diagnostics().front().trouble, Trouble::argument);
  }
  run(world, 30);
  run(other, 30);
  EXPECT_EQ(world.transforms(world.plant(0)).back().position,
            other.transforms(other.plant(0)).back().position);
}

// An account that is kept goes on where the first wind comes up.
TEST(World, WindLeavesTheAccountAsItIs) {
  World world;
  ASSERT_TRUE(world.add({.file = tree}));
  world.keep_account();
  world.set_wind({.mean = {10, 0, 0}});
  run(world, 60);
  EXPECT_GT(world.account().by_air, 0);
}

TEST(World, TextsIncludeFilesOfTheirFolderOnly) {
  World world;
  EXPECT_TRUE(world.add({.text = "Axiom: F\n"}));
  const Outcome<PlantId> outside =
      world.add({.text = "#include \"../../../../../etc/hostname\"\nAxiom: F\n"});
  ASSERT_FALSE(outside);
  EXPECT_NE(outside.error().find("folder"), std::string::npos) << outside.error();
  const Outcome<PlantId> nothing = world.add(GrammarPlant{});
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().find("neither a file nor a text"), std::string::npos);
  EXPECT_FALSE(world.surface(world.plant(7)));
}

}  // namespace
}  // namespace thigmo::world_test
