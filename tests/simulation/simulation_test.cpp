#include "simulation/simulation.h"
#include "simulation/advance.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>
#include <numbers>

#include "scenario/make_simulation.h"
#include "support/allocations.h"
#include "support/plants.h"

// The sanitizer has allocators of its own, so allocations are counted in the release build alone.
#ifndef __SANITIZE_ADDRESS__

std::atomic<long> thigmo::allocations{0}, thigmo::large_allocations{0},
    thigmo::large_allocation_that_fails{-1};
using thigmo::allocations;

// Every heap allocation of this program is counted; the law below looks at the difference.
// Not inlined: the compiler must not see that malloc's memory goes through delete.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (size >= thigmo::large_allocation &&
      ++thigmo::large_allocations == thigmo::large_allocation_that_fails) {
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif

namespace thigmo::simulation_test {
namespace {

Result<std::string> no_files(std::string_view path) {
  return error("no file " + std::string(path) + " in this test");
}

constexpr const char* windy_rods = R"(
duration = 1
[wind]
kind = "gusty"
mean = [6, 0, 0]
[[plant]]
name = "a"
kind = "rod"
segments = 40
radius = 0.004
[[plant]]
name = "b"
kind = "rod"
segments = 30
radius = 0.003
position = [1, 0, 0]
[[plant]]
name = "c"
kind = "rod"
segments = 5
radius = 0.002
[[force]]
plant = "b"
vector = [0, 0, 1]
start = 0.2
end = 0.5
[[probe]]
name = "tip"
plant = "b"
)";

Simulation make(const std::string& text) {
  const Result<Scenario> scenario = parse_scenario("test.toml", text);
  EXPECT_TRUE(scenario) << (scenario ? "" : to_string(scenario.diagnostics()));
  Result<Simulation> simulation = make_simulation(*scenario, no_files);
  EXPECT_TRUE(simulation) << (simulation ? "" : to_string(simulation.diagnostics()));
  return std::move(*simulation);
}

TEST(Simulation, SameBitsForAnyNumberOfThreads) {
  std::uint64_t expected = 0;
  for (int threads : {1, 1, 2, 4, 0}) {
    Simulation simulation = make(windy_rods);
    for (int i = 0; i < 120; ++i) step(simulation, 1.0 / 60, threads);
    if (expected == 0) expected = state_hash(simulation);
    EXPECT_EQ(state_hash(simulation), expected) << threads << " threads";
  }
}

TEST(Simulation, HashSeesOneBit) {
  Simulation simulation = make(windy_rods);
  const std::uint64_t before = state_hash(simulation);
  PerBody<Vec3>& velocity = simulation.plants[1].state.joint_velocity;
  velocity.set(3, velocity[3] + Vec3{0, 1e-300, 0});
  EXPECT_NE(state_hash(simulation), before);
}

#ifndef __SANITIZE_ADDRESS__
TEST(Simulation, StepsAllocateNothing) {
  Simulation simulation = make(windy_rods);
  step(simulation, 1.0 / 60, 1);
  const long before = allocations;
  for (int i = 0; i < 100; ++i) step(simulation, 1.0 / 60, 1);
  EXPECT_EQ(allocations - before, 0);
  // The counter itself works.
  { const std::vector<PointLoad> some(static_cast<std::size_t>(before % 7 + 1)); }
  EXPECT_GT(allocations - before, 0);
}

#endif

TEST(Simulation, ForcesActBetweenTheirTimes) {
  Simulation with = make(windy_rods);
  std::string text = windy_rods;
  text.erase(text.find("[[force]]"), text.find("[[probe]]") - text.find("[[force]]"));
  Simulation without = make(text);
  const auto difference = [&] {
    return length(probe_motion(with, with.probes[0]).position_world -
                  probe_motion(without, without.probes[0]).position_world);
  };
  const auto advance = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      step(with, 0.01, 1);
      step(without, 0.01, 1);
    }
  };
  advance(19);
  EXPECT_EQ(difference(), 0.0);
  advance(25);
  EXPECT_GT(difference(), 1e-3);
}

// However short against the step, a force gives its impulse: half the time, half the push.
TEST(Simulation, ShortForcesGiveTheirImpulse) {
  const auto speed_after = [](double end) {
    Simulation simulation = make(
        "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 4\n[[force]]\nvector = [1, 0, "
        "0]\n"
        "end = " +
        std::to_string(end) + "\n");
    step(simulation, 0.01, 1);
    return probe_motion(simulation, simulation.probes[0]).velocity_world.x;
  };
  EXPECT_GT(speed_after(0.004), 0);
  EXPECT_NEAR(speed_after(0.004) / speed_after(0.008), 0.5, 1e-3);
  EXPECT_EQ(speed_after(0.01), speed_after(0.02));
}

