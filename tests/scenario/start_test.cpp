#include <gtest/gtest.h>

#include <cmath>

#include "scenario/make_simulation.h"
#include "scenario/simulation_start.h"

namespace thigmo::start_test {
namespace {

// The largest way that any segment's base goes in ten seconds of still air, over the height.
double largest_move(const std::string& start) {
  const std::string text =
      "duration = 10.0\n[[plant]]\nkind = \"rod\"\nsegments = 30\nradius = 0.004\nlength = 1.0\n"
      "direction = [1, 1, 0]\ncurvature = [0.4, 0.2, 0.0]\n" +
      start;
  const Result<Scenario> scenario = parse_scenario("start.toml", text);
  EXPECT_TRUE(scenario);
  Result<Simulation> simulation = make_simulation(
      *scenario, [](std::string_view) -> Result<std::string> { return error("no files"); });
  EXPECT_TRUE(simulation);
  SimulatedPlant& plant = simulation->plants[0];
  const Pose before = pose_of(plant.model->mechanism, plant.state);
  double largest = 0;
  for (int i = 0; i < 600; ++i) {
    step(*simulation, 1.0 / 60, 1);
    const Pose now = pose_of(plant.model->mechanism, plant.state);
    for (std::size_t k = 0; k < now.base_world.size(); ++k) {
      largest = std::max(largest, length(now.base_world[k] - before.base_world[k]));
    }
  }
  return largest;
}

// A plant that starts in equilibrium does not move, however it came there; one at rest sags.
TEST(Start, PlantsInEquilibriumStay) {
  EXPECT_LT(largest_move("start = \"modelled-pose-is-equilibrium\"\n"), 1e-9);
  EXPECT_LT(largest_move("start = \"equilibrium\"\n"), 1e-9);
  EXPECT_GT(largest_move("start = \"rest\"\n"), 1e-3);
}

// Notes on a rod of 1 cm that stands or leans. Greenhill 1881: a uniform rod stands up to
// L³ = 7.8373 E I / (ρ g A).
Diagnostics notes_on_rod(const std::string& keys) {
  const Result<Scenario> scenario =
      parse_scenario("start.toml",
                     "duration = 1.0\n[[plant]]\nname = \"pole\"\nkind = \"rod\"\nsegments = 60\n"
                     "radius = 0.005\nyoung = 8e9\ndensity = 800\n" +
                         keys);
  EXPECT_TRUE(scenario);
  Result<Simulation> simulation = make_simulation(
      *scenario, [](std::string_view) -> Result<std::string> { return error("no files"); });
  EXPECT_TRUE(simulation);
  warn_of_pencils(*scenario, *simulation);
  return simulation->notes;
}

TEST(Start, RodsThatStandLikePencilsAreWarnedOf) {
  // (7.8373 · 8e9 · r²/4 / (800 · 9.81))^(1/3)
  const double tallest = std::cbrt(7.8373 * 8e9 * 0.005 * 0.005 / 4 / (800 * 9.81));
  const auto rod = [&](double part, const char* direction) {
    return "length = " + std::to_string(part * tallest) + "\ndirection = " + direction + "\n";
  };
  EXPECT_TRUE(notes_on_rod(rod(0.98, "[0, 1, 0]")).empty());
  const Diagnostics tall = notes_on_rod(rod(1.02, "[0, 1, 0]"));
  ASSERT_EQ(tall.size(), 1u);
  EXPECT_TRUE(tall[0].message.starts_with("the plant 'pole' stands straight up like a pencil"))
      << tall[0].message;
  EXPECT_EQ(tall[0].severity, Severity::warning);
  EXPECT_FALSE(tall[0].hint.empty());
  // It leans, hangs, or is thrown: that is seen.
  EXPECT_TRUE(notes_on_rod(rod(1.02, "[0.01, 1, 0]")).empty());
  EXPECT_TRUE(notes_on_rod(rod(1.02, "[0, -1, 0]")).empty());
  EXPECT_TRUE(notes_on_rod(rod(1.02, "[0, 1, 0]") + "root = \"free\"\n").empty());
}

}  // namespace
}  // namespace thigmo::start_test
