#include "mechanics/kernel/surroundings.h"
#include "mechanics/compile/compile_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/modes/frequency.h"
#include "mechanics/schedule/schedule.h"
#include "mechanics/step/step.h"
#include "support/plants.h"
#include "support/subject.h"

namespace thigmo::surroundings_test {
namespace {

using support::make_subject;
using support::Subject;
using support::tip_motion;

using std::numbers::pi;

void advance(Subject& run, const Loads& loads, double h, int steps) {
  for (int i = 0; i < steps; ++i) step(run.mechanism, loads, {}, h, run.state, run.workspace);
}

// A wind that differs from place to place around a plant of some metres.
AirLattice uneven_air() {
  AirLattice air{.first = {-3, -3, 0},
                 .spacing_along = 1.5,
                 .spacing_across = 2,
                 .nodes_along = 5,
                 .nodes_across = 4,
                 .nodes_up = 4,
                 .ring_start = 2};
  for (int row = 0; row < air.nodes_across * air.nodes_up; ++row) {
    for (int place = 0; place <= air.nodes_along; ++place) {
      const double x = 1.3 * row + 0.9 * (place % air.nodes_along);
      const Vec3 gust{std::sin(x), std::cos(1.7 * x), std::sin(2.3 * x)};
      air.velocity_world.push_back(air_node(Vec3{8, 0, 3} + gust, gust * 0.2));
    }
  }
  return air;
}

// The same motion, whatever the processor and the number of lanes: they differ by rounding alone,
// single digits (6e-8) in what is put aside between sweeps.
TEST(Processors, AgreeToRounding) {
  const Plant plant = support::random_tree(300, 11);
  const AirLattice air = uneven_air();
  const Loads loads{.air = &air};
  Subject reference = make_subject(plant, Processor::generic);
  advance(reference, loads, 1.0 / 60, 120);
  for (const Processor processor : {Processor::avx2, Processor::avx512}) {
    if (processor > best_processor()) continue;
    Subject run = make_subject(plant, processor);
    advance(run, loads, 1.0 / 60, 120);
    EXPECT_NEAR(length(tip_motion(run).position_world - tip_motion(reference).position_world), 0,
                1e-6);
    EXPECT_NEAR(length(tip_motion(run).velocity_world - tip_motion(reference).velocity_world), 0,
                1e-4);
  }
}

// The same motion whether lanes follow each other or move side by side, over several blocks, in wind,
// held or let go, for any number of threads.
TEST(Schedule, SerialPacksMoveAlike) {
  const Plant plant = support::random_tree(3000, 5);
  const AirLattice air{.velocity_world = {air_node({8, 0, 3})}};
  const Loads loads{.air = &air};
  for (const bool free : {false, true}) {
    for (const Processor processor : {Processor::generic, best_processor()}) {
      Mechanism mechanism = compile_mechanism(plant);
      mechanism.pot_mass = 0.5;
      mechanism.pot_radius = 0.1;
      const auto tip_after = [&](bool serial, int threads) {
        const int width = processor == Processor::avx512 ? 8 : 4;
        auto schedule = std::make_shared<Schedule>(make_schedule(mechanism, width, serial));
        EXPECT_GT(schedule->blocks.size(), 2u);
        Workspace workspace =
            make_workspace(make_step_model(mechanism, processor, std::move(schedule)));
        State state = rest_state(mechanism, {.origin_world = {3, 1, -2}, .world_from_plant = {}});
        if (free) state.root.hold = RootHold::free;
        for (int i = 0; i < 30; ++i)
          step(mechanism, loads, {}, 1.0 / 60, state, workspace, threads);
        return point_motion(mechanism, state, 2999, {});
      };
      const PointMotion serial = tip_after(true, 1), two = tip_after(true, 2);
      const PointMotion side_by_side = tip_after(false, 1);
      EXPECT_GT(length(serial.velocity_world), 0.01);
      EXPECT_NEAR(length(serial.position_world - side_by_side.position_world), 0, 1e-6);
      EXPECT_NEAR(length(serial.velocity_world - side_by_side.velocity_world), 0, 1e-4);
      EXPECT_EQ(length(serial.position_world - two.position_world), 0);
    }
  }
}

// Halving the step quarters the error of a rod swinging in air.
TEST(Drag, IsOfSecondOrderInTheStep) {
  Material limp = support::beam_material();
  limp.young = 2e6;
  const AirLattice air{.velocity_world = {air_node({3, 1, 2})}};
  const Loads loads{.air = &air};
  const auto end = [&](int steps) {
    Subject run = make_subject(support::cantilever(6, limp));
    for (Body& body : run.mechanism.body) body.drag_across *= 40;
    run.workspace = make_workspace(run.mechanism);
    advance(run, loads, 0.4 / steps, steps);
    return tip_motion(run).position_world;
  };
  const Vec3 exact = end(12800);
  const double coarse = length(end(200) - exact), fine = length(end(400) - exact);
  EXPECT_GT(coarse / fine, 3.4);
  EXPECT_LT(coarse / fine, 4.6);
}

// A leaf that gives way: its drag is k u² / (1 + u/u_s).
TEST(Drag, StreamliningWeakensIt) {
  Plant plant = support::cantilever(1);
  Subject run = make_subject(plant);
  Body& body = run.mechanism.body[0];
  body.drag_across = 0;
  body.drag_around = 0.01f;
  body.stiffness = {500, 500, 500};
  body.damping_time = 0.01F;
  run.mechanism.streamlining_speed = 10;
  run.workspace = make_workspace(run.mechanism);
  const AirLattice air{.velocity_world = {air_node({0, 0, 30})}};
  const Loads loads{.gravity_world = {}, .air = &air};
  advance(run, loads, 1.0 / 60, 2000);
  const double force = 0.01 * 30 * 30 / (1 + 3.0);
  const double angle = force * body.drag_point.y / 500;
  EXPECT_NEAR(std::atan2(tip_motion(run).position_world.z, tip_motion(run).position_world.x), angle,
              1e-3 * angle);
}

// A grab of the tip of a beam: both springs share the way of its target.
TEST(Pull, ShareOfTheHandsWayIsThatOfTwoSprings) {
  Subject run = make_subject(support::cantilever(40));
  const double beam = 3 * 8.1e9 * pi * 1e-8 / 4;  // 3 E I / L³ with L = 1 m
  const Vec3 start = tip_motion(run).position_world;
  const GrabLoad grab{.body = body_count(run.mechanism) - 1,
                      .point_in_body = {0, run.mechanism.body.back().length, 0},
                      .target_world = start + Vec3{0, 0, 0.01},
                      .stiffness = beam,
                      .damping = 2};
  const std::vector<GrabLoad> grabs{grab};
  const Loads loads{.gravity_world = {}, .grabs = grabs};
  advance(run, loads, 1.0 / 60, 1200);
  EXPECT_NEAR(tip_motion(run).position_world.z - start.z, 0.005, 0.005 * 0.005);
  // Released, it swings back to where it was.
  advance(run, {.gravity_world = {}}, 1.0 / 60, 2400);
  EXPECT_NEAR(length(tip_motion(run).position_world - start), 0, 1e-6);
}

// A spring stiffer than any explicit step could bear. The rod cannot stretch, so that its sag draws
// the spring out by a little.
TEST(Pull, VeryStiffHandHoldsThePoint) {
  Subject run = make_subject(support::cantilever(10));
  const Vec3 start = tip_motion(run).position_world;
  const GrabLoad grab{.body = 9,
                      .point_in_body = {0, 0.1, 0},
                      .target_world = start,
                      .stiffness = 1e7,
                      .damping = 1e3};
  const std::vector<GrabLoad> grabs{grab};
  advance(run, {.grabs = grabs}, 1.0 / 30, 300);
  EXPECT_NEAR(length(tip_motion(run).position_world - start), 0, 1e-4);
  EXPECT_LT(length(tip_motion(run).velocity_world), 1e-2);  // it sings on like a string
}

// A heavy ball with a twig falls and comes to rest where the ground carries its weight.
TEST(Ground, CarriesAFallenPot) {
  Subject run = make_subject(support::random_tree(10, 3));
  run.state.root.hold = RootHold::free;
  run.state.root.position_world = {0, 1, 0};
  run.mechanism.pot_mass = 2;
  run.mechanism.pot_radius = 0.1;
  run.workspace = make_workspace(run.mechanism);
  run.state.root.velocity_world = {0.5, 0, 0};
  const Ground ground{.height = 0, .stiffness = 4e4, .damping = 200, .friction = 0.5};
  // In steps of 1/240 s rounding says whether the twig hops for 6 s or for 14.
  advance(run, {.ground = &ground}, 1e-3, 10000);
  double mass = 2;
  for (const Body& body : run.mechanism.body) mass += body.mass;
  const double height = run.state.root.position_world.y;
  // The twig may lean on the ground as well: the ball then carries less.
  EXPECT_LT(height, 0.1);
  EXPECT_GT(height, 0.1 - 1.05 * mass * 9.81 / 4e4);
  EXPECT_LT(length(run.state.root.velocity_world), 0.05);
  for (std::size_t i = 0; i < run.mechanism.body.size(); ++i) {
    const Vec3 end = point_motion(run.mechanism, run.state, static_cast<Index>(i),
                                  {0, run.mechanism.body[i].length, 0})
                         .position_world;
    EXPECT_GT(end.y, -2e-3) << i;
  }
}

// A ball that slides begins to roll: friction takes two sevenths of its speed in 2 v/(7 μ g), no more.
TEST(Ground, SlidingBallComesToRoll) {
  Subject run = make_subject(support::cantilever(1));
  run.state.root.hold = RootHold::free;
  run.mechanism.pot_mass = 1000;
  run.mechanism.pot_radius = 50;
  run.workspace = make_workspace(run.mechanism);
  run.state.root.velocity_world = {1, 0, 0};
  const Ground ground{
      .height = -50 - 1001 * 9.81 / 1e8, .stiffness = 1e8, .damping = 1e5, .friction = 0.4};
  advance(run, {.ground = &ground}, 1e-3, 40);
  EXPECT_NEAR(run.state.root.velocity_world.x, 1 - 0.4 * 9.81 * 0.04, 0.004);  // the rod swings
  advance(run, {.ground = &ground}, 1e-3, 60);
  EXPECT_NEAR(run.state.root.velocity_world.x, 5.0 / 7, 0.001);
}

// Damping in proportion to mass: the ratio is rate / (2 ω), whatever the mode.
TEST(MassDamping, GivesTheRatioAskedFor) {
  Material undamped = support::beam_material();
  undamped.damping_ratio = 0;
  Subject run = make_subject(support::cantilever(20, undamped));
  const double omega = 2 * pi * first_frequency(run.mechanism);
  run.mechanism.mass_damping = 2 * omega * 0.05;
  run.state.joint_velocity.fill({0.02, 0, 0});
  const Loads loads{.gravity_world = {}};
  const double h = 2 * pi / omega / 200;
  std::vector<double> peaks;
  double before = 0, last = 0;
  for (int i = 0; i < 2000; ++i) {
    advance(run, loads, h, 1);
    const double y = tip_motion(run).position_world.y;
    if (last > before && last > y && last > 0) peaks.push_back(last);
    before = last;
    last = y;
  }
  ASSERT_GE(peaks.size(), 6u);
  // From the second peak on, when higher modes are gone.
  const double decrement = std::log(peaks[1] / peaks[5]) / 4;
  const double ratio = decrement / std::sqrt(4 * pi * pi + decrement * decrement);
  EXPECT_NEAR(ratio, 0.05, 0.05 * 0.02);
}

}  // namespace
}  // namespace thigmo::surroundings_test
