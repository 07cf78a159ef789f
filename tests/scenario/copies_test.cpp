// A copy of a simulation is a future of its own: it has the states and shares the models.

#include <gtest/gtest.h>

#include "base/hash.h"
#include "scenario/make_simulation.h"
#include "simulation/set_wind.h"
#include "simulation/simulation.h"

namespace thigmo::copies_test {
namespace {

constexpr double frame = 1.0 / 60;

constexpr const char* herb = R"(
derivation length: 5
Axiom: !(0.01)F(0.3)A
A --> !(0.006)F(0.2)[+(35)F(0.15)~l(0.05)]/(90)[&(50)F(0.1)A]
)";

Simulation make(const std::string& text) {
  const Result<Scenario> scenario = parse_scenario("test.toml", text);
  EXPECT_TRUE(scenario) << (scenario ? "" : to_string(scenario.diagnostics()));
  Result<Simulation> simulation = make_simulation(
      *scenario, [](std::string_view) -> Result<std::string> { return std::string(herb); });
  EXPECT_TRUE(simulation) << (simulation ? "" : to_string(simulation.diagnostics()));
  return std::move(*simulation);
}

void run(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) step(simulation, frame, 1);
  EXPECT_TRUE(simulation.finite);
}

constexpr const char* windy =
    "[ground]\n[wind]\nkind = \"gusty\"\nmean = [5, 0, 1]\n"
    "[[plant]]\nname = \"h\"\ngrammar = \"herb\"\n"
    "positions = [[0, 0, 0], [3, 0, 2], [-2, 0, 1]]\nturns = [0, 40, 80]\n"
    "[[grab]]\nplant = \"h.1\"\nstiffness = 50\ndamping = 1\n"
    "keys = [[0, 0, 0, 0], [1, 0.1, 0, 0]]\nrelease = 0.8\n";

// The last bit: what one of them does afterwards is nothing to the other.
TEST(Copies, GoApartWithoutTouchingEachOther) {
  Simulation alone = make(windy), copied = make(windy);
  run(alone, 20);
  run(copied, 20);
  Simulation other = copied;
  ASSERT_EQ(state_hash(other), state_hash(alone));
  set_wind(make_wind({.kind = WindKind::uniform, .mean_world = {-9, 0, 0}}), 0, other);
  for (SimulatedPlant& plant : other.plants) plant.state.root.hold = RootHold::free;
  for (int i = 0; i < 40; ++i) {
    step(other, frame, 1);
    step(copied, frame, 1);
    step(alone, frame, 1);
    ASSERT_EQ(state_hash(copied), state_hash(alone)) << i;
  }
  EXPECT_NE(state_hash(other), state_hash(alone));
  EXPECT_LT(other.plants[0].state.root.position_world.x, -0.01);  // blown away
}

// A copy goes on with the bits of what it was copied from, gusts and grabs and all.
TEST(Copies, GoOnWithTheSameBits) {
  Simulation first = make(windy);
  run(first, 30);
  Simulation copy = first;
  run(first, 30);
  run(copy, 30);
  EXPECT_EQ(state_hash(copy), state_hash(first));
}

// Where the original is gone its models are not.
TEST(Copies, OutliveTheirOriginal) {
  Simulation expected = make(windy);
  run(expected, 30);
  std::optional<Simulation> original = make(windy);
  run(*original, 10);
  Simulation copy = *original;
  original.reset();
  run(copy, 20);
  EXPECT_EQ(state_hash(copy), state_hash(expected));
}

// Of N equal plants and their copies there is one model, and air that is brought to one of the copies gives
// that one a model of its own.
TEST(Copies, ShareTheirModels) {
  const Simulation still = make(
      "[[plant]]\ngrammar = \"herb\"\n"
      "scatter = { count = 50, from = [0, 0, 0], to = [90, 0, 90] }\n");
  const PlantModel* model = still.plants[0].model.get();
  ASSERT_EQ(still.plants.size(), 50u);
  EXPECT_EQ(still.plants[0].model.use_count(), 50);
  Simulation copy = still;
  EXPECT_EQ(still.plants[0].model.use_count(), 100);
  EXPECT_EQ(copy.plants[49].workspace.model, model->step_model);
  set_wind(make_wind({.kind = WindKind::uniform, .mean_world = {4, 0, 0}}), 0, copy);
  EXPECT_EQ(still.plants[0].model.use_count(), 50);
  EXPECT_EQ(still.plants[0].model.get(), model);
  EXPECT_EQ(copy.plants[0].model, copy.plants[49].model);
  EXPECT_EQ(model->mechanism.body[0].drag_across, 0.0F);
  EXPECT_GT(copy.plants[0].model->mechanism.body[0].drag_across, 0.0F);
}

}  // namespace
}  // namespace thigmo::copies_test
