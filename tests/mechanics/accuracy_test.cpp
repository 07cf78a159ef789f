#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/kinematics/energy.h"
#include "mechanics/step/step.h"
#include "support/plants.h"
#include "support/subject.h"

// What users see of a step's accuracy: frequencies, rotary drag, friction, the account of energy.

namespace thigmo::accuracy_test {
namespace {

using support::make_subject;
using support::Subject;
using support::tip_motion;

using std::numbers::pi;

void advance(Subject& run, const Loads& loads, double h, int steps) {
  for (int i = 0; i < steps; ++i) step(run.mechanism, loads, {}, h, run.state, run.workspace);
}

// One rigid segment on a spring is an oscillator; its crossings through zero show the frequency.
double measured_ratio(double omega_dt) {
  Material undamped = support::beam_material();
  undamped.damping_ratio = 0;
  Subject run = make_subject(support::cantilever(1, undamped));
  const Body& body = run.mechanism.body[0];
  const double omega = std::sqrt(body.stiffness.x / body.inertia.xx), h = omega_dt / omega;
  run.state.joint_velocity.fill({1e-4 * omega, 0, 0});
  const Loads loads{.gravity_world = {}};
  advance(run, loads, h, 20);
  double before = tip_motion(run).position_world.y, first = -1, last = -1;
  int crossings = 0;
  for (int i = 1; crossings < 200; ++i) {
    advance(run, loads, h, 1);
    const double y = tip_motion(run).position_world.y;
    if (before < 0 && y >= 0) {
      last = i - y / (y - before);
      if (first < 0) first = last;
      ++crossings;
    }
    before = y;
  }
  return 2 * pi * (crossings - 1) / ((last - first) * omega_dt);
}

TEST(FrequencyRatio, IsThatOfARodInMotion) {
  for (const double omega_dt : {0.2, 0.5, 0.8, 1.2}) {
    EXPECT_NEAR(frequency_ratio({}, omega_dt), measured_ratio(omega_dt), 3e-4) << omega_dt;
  }
}

// With numerical_damping = 0.2 and 1/60 s: slower by 0.4 % at 2 Hz, 1.5 % at 4, 5.6 % at 8, 16 % at 15.
// The midpoint rule has 2 atan(ωh/2)/(ωh).
TEST(FrequencyRatio, HasKnownValues) {
  const StepOptions options{.numerical_damping = 0.2};
  const auto slowed = [&](double hertz) {
    return 1 - frequency_ratio(options, 2 * pi * hertz / 60);
  };
  EXPECT_NEAR(slowed(2), 0.004, 5e-4);
  EXPECT_NEAR(slowed(4), 0.015, 1e-3);
  EXPECT_NEAR(slowed(8), 0.056, 1e-3);
  EXPECT_NEAR(slowed(15), 0.16, 0.01);
  EXPECT_NEAR(frequency_ratio({.numerical_damping = 0}, 0.7), 2 * std::atan(0.35) / 0.7, 1e-12);
  const double omega = 2 * pi * 8, h = step_for_frequency(options, omega, 0.01);
  EXPECT_NEAR(1 - frequency_ratio(options, omega * h), 0.01, 1e-8);
}

// Drag on a rod that turns about its end has the moment k ω² L³/4, however few its segments:
// ω = ω₀/(1 + k L³ ω₀ t/(4 I)).
TEST(Drag, OfARodThatTurnsIsRightWithOneSegment) {
  Material rigid = support::beam_material();
  rigid.young *= 1e3;
  rigid.damping_ratio = 0;
  const AirLattice air{.velocity_world = {air_node({0, 0, 0})}};
  const Loads loads{.gravity_world = {}, .air = &air};
  for (const int segments : {1, 2}) {
    Subject run = make_subject(support::cantilever(segments, rigid));
    double drag = 0;
    for (Body& body : run.mechanism.body) {
      body.drag_across *= 100;
      drag += body.drag_across;
    }
    run.mechanism.body[0].stiffness = {0, 0, 0};
    run.workspace = make_workspace(run.mechanism);
    run.state.joint_velocity.set(0, {0, 0, 3});
    const double mass = rigid.density * pi * 1e-4, inertia = mass / 3;
    advance(run, loads, 1.0 / 240, 240);
    const double expected = 3 / (1 + drag * 3 / (4 * inertia));
    EXPECT_NEAR(length(tip_motion(run).velocity_world) / expected, 1, segments == 1 ? 2e-3 : 5e-3)
        << segments;
  }
}

// In a stream of speed U across it a rod of one segment that turns slowly is damped by
// ∫ 2 k U s² ds = 2/3 k U L² a rad/s, along it by half of that.
TEST(Drag, DampsARodOfOneSegmentInAStream) {
  Material undamped = support::beam_material();
  undamped.damping_ratio = 0;
  const double speed = 20;
  const AirLattice air{.velocity_world = {air_node({0, speed, 0})}};
  const Loads loads{.gravity_world = {}, .air = &air};
  for (const bool across : {false, true}) {
    Subject run = make_subject(support::cantilever(1, undamped));
    Body& body = run.mechanism.body[0];
    const Vec3 spin = across ? Vec3{0, 0, 1e-4} : Vec3{1e-4, 0, 0};
    const double drag = body.drag_across, moment = drag * speed * 2 / 3 * (across ? 0.5 : 1);
    const double decay = moment / (2 * body.inertia.zz);
    advance(run, loads, 1e-3, 30000);  // to rest in the stream
    const Vec3 rest = tip_motion(run).position_world;
    run.state.joint_velocity.set(0, Vec3(run.state.joint_velocity[0]) + spin);
    run.state.started = false;
    // The largest swings of two windows, and when they were.
    double early = 0, late = 0;
    int early_at = 0, late_at = 0;
    for (int i = 0; i < 2000; ++i) {
      advance(run, loads, 1e-3, 1);
      const double off = length(tip_motion(run).position_world - rest);
      if (i < 400 && off > early) early = off, early_at = i;
      if (i >= 1600 && off > late) late = off, late_at = i;
    }
    EXPECT_NEAR(std::log(early / late) / (1e-3 * (late_at - early_at)) / decay, 1, 0.03) << across;
  }
}

// A rod that lies on the ground, where it carries it.
Subject lying_rod(Ground& ground) {
  Subject run = make_subject(support::cantilever(10));
  run.state.root.hold = RootHold::free;
  run.workspace = make_workspace(run.mechanism);
  double mass = 0;
  for (const Body& body : run.mechanism.body) mass += body.mass;
  const double stiffness = mass * 9.81 / 1e-3;
  ground = {.height = 7.5e-5,
            .stiffness = stiffness,
            .damping = 0.5 * std::sqrt(stiffness * mass),
            .friction = 0.6};
  return run;
}

TEST(Ground, SlidingRodStopsAfterCoulombsWay) {
  for (const double speed : {0.5, 1.0, 3.0}) {
    Ground ground;
    Subject run = lying_rod(ground);
    run.state.root.velocity_world = {speed, 0, 0};
    advance(run, {.ground = &ground}, 1.0 / 60, 90);
    EXPECT_NEAR(run.state.root.position_world.x / (speed * speed / (2 * 0.6 * 9.81)), 1, 0.02)
        << speed;
  }
}

TEST(Ground, HoldsBelowTheConeAndLetsGoAboveIt) {
  const double most = 0.6 * 9.81;
  for (const double part : {0.5, 0.9}) {
    Ground ground;
    Subject run = lying_rod(ground);
    advance(run, {.gravity_world = {part * most, -9.81, 0}, .ground = &ground}, 1.0 / 60, 600);
    EXPECT_NEAR(run.state.root.position_world.x, 0, 2e-5) << part;
  }
  for (const double part : {1.5, 3.0}) {
    Ground ground;
    Subject run = lying_rod(ground);
    advance(run, {.gravity_world = {part * most, -9.81, 0}, .ground = &ground}, 1.0 / 60, 120);
    EXPECT_NEAR(run.state.root.position_world.x / (0.5 * (part - 1) * most * 4), 1, 0.02) << part;
  }
}

// A rod at rest on ten points of a ground too stiff for the step stays there.
TEST(Ground, RodLiesStill) {
  Ground ground;
  Subject run = lying_rod(ground);
  run.state.root.position_world = {0, -2e-4, 0};
  advance(run, {.ground = &ground}, 1.0 / 60, 240);
  EXPECT_LT(length(tip_motion(run).velocity_world), 1e-6);
  EXPECT_NEAR(tip_motion(run).position_world.y, 0, 2e-4);
}

// How a free rod falls aslant.
struct Fall {
  double angle;      // of the rod above level [rad]
  double height;     // of its lower end [m]
  double stiffness;  // of the ground, over that in which the whole rod sinks by a millimetre
  double friction;
  double step;  // [s]
};

// Of twenty segments, with the ground that it falls on.
Subject falling_rod(const Fall& fall, Ground& ground) {
  const double c = std::cos(fall.angle), s = std::sin(fall.angle);
  Subject run = make_subject(make_rod({.segments = 20,
                                       .length = 1.0,
                                       .radius_base = 0.01,
                                       .radius_tip = 0.01,
                                       .direction = {c, s, 0},
                                       .up = {-s, c, 0},
                                       .material = support::beam_material()}));
  run.state.root.hold = RootHold::free;
  run.state.root.position_world = {0, fall.height, 0};
  run.workspace = make_workspace(run.mechanism);
  double mass = 0;
  for (const Body& body : run.mechanism.body) mass += body.mass;
  const double stiffness = fall.stiffness * mass * 9.81 / 1e-3;
  ground = {.stiffness = stiffness,
            .damping = 0.5 * std::sqrt(stiffness * mass),
            .friction = fall.friction};
  return run;
}

// The velocity along x of all that there is [m/s].
double drift(const Subject& run) {
  std::vector<BodyMotion> motions(run.mechanism.body.size());
  find_motions(run.mechanism, run.state, motions);
  double momentum = 0, mass = 0;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Body& body = run.mechanism.body[i];
    const BodyMotion& m = motions[i];
    momentum +=
        body.mass * m.velocity.x + cross(m.omega, rotate(m.world_from_body, body.first_moment)).x;
    mass += body.mass;
  }
  return momentum / mass;
}

// Whatever strikes a smooth ground gets no push along it. What is left is the scheme's: accelerations that it
// remembers stand still while a rod turns.
TEST(Ground, SmoothOneGivesNoPushAlongIt) {
  for (const double step : {1.0 / 60, 1.0 / 120, 1.0 / 250}) {
    for (const double degrees : {10.0, 30.0, 45.0, 60.0, 80.0}) {
      Ground ground;
      Subject run = falling_rod({degrees * pi / 180, 1.0, 1.0, 0.0, step}, ground);
      double most = 0;
      for (int i = 0; i < static_cast<int>(std::lround(1 / step)); ++i) {
        advance(run, {.ground = &ground}, step, 1);
        most = std::max(most, std::abs(drift(run)));
      }
      EXPECT_LT(most / std::sqrt(2 * 9.81), 0.015) << step << " s, " << degrees << " degrees";
    }
  }
}

// Keeping account changes no bit.
TEST(Works, LeaveTheMotionAsItIs) {
  const auto hash = [](bool kept) {
    Ground ground;
    Subject run = lying_rod(ground);
    run.state.root.velocity_world = {1, 2, 0};
    if (kept) run.workspace.works = make_works(run.mechanism);
    advance(run, {.ground = &ground}, 1.0 / 60, 120);
    Hasher hasher;
    add_to_hash(run.state, hasher);
    return hasher.value();
  };
  EXPECT_EQ(hash(true), hash(false));
}

// Thrown onto the ground and at rest at last: the ground took all there was.
TEST(Works, OfTheGroundAreWhatWasThere) {
  Ground ground;
  Subject run = lying_rod(ground);
  run.state.root.position_world = {0, 0.5, 0};
  run.state.root.velocity_world = {1, 0, 0};
  run.workspace.works = make_works(run.mechanism);
  const auto sum = [&run] {
    const Energy e = energy_of(run.mechanism, run.state, {0, -9.81, 0});
    return e.kinetic + e.elastic + e.gravitational;
  };
  const double before = sum();
  advance(run, {.ground = &ground}, 1.0 / 60, 240);
  const Works& works = *run.workspace.works;
  const double lost = before - sum();
  EXPECT_NEAR((lost + works.by_ground - works.lost_in_joints) / lost, 0, 0.01);
  EXPECT_NEAR(works.by_ground / lost, -1, 0.05);
}

// What its account leaves over, of the energy it falls with.
double left_over(const Fall& fall) {
  Ground ground;
  Subject run = falling_rod(fall, ground);
  run.workspace.works = make_works(run.mechanism);
  const auto stored = [&run] {
    const Energy e = energy_of(run.mechanism, run.state, {0, -9.81, 0});
    return e.kinetic + e.elastic + e.gravitational;
  };
  const double before = stored();
  advance(run, {.ground = &ground}, fall.step, static_cast<int>(std::lround(2 / fall.step)));
  const Works& works = *run.workspace.works;
  return (before + works.by_ground - works.lost_in_joints - stored()) / before;
}

// Blows that no step resolves: a rod strikes the ground with one end, turns, and falls flat. What its
// velocities jump by in a substep is as large as they are. The hardest ground vibrates by 5 rad in a step.
TEST(Works, CloseForRodsThatFallAslant) {
  for (const double step : {1.0 / 60, 1.0 / 250}) {
    for (const double stiffness : {0.1, 1.0, 10.0}) {
      for (const double friction : {0.0, 0.6}) {
        for (const double degrees : {0.0, 10.0, 30.0, 60.0, 80.0}) {
          for (const double height : {0.3, 1.0}) {
            EXPECT_NEAR(left_over({degrees * pi / 180, height, stiffness, friction, step}), 0,
                        stiffness > 1 ? 0.015 : 0.01)
                << step << " s, " << stiffness << ", friction " << friction << ", " << degrees
                << " degrees, " << height << " m";
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace thigmo::accuracy_test
