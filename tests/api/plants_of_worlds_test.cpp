#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "material/species.h"
#include "thigmo/world.h"

namespace thigmo::plants_of_worlds_test {
namespace {

// A stem of 20 segments, 2 m high and 2 cm thick.
GrammarPlant plain_stem() {
  std::string axiom = "Axiom: !(0.02)";
  for (int i = 0; i < 20; ++i) axiom += "F(0.1)";
  return {.text = axiom + "\nderivation length: 0\n"};
}

// Plants are numbered from 0, and a world has the segments of all of them.
TEST(PlantsOfWorlds, AreNumberedAndCounted) {
  World world;
  EXPECT_EQ(world.plant_count(), 0u);
  EXPECT_EQ(world.segment_count(), 0u);
  for (std::size_t i = 0; i < 3; ++i) {
    const Outcome<PlantId> number = world.add(plain_stem());
    ASSERT_TRUE(number) << number.error();
    EXPECT_EQ(*number, world.plant(i));
    EXPECT_EQ(world.transforms(world.plant(i)).size(), 20u);
  }
  EXPECT_EQ(world.plant_count(), 3u);
  EXPECT_EQ(world.segment_count(), 60u);
}

// A plant that stands elsewhere is the same plant, moved.
TEST(PlantsOfWorlds, StandWhereTheyArePut) {
  World world;
  GrammarPlant plant = plain_stem();
  ASSERT_TRUE(world.add(plant));
  plant.position = {3, 0.5, -2};
  ASSERT_TRUE(world.add(plant));
  const std::vector<Transform> here = world.transforms(world.plant(0)),
                               there = world.transforms(world.plant(1));
  EXPECT_EQ(there.front().position, (Numbers3{3, 0.5, -2}));
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      // Sums of up to three metres round by 4e-16 of that each, over twenty segments.
      EXPECT_NEAR(there[i].position[k] - here[i].position[k], plant.position[k], 2e-14);
    }
    EXPECT_EQ(here[i].rotation, there[i].rotation);
  }
}

// Steps, seed and constants reach the grammar: the string's length is known by hand.
TEST(PlantsOfWorlds, TakeStepsAndConstants) {
  const std::string grammar = "#define LENGTH 0.1\nAxiom: !(0.02)F(LENGTH)\nF(l) --> F(l)F(l)\n";
  World world;
  ASSERT_TRUE(world.add({.steps = 3, .text = grammar}));
  ASSERT_TRUE(world.add({.steps = 5, .text = grammar}));
  ASSERT_TRUE(world.add({.steps = 3, .parameters = {{"LENGTH", 0.3}}, .text = grammar}));
  EXPECT_EQ(world.transforms(world.plant(0)).size(), 8u);
  EXPECT_EQ(world.transforms(world.plant(1)).size(), 32u);
  EXPECT_NEAR(world.transforms(world.plant(0)).back().position[1], 0.7, 1e-12);
  EXPECT_NEAR(world.transforms(world.plant(2)).back().position[1], 2.1, 1e-12);
}

TEST(PlantsOfWorlds, GrowBySeed) {
  const std::string grammar =
      "Axiom: !(0.02)A\nA --> F(0.1)A : 1\nA --> +F(0.1)A : 1\nderivation length: 12\n";
  World world;
  for (const std::uint64_t seed : {1u, 1u, 2u}) {
    const Outcome<PlantId> added = world.add({.seed = seed, .text = grammar});
    ASSERT_TRUE(added) << added.error();
  }
  const auto tip = [&](std::size_t i) { return world.transforms(world.plant(i)).back().position; };
  EXPECT_EQ(tip(0), tip(1));
  EXPECT_NE(tip(0), tip(2));
}

