// Trees from files in worlds: what was written is read back and moves as before.

#include <gtest/gtest.h>

#include <cmath>

#include "support/scratch.h"
#include "thigmo/thigmo.h"

namespace thigmo::load_world_test {
namespace {

class ReadPlant : public Scratch {};

constexpr const char* rod = "Axiom: !(0.02)F(0.2)F(0.2)F(0.2)F(0.2)F(0.2)\nderivation length: 0\n";

TEST_F(ReadPlant, ATableMovesAsTheGrammarThatWroteIt) {
  const std::string grammar = write("rod.lsys", rod);
  const std::string table = path("rod.csv");
  const auto written = convert({.input = grammar, .output = table});
  ASSERT_TRUE(written) << written.error();
  Diagnostics notes;
  const Outcome<GrownPlant> back = read_plant({.file = table, .pieces = 1}, &notes);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->segment_count(), 5u);

  World world;
  const auto grown = world.add(GrammarPlant{.file = grammar, .species = "oak"});
  const auto again = world.add(*back, {.position = {3, 0, 0}});
  ASSERT_TRUE(grown && again);
  const double frequency = world.first_frequency(*grown);
  EXPECT_NEAR(world.first_frequency(*again), frequency, 1e-4 * frequency);  // digits of the table
  EXPECT_NEAR(world.momentum(*again)->mass, world.momentum(*grown)->mass, 1e-4);

  // Twice as large: eight times as heavy. Another wood has another density.
  const Outcome<GrownPlant> large = read_plant({.file = table, .species = "beech", .scale = 2});
  ASSERT_TRUE(large) << large.error();
  EXPECT_GE(large->segment_count(), 5u);
  const auto third = world.add(*large, {.position = {6, 0, 0}});
  ASSERT_TRUE(third);
  const auto materials = world.materials(*third);
  ASSERT_TRUE(materials);
  ASSERT_EQ(materials->size(), 1u);
  const double oak = world.materials(*again)->front().density;
  EXPECT_NEAR(world.momentum(*third)->mass * oak / materials->front().density,
              8 * world.momentum(*again)->mass, 1e-3);
}

TEST_F(ReadPlant, WhatCannotBeReadIsRefused) {
  EXPECT_FALSE(read_plant({.file = path("none.csv")}));
  EXPECT_FALSE(read_plant({.file = write("tree.txt2", "no tree")}));
  const std::string table = write("line.obj", "v 0 0 0\nv 0 1 0\nl 1 2\n");
  ASSERT_TRUE(read_plant({.file = table}));
  EXPECT_FALSE(read_plant({.file = table, .scale = std::nan("")}));
  EXPECT_FALSE(read_plant({.file = table, .scale = -1}));
  EXPECT_FALSE(read_plant({.file = table, .pieces = 0}));
  const auto unknown = read_plant({.file = table, .species = "oka"});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().find("oak"), std::string::npos);
}

}  // namespace
}  // namespace thigmo::load_world_test
