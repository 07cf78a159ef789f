#include <gtest/gtest.h>

#include "simulation/simulation.h"

namespace thigmo {
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
  const Pose before = pose_of(plant.mechanism, plant.state);
  double largest = 0;
  for (int i = 0; i < 600; ++i) {
    step(*simulation, 1.0 / 60, 1);
    const Pose now = pose_of(plant.mechanism, plant.state);
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

}  // namespace
}  // namespace thigmo
