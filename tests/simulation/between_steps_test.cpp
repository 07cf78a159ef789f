#include "simulation/between_steps.h"
#include "scenario/make_simulation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace thigmo::between_steps_test {
namespace {

Simulation rod_in_motion(const char* extra = "") {
  const std::string text = std::string(R"(
duration = 1
step = 0.01
gravity = [0, -9.81, 0]
[[plant]]
kind = "rod"
segments = 8
length = 1
radius = 0.01
direction = [1, 0, 0]
start = "rest"
young = 1e8
)") + extra;
  Result<Scenario> scenario = parse_scenario("rod.toml", text);
  EXPECT_TRUE(scenario) << to_string(scenario.diagnostics());
  Result<Simulation> simulation = make_simulation(
      *scenario, [](std::string_view) -> Result<std::string> { return error("no files"); });
  EXPECT_TRUE(simulation);
  return std::move(*simulation);
}

double largest_gap(const Pose& a, const Pose& b) {
  double gap = 0;
  for (std::size_t i = 0; i < a.base_world.size(); ++i) {
    gap = std::max(gap, length(a.base_world[i] - b.base_world[i]));
    gap = std::max(
        gap, length(log_rotation(conjugate(a.world_from_segment[i]) * b.world_from_segment[i])));
  }
  return gap;
}

// A pose of step k, found from the steps k - 1 and k + 1 of a step twice as long. The error of a cubic
// is x⁗ (2 dt)⁴/384 in its middle, a sixteenth for half the step.
TEST(BetweenSteps, PosesAreOfFourthOrder) {
  for (const char* extra :
       {"", "[[motion]]\nwave = [{ amplitude = [0.2, 0, 0], frequency = 1.0 }]\n"}) {
    double gap[2] = {};
    for (int fine = 0; fine < 2; ++fine) {
      Simulation simulation = rod_in_motion(extra);
      const double dt = fine ? 0.0025 : 0.005;
      for (int i = 0; i < (fine ? 60 : 30); ++i) step(simulation, dt, 1);
      StepBegin begin;
      keep(simulation, begin);
      step(simulation, dt, 1);
      std::vector<Pose> exact, between;
      poses_at(simulation, {}, simulation.time, exact);
      const double middle = simulation.time;
      step(simulation, dt, 1);
      poses_at(simulation, begin, middle, between);
      gap[fine] = largest_gap(exact[0], between[0]);
    }
    EXPECT_LT(gap[0], 2e-4) << extra;
    EXPECT_LT(gap[1], gap[0] / 6) << extra;
  }
}

TEST(BetweenSteps, EndsAreTheStepsThemselves) {
  Simulation simulation = rod_in_motion();
  for (int i = 0; i < 20; ++i) step(simulation, 0.01, 1);
  StepBegin begin;
  keep(simulation, begin);
  std::vector<Pose> first, last, poses;
  poses_at(simulation, {}, simulation.time, first);
  step(simulation, 0.01, 1);
  poses_at(simulation, {}, simulation.time, last);
  poses_at(simulation, begin, begin.time, poses);
  EXPECT_LT(largest_gap(first[0], poses[0]), 1e-12);
  poses_at(simulation, begin, simulation.time, poses);
  EXPECT_LT(largest_gap(last[0], poses[0]), 1e-15);
  EXPECT_GT(largest_gap(first[0], last[0]), 1e-3);
}

}  // namespace
}  // namespace thigmo::between_steps_test
