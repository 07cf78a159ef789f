#include "simulation/advance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scenario/make_simulation.h"
#include "simulation/edit.h"

namespace thigmo::advance_test {
namespace {

constexpr double step_length = 0.01;

Simulation falling_rod() {
  const Result<Scenario> scenario = parse_scenario(
      "test.toml",
      "duration = 1\nstep = 0.01\n[[plant]]\nkind = \"rod\"\nsegments = 6\nlength = 1\n"
      "radius = 0.005\ndirection = [1, 0, 0]\n");
  EXPECT_TRUE(scenario);
  Result<Simulation> simulation = make_simulation(
      *scenario, [](std::string_view) -> Result<std::string> { return error("no"); });
  EXPECT_TRUE(simulation);
  return std::move(*simulation);
}

TEST(Advance, TakesTheStepsThatByHandWouldBeTaken) {
  Simulation by_hand = falling_rod(), advanced = falling_rod();
  for (int i = 0; i < 20; ++i) step(by_hand, step_length, 1);
  int calls = 0;
  Course course{.step = step_length, .end_step = 20, .threads = 1};
  course.after_step = [&]() -> Result<Done> {
    ++calls;
    EXPECT_EQ(advanced.steps, calls);
    return Done{};
  };
  const Result<CourseReport> report = advance(course, advanced);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->cancelled);
  EXPECT_GE(report->wall_seconds, 0);
  EXPECT_EQ(calls, 20);
  EXPECT_EQ(state_hash(by_hand), state_hash(advanced));
}

// Frames between steps: at a step they have its pose to the bit, between two steps they lie on the way from
// one to the other, and asking for them changes no motion.
TEST(Advance, HandsOutFramesAtAnyTime) {
  Simulation plain = falling_rod(), filmed = falling_rod();
  const std::vector<double> times{0, 0.005, 0.01, 0.02, 0.0333, 0.0333, 0.05};
  std::vector<double> seen;
  std::vector<double> heights;  // of the last segment
  Course course{.step = step_length, .end_step = 5, .threads = 1, .frames = times};
  course.at_frame = [&](double time, const std::vector<Pose>& poses) -> Result<Done> {
    seen.push_back(time);
    heights.push_back(poses.front().base_world.back().y);
    return Done{};
  };
  ASSERT_TRUE(advance(course, filmed));
  EXPECT_EQ(seen, times);
  std::vector<double> at_steps;
  for (int i = 0; i <= 5; ++i) {
    if (i > 0) step(plain, step_length, 1);
    at_steps.push_back(
        pose_of(plain.plants[0].model->mechanism, plain.plants[0].state).base_world.back().y);
  }
  EXPECT_EQ(state_hash(plain), state_hash(filmed));
  EXPECT_EQ(heights[0], at_steps[0]);
  EXPECT_EQ(heights[2], at_steps[1]);
  EXPECT_EQ(heights[3], at_steps[2]);
  EXPECT_EQ(heights[6], at_steps[5]);
  EXPECT_EQ(heights[4], heights[5]);
  EXPECT_LT(heights[1], at_steps[0]);
  EXPECT_GT(heights[1], at_steps[1]);
  EXPECT_LT(heights[4], at_steps[3]);
  EXPECT_GT(heights[4], at_steps[4]);
}

// Times that are typed with few digits lie just before the ends of steps. Plants that have been cut since another
// frame are shown as they are then.
TEST(Advance, HandsOutFramesNearTheEndsOfStepsAfterACut) {
  for (const double early : {0.0, 1e-9, 1e-6, 5e-6, 1e-4, 1e-3, 1.9e-3, 2.1e-3, 0.5}) {
    Simulation simulation = falling_rod();
    const std::vector<double> times{0.035, (5 - early) * step_length};
    Course course{.step = step_length, .end_step = 6, .threads = 1, .frames = times};
    std::vector<std::size_t> plants;
    course.at_frame = [&](double time, const std::vector<Pose>& poses) -> Result<Done> {
      plants.push_back(poses.size());
      EXPECT_EQ(poses.size(), simulation.plants.size()) << time;
      return Done{};
    };
    course.after_step = [&]() -> Result<Done> {
      if (simulation.steps != 4) return Done{};
      const auto cut = apply_edit(Cut{segment_id(simulation.plants[0], 3), 0.5}, simulation);
      EXPECT_TRUE(cut);
      return Done{};
    };
    ASSERT_TRUE(advance(course, simulation));
    EXPECT_EQ(plants, (std::vector<std::size_t>{1, 2})) << early;
  }
}

TEST(Advance, StopsWhenCancelled) {
  Simulation simulation = falling_rod();
  std::atomic<bool> cancel = false;
  Course course{.step = step_length, .end_step = 100, .threads = 1, .cancel = &cancel};
  course.after_step = [&]() -> Result<Done> {
    if (simulation.steps == 7) cancel = true;
    return Done{};
  };
  const Result<CourseReport> report = advance(course, simulation);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->cancelled);
  EXPECT_EQ(simulation.steps, 7);
}

TEST(Advance, StopsWhereWhatItCallsFails) {
  Simulation simulation = falling_rod();
  Course course{.step = step_length, .end_step = 100, .threads = 1};
  course.after_step = [&]() -> Result<Done> {
    if (simulation.steps == 3) return error("the disk is full");
    return Done{};
  };
  const Result<CourseReport> report = advance(course, simulation);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.diagnostics().front().message, "the disk is full");
  EXPECT_EQ(simulation.steps, 3);
}

// A course that goes on from a snapshot knows how much of the whole is done.
TEST(Advance, ProgressIsOfTheWhole) {
  Simulation simulation = falling_rod();
  std::vector<double> done;
  Course course{.step = step_length, .first_step = 6, .end_step = 8, .threads = 1};
  course.on_progress = [&](double part) { done.push_back(part); };
  ASSERT_TRUE(advance(course, simulation));
  EXPECT_EQ(done, (std::vector<double>{7.0 / 8, 1.0}));
  EXPECT_EQ(simulation.steps, 2);
}

TEST(Advance, KeepsAccounts) {
  Simulation simulation = falling_rod();
  EnergyBook book(simulation);
  const Energy before = book.account().stored;
  ASSERT_TRUE(
      advance({.step = step_length, .end_step = 10, .threads = 1, .book = &book}, simulation));
  EXPECT_LT(book.account().stored.gravitational, before.gravitational);
  EXPECT_GT(book.account().stored.kinetic, 0);
}

TEST(Advance, CountsStepsToATime) {
  EXPECT_EQ(steps_to(0, 0.1, 1e-6), 0);
  EXPECT_EQ(steps_to(0.1, 0.1, 1e-6), 1);
  EXPECT_EQ(steps_to(0.3, 0.1, 1e-6), 3);  // 0.3 / 0.1 is below 3 by rounding
  EXPECT_EQ(steps_to(0.30001, 0.1, 1e-6), 4);
}

}  // namespace
}  // namespace thigmo::advance_test