// Of one shape the frequencies are as sqrt(E / rho): bending alone, which no shear modulus enters.
TEST(PlantsOfWorlds, AreMadeOfTheirSpecies) {
  World world;
  const auto frequency_of = [&](const char* species) {
    GrammarPlant plant = plain_stem();
    plant.species = species;
    const Outcome<PlantId> number = world.add(plant);
    EXPECT_TRUE(number) << (number ? "" : number.error());
    return world.first_frequency(number ? *number : PlantId{});
  };
  const Species *oak = find_species("oak"), *other = &all_species().front();
  if (other == oak) other = &all_species().back();
  const double expected = std::sqrt(oak->young / oak->density * other->density / other->young);
  const double oaks = frequency_of("oak");
  EXPECT_NEAR(oaks / frequency_of(std::string(other->name).c_str()), expected, 1e-6 * expected);
  EXPECT_EQ(frequency_of(""), oaks);  // oak where neither grammar nor caller says what
}

// The closed form of a clamped beam, f = 1.8751² / (2π L²) sqrt(E I / (rho A)) with I/A = r²/4; twenty
// segments converge at second order, 1/20² and some.
TEST(PlantsOfWorlds, HaveTheFrequencyOfTheirBeam) {
  World world;
  GrammarPlant plant = plain_stem();
  plant.species = "oak";
  ASSERT_TRUE(world.add(plant));
  const Species* oak = find_species("oak");
  const double beam = 1.875104 * 1.875104 / (2 * std::numbers::pi * 4) *
                      std::sqrt(oak->young * 0.01 * 0.01 / (4 * oak->density));
  EXPECT_NEAR(world.first_frequency(world.plant(0)) / beam, 1, 5e-3);
  // Its own weight presses an upright stem and slows its sway.
  EXPECT_LT(world.sway_frequency(world.plant(0)), world.first_frequency(world.plant(0)));
  EXPECT_GT(world.sway_frequency(world.plant(0)), 0.5 * world.first_frequency(world.plant(0)));
  // A scheme of second order: half the step, a quarter of the error, up to the next order.
  const double whole = world.frequency_error(world.plant(0), 0.02),
               half = world.frequency_error(world.plant(0), 0.01);
  EXPECT_LT(whole, 0);
  EXPECT_NEAR(whole / half, 4, 0.3);
}

// A failure is a value, says where and what to do, and leaves the world as it was.
TEST(PlantsOfWorlds, FailuresAreValues) {
  World world;
  ASSERT_TRUE(world.add(plain_stem()));
  const std::uint64_t before = world.state_hash();
  const auto words = [&](const GrammarPlant& plant) {
    const Outcome<PlantId> added = world.add(plant);
    EXPECT_FALSE(added);
    return added ? std::string() : added.error();
  };
  EXPECT_NE(words({.file = "/no/such/plant.lsys"}).find("/no/such/plant.lsys"), std::string::npos);
  EXPECT_NE(words({.species = "oakk", .text = "Axiom: F\n"}).find("did you mean 'oak'?"),
            std::string::npos);
  EXPECT_NE(words({.text = "Axiom: A\n"}).find("draws no segment"), std::string::npos);
  EXPECT_EQ(world.plant_count(), 1u);
  EXPECT_EQ(world.state_hash(), before);
  const Outcome<PlantId> broken =
      world.add({.file = "broken.lsys", .text = "Axiom: F\nF --> F(1\n"});
  ASSERT_FALSE(broken);
  ASSERT_FALSE(broken.diagnostics().empty());
  EXPECT_EQ(broken.diagnostics().front().file, "broken.lsys");
  EXPECT_EQ(broken.diagnostics().front().line, 2);
  EXPECT_EQ(broken.error(), to_string(broken.diagnostics()));
}

// What cannot say that there is no such plant gives nothing, or what is no number.
TEST(PlantsOfWorlds, NamesOfNoPlantGiveNothing) {
  World world;
  EXPECT_TRUE(world.transforms(world.plant(0)).empty());
  EXPECT_TRUE(std::isnan(world.first_frequency(world.plant(0))));
  EXPECT_TRUE(std::isnan(world.sway_frequency(world.plant(3))));
  EXPECT_TRUE(std::isnan(world.air_velocity(world.plant(0), {0, 0, 0})[0]));
  EXPECT_FALSE(world.segments(world.plant(0)));
  EXPECT_FALSE(world.momentum(PlantId{}));
  const Outcome<PlantSurface> none = world.surface(world.plant(0));
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("no plant"), std::string::npos);
}

}  // namespace
}  // namespace thigmo::plants_of_worlds_test