// Far below its own frequency a mast follows a sine: tip = F L³/3EI × sin(2πft + phase), here within the
// parts (f/f₁)² = 0.4 % by which inertia adds, 2ζf/f₁ = 0.6 % by which damping delays, and 0.7 % that is
// left of the start.
TEST(Simulation, ForcesGoToAndFro) {
  Simulation simulation = make(
      "gravity = [0, 0, 0]\n[[plant]]\nkind = \"rod\"\nsegments = 30\nradius = 0.01\nyoung = 1e9\n"
      "density = 500\ndamping_ratio = 0.05\n[[force]]\nvector = [0.1, 0, 0]\nfrequency = 0.25\n"
      "phase = 90\n");
  const double compliance = 1.0 / (3 * 1e9 * std::numbers::pi / 4 * 1e-8);  // [m/N]
  double most = 0;
  for (int i = 0; i < 8 * 240; ++i) {
    step(simulation, 1.0 / 240, 1);
    const double x = probe_motion(simulation, simulation.probes[0]).position_world.x;
    if (simulation.time < 4) continue;  // until what the start left has died away
    const double expected = 0.1 * compliance * std::cos(0.5 * std::numbers::pi * simulation.time);
    most = std::max(most, std::abs(x - expected));
  }
  EXPECT_LT(most, 0.02 * 0.1 * compliance);
}

// A gusty wind bends a rod downwind, and keeps it moving.
TEST(Simulation, GustsMoveWhatTheyMeet) {
  Simulation simulation = make(
      "[[plant]]\nkind = \"rod\"\nradius = 0.003\n[wind]\nkind = \"gusty\"\nmean = [8, 0, 0]\n");
  double downwind = 0, speed = 0;
  for (int i = 0; i < 300; ++i) {
    step(simulation, 1.0 / 60, 1);
    const PointMotion tip = probe_motion(simulation, simulation.probes[0]);
    downwind += tip.position_world.x / 300;
    if (i >= 150) speed += length(tip.velocity_world) / 150;
  }
  EXPECT_GT(downwind, 0.01);
  EXPECT_GT(speed, 0.01);
}

// Gusts without strength, and a gusty wind without speed, are winds that do not change.
TEST(Simulation, GustsOfNoStrengthAreAUniformWind) {
  const auto hash_of = [](const std::string& wind) {
    Simulation simulation = make("[[plant]]\nkind = \"rod\"\nsegments = 6\n[wind]\n" + wind);
    for (int i = 0; i < 10; ++i) step(simulation, 1.0 / 60, 1);
    EXPECT_TRUE(simulation.finite);
    return state_hash(simulation);
  };
  EXPECT_EQ(hash_of("kind = \"gusty\"\nmean = [6, 0, 0]\nintensity = 0\n"),
            hash_of("kind = \"uniform\"\nmean = [6, 0, 0]\n"));
  EXPECT_EQ(hash_of("kind = \"gusty\"\nmean = [0, 0, 0]\n"),
            hash_of("kind = \"uniform\"\nmean = [0, 0, 0]\n"));
}

// What no step can carry on is said, and the state stays the last good one.
TEST(Simulation, ImpossibleMotionStopsInAGoodState) {
  Simulation simulation =
      make("gravity = [0, -1e200, 0]\n[[plant]]\nkind = \"rod\"\ndirection = [1, 0, 0]\n");
  step(simulation, 1.0 / 60, 1);
  EXPECT_FALSE(simulation.finite);
  EXPECT_EQ(simulation.steps, 0);
  EXPECT_TRUE(is_finite(simulation.plants[0].state));
}

TEST(Simulation, PlacesAreFound) {
  Simulation simulation = make(R"(
[[plant]]
kind = "rod"
segments = 10
length = 2
[[probe]]
name = "tip"
at = "tip"
[[probe]]
name = "fourth"
at = 3
[[probe]]
name = "quarter"
at = 0.25
[[probe]]
name = "foot"
at = 0.0
)");
  const double expected[] = {2.0, 0.8, 0.5, 0.0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(probe_motion(simulation, simulation.probes[i]).position_world.y, expected[i],
                1e-12);
  }
}

TEST(Simulation, StepCountForgivesRoundedSteps) {
  EXPECT_EQ(step_count(10, 0.016666667), 600);
  EXPECT_EQ(step_count(10, 1.0 / 60), 600);
  EXPECT_EQ(step_count(1, 0.3), 4);
  EXPECT_EQ(step_count(0.001, 1.0), 1);
}

}  // namespace
}  // namespace thigmo::simulation_test
