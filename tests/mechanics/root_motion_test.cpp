#include "mechanics/model/root_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/modes/frequency.h"
#include "mechanics/step/step.h"
#include "support/plants.h"
#include "support/subject.h"

namespace thigmo::root_motion_test {
namespace {

using support::make_subject;
using support::Subject;
using support::tip_motion;

using std::numbers::pi;

RootPath wobble() {
  return make_root_path({0, 0.4, 1.0, 1.3, 2.0}, {{{0, 0.1, -0.2, 0.3, 0},
                                                   {0, 0, 0.1, 0.1, 0},
                                                   {0, -0.1, 0, 0.2, 0.2},
                                                   {0, 1.0, 2.5, 0.4, 0},
                                                   {0, -0.7, 0.3, 0.2, 0.5},
                                                   {0, 0.2, -0.4, 1.1, 0}}});
}

TEST(BaseMotion, GoesThroughItsKeysAndRestsBeyondThem) {
  const RootPath path = wobble();
  EXPECT_NEAR(root_at(path, 1.0).position_world.x, -0.2, 1e-14);
  EXPECT_NEAR(length(log_rotation(root_at(path, 1.3).world_from_plant) - Vec3{0.4, 0.2, 1.1}), 0,
              1e-13);
  for (const double time : {-1.0, 0.0, 2.0, 5.0}) {
    EXPECT_NEAR(length(root_at(path, time).velocity_world), 0, 1e-15) << time;
    EXPECT_NEAR(length(root_at(path, time).omega_plant), 0, 1e-15) << time;
  }
  EXPECT_NEAR(root_at(path, 5).position_world.z, 0.2, 1e-14);
}

// Rates against differences of what they are the rates of.
TEST(BaseMotion, RatesAreDerivatives) {
  const RootPath path = wobble();
  const double d = 1e-5;
  for (double time = 0.05; time < 2; time += 0.17) {
    const RootState before = root_at(path, time - d), at = root_at(path, time),
                    after = root_at(path, time + d);
    const auto near = [&](const Vec3& rate, const Vec3& a, const Vec3& b) {
      EXPECT_LT(length(rate - (b - a) / (2 * d)), 1e-6 * (1 + length(rate))) << time;
    };
    near(at.velocity_world, before.position_world, after.position_world);
    near(at.accel_world, before.velocity_world, after.velocity_world);
    near(at.alpha_plant, before.omega_plant, after.omega_plant);
    const Vec3 turn = log_rotation(conjugate(before.world_from_plant) * after.world_from_plant);
    EXPECT_LT(length(at.omega_plant - turn / (2 * d)), 1e-6 * (1 + length(at.omega_plant))) << time;
  }
}

Vec3 tip_in_base(const Subject& run) {
  const Vec3 tip = tip_motion(run).position_world;
  const RootState& root = run.state.root;
  return rotate(conjugate(root.world_from_plant), tip - root.position_world);
}

// Einstein's lift: seen from a base that speeds up by a, everything is as under gravity g - a.
TEST(BaseMotion, SteadyAccelerationIsGravity) {
  const Vec3 a{2, 6, -1};
  std::vector<double> time;
  std::array<std::vector<double>, 6> value;
  for (int i = 0; i <= 200; ++i) {
    time.push_back(0.02 * i);
    const Vec3 x = a * (0.5 * time.back() * time.back());
    for (std::size_t k = 0; k < 6; ++k) {
      value[k].push_back(k == 0 ? x.x : k == 1 ? x.y : k == 2 ? x.z : 0.0);
    }
  }
  const RootPath path = make_root_path(time, value);
  const Plant plant = support::random_tree(40, 3);
  Subject moved = make_subject(plant), still = make_subject(plant);
  const Loads lifted{.root_path = &path};
  const Loads heavier{.gravity_world = Vec3{0, -9.81, 0} - a};
  for (int i = 0; i < 120; ++i) {
    step(moved.mechanism, lifted, {}, 1.0 / 60, moved.state, moved.workspace);
    step(still.mechanism, heavier, {}, 1.0 / 60, still.state, still.workspace);
  }
  EXPECT_GT(moved.state.root.position_world.y, 10);
  // Whether a pass is repeated for better velocities can hang on rounding.
  EXPECT_NEAR(length(tip_in_base(moved) - tip_in_base(still)), 0, 1e-5);
}

// A stiff rod on a turning base goes where the base takes it: the sag of one so stiff is below 1e-6.
TEST(BaseMotion, StiffRodFollowsTheTurningBase) {
  Material steel = support::beam_material();
  steel.young = 1e15;
  Subject run = make_subject(support::cantilever(12, steel));
  const Vec3 start = tip_in_base(run);
  const RootPath path = wobble();
  const Loads loads{.root_path = &path};
  for (int i = 0; i < 90; ++i) step(run.mechanism, loads, {}, 1.0 / 60, run.state, run.workspace);
  const RootState base = root_at(path, run.state.time);
  EXPECT_NEAR(length(base.position_world - run.state.root.position_world), 0, 1e-12);
  EXPECT_NEAR(length(tip_in_base(run) - start), 0, 1e-6);
}

// The response of a beam to a shaken root: x(t) of the root = A cos(Ω t) drives the first mode; well
// below its frequency the tip's sway relative to the base is that of a beam under the steady load
// ρ A_s A Ω², amplified by 1/(1 - (Ω/ω)²).
TEST(BaseMotion, ShakenBeamSwaysAsBeamTheorySays) {
  Material material = support::beam_material();
  material.damping_ratio = 0.2;  // so that what the start excites dies out
  Subject run = make_subject(support::cantilever(20, material));
  const double omega = 2 * pi * first_frequency(run.mechanism), drive = 0.2 * omega,
               amplitude = 0.01;
  std::vector<double> time;
  std::array<std::vector<double>, 6> value;
  for (int i = 0; i <= 4000; ++i) {
    time.push_back(0.0025 * i);
    for (std::size_t k = 0; k < 6; ++k) {
      value[k].push_back(k == 1 ? amplitude * std::cos(drive * time.back()) : 0.0);
    }
  }
  const RootPath path = make_root_path(time, value);
  const Loads loads{.gravity_world = {}, .root_path = &path};
  double most = 0;
  for (int i = 0; i < 960; ++i) {
    step(run.mechanism, loads, {}, 1.0 / 240, run.state, run.workspace);
    if (i > 480) most = std::max(most, std::abs(tip_in_base(run).y));
  }
  const double section = pi * 1e-4, inertia = pi * 1e-8 / 4;
  const double sag = 923 * section * amplitude * drive * drive / (8 * 8.1e9 * inertia);
  // The static shape stands for the first mode to 2 %.
  EXPECT_NEAR(most, sag / (1 - 0.04), 0.03 * sag);
}

struct Momentum {
  double mass = 0;
  Vec3 center, linear, angular;  // angular about the world's origin
};
Momentum momentum_of(const Subject& run) {
  Momentum sum;
  const Pose pose = pose_of(run.mechanism, run.state);
  std::vector<Vec3> omega(run.mechanism.body.size());
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const Body& body = run.mechanism.body[i];
    const Mat3 r = matrix(pose.world_from_segment[i]);
    const Index p = run.mechanism.parent[i];
    omega[i] = r * run.state.joint_velocity[i] +
               (p == no_index ? rotate(run.state.root.world_from_plant, run.state.root.omega_plant)
                              : omega[static_cast<std::size_t>(p)]);
    const Vec3 v = point_motion(run.mechanism, run.state, static_cast<Index>(i), {}).velocity_world;
    const Vec3 moment = r * body.first_moment;
    const Vec3 linear = v * body.mass + cross(omega[i], moment);
    sum.mass += body.mass;
    sum.center += pose.base_world[i] * body.mass + moment;
    sum.linear += linear;
    sum.angular += conjugate(r, widened(body.inertia)) * omega[i] + cross(moment, v) +
                   cross(pose.base_world[i], linear);
  }
  sum.center = sum.center / sum.mass;
  return sum;
}

// A tree thrown into empty space: its centre of mass follows Galileo's parabola whatever it does.
TEST(BaseMotion, ThrownTreeFallsAsAllThingsDo) {
  Subject run = make_subject(support::random_tree(60, 5));
  run.state.root.hold = RootHold::free;
  run.state.root.velocity_world = {1, 4, -2};
  run.state.root.omega_plant = {3, 1, -2};
  const Momentum before = momentum_of(run);
  const Loads loads;
  for (int i = 0; i < 120; ++i) step(run.mechanism, loads, {}, 1.0 / 120, run.state, run.workspace);
  const Momentum after = momentum_of(run);
  const double t = run.state.time;
  const Vec3 expected =
      before.center + before.linear * (t / before.mass) + loads.gravity_world * (0.5 * t * t);
  // What the scheme leaves of order h² in a tumbling tree is below a thousandth of the way.
  EXPECT_LT(length(after.center - expected), 1e-3 * length(expected - before.center));
}

// Without gravity momentum and spin stay, whatever the step; what is left is rounding.
TEST(BaseMotion, FreeTreeKeepsItsMomentum) {
  for (const double h : {1.0 / 60, 1.0 / 400}) {
    Subject run = make_subject(support::random_tree(30, 8));
    run.state.root.hold = RootHold::free;
    run.state.root.omega_plant = {1, 2, -1};
    run.state.root.velocity_world = {0.3, -0.2, 0.5};
    const Momentum before = momentum_of(run);
    const Loads loads{.gravity_world = {}};
    const int steps = static_cast<int>(std::lround(0.5 / h));
    for (int i = 0; i < steps; ++i) step(run.mechanism, loads, {}, h, run.state, run.workspace);
    const Momentum after = momentum_of(run);
    EXPECT_LT(length(after.linear - before.linear), 1e-11 * length(before.linear)) << h;
    EXPECT_LT(length(after.angular - before.angular), 1e-11 * length(before.angular)) << h;
  }
}

}  // namespace
}  // namespace thigmo::root_motion_test
