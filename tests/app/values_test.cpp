// What segments are coloured by says what the plant feels, wherever its root is and however it moves.

#include "app/values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scenario/make_simulation.h"

namespace thigmo::values_test {
namespace {

Simulation make(const std::string& text) {
  const Result<Scenario> scenario = parse_scenario("test.toml", text);
  EXPECT_TRUE(scenario) << (scenario ? "" : to_string(scenario.diagnostics()));
  Result<Simulation> simulation = make_simulation(
      *scenario, [](std::string_view) -> Result<std::string> { return std::string(); });
  EXPECT_TRUE(simulation) << (simulation ? "" : to_string(simulation.diagnostics()));
  return std::move(*simulation);
}

double largest(const std::string& value, const Simulation& simulation) {
  const SimulatedPlant& plant = simulation.plants[0];
  const Pose pose = pose_of(plant.model->mechanism, plant.state);
  double most = 0;
  for (const double v : segment_values(value, plant.model->plant, plant.model->mechanism, pose,
                                       {.gravity_world = simulation.gravity_world})
                            .values) {
    most = std::max(most, std::abs(v));
  }
  return most;
}

// Without gravity a rod that is turned slowly by 60 degrees and stands still again is straight.
TEST(SegmentValues, OfARodWhoseRootIsTurnedAreThoseOfAStraightRod) {
  Simulation simulation = make(
      "gravity = [0, 0, 0]\n[[plant]]\nname = \"r\"\nkind = \"rod\"\n"
      "damping_ratio = 0.5\n[[motion]]\nplant = \"r\"\n"
      "keys = [[0, 0, 0, 0, 0, 0, 0], [20, 0, 0, 0, 60, 0, 0]]\n");
  for (int i = 0; i < 40 * 60; ++i) step(simulation, 1.0 / 60, 1);
  const Vec3 turned = log_rotation(simulation.plants[0].state.root.world_from_plant);
  ASSERT_NEAR(length(turned), std::numbers::pi / 3, 1e-9);
  EXPECT_LT(largest("bend", simulation), 0.01);     // [degrees]
  EXPECT_LT(largest("stress", simulation), 0.1);    // [MPa]
  EXPECT_LT(largest("bending", simulation), 0.01);  // [N m]
}

// A free rod that spins about its middle is stretched, not bent: its joints stay at rest.
TEST(SegmentValues, OfAFreeRodThatSpinsAreSmall) {
  Simulation simulation = make(
      "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nroot = \"free\"\n"
      "length = 1\nvelocity = [0, 0, -0.5]\nspin = [1, 0, 0]\n");
  double most = 0;
  for (int i = 0; i < 180; ++i) {
    step(simulation, 1.0 / 60, 1);
    most = std::max(most, largest("stress", simulation));
  }
  EXPECT_GT(length(log_rotation(simulation.plants[0].state.root.world_from_plant)), 0.5);
  // Of bending, in MPa: a hundredth of its tension in the middle, ρ ω² L²/8.
  EXPECT_LT(most, 1e-6);
}

}  // namespace
}  // namespace thigmo::values_test
