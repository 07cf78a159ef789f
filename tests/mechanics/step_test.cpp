#include "mechanics/step/step.h"
#include "mechanics/compile/compile_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/kinematics/energy.h"
#include "support/plants.h"
#include "support/subject.h"

namespace thigmo::step_test {
namespace {

using support::make_subject;
using support::Subject;
using support::tip_motion;

using support::cantilever;
using support::random_tree;

using std::numbers::pi;

Vec3 tip(const Subject& run) { return tip_motion(run).position_world; }

// Random but repeatable motion, not small.
void shake(Subject& run, double angle, double speed) {
  for (std::size_t i = 0; i < run.state.joint_velocity.size(); ++i) {
    const auto draw = [i](std::uint64_t k) { return unit_from_bits(mix_bits(99, i, k)) - 0.5; };
    run.state.rest_from_body.set(i, exp_rotation(Vec3{draw(1), draw(2), draw(3)} * angle));
    run.state.joint_velocity.set(i, Vec3{draw(4), draw(5), draw(6)} * speed);
  }
}

// Accelerations by the O(n) pass against the equations of motion written down another way: the sum
// over all bodies of (inertia forces - loads)·(virtual motion of each joint) must be the joint's
// torque. Inertia forces come from differences of the bodies' momenta in time.
TEST(Step, AccelerationsObeyNewtonAndEuler) {
  Material soft = support::beam_material();
  soft.young = 1e5;  // so that velocities hardly change within the difference
  Subject run = make_subject(random_tree(25, 7, soft));
  for (Body& body : run.mechanism.body) body.damping_time = 0;
  run.workspace = make_workspace(run.mechanism);
  shake(run, 0.8, 2.0);
  const Loads loads;
  const double h = 1e-7;
  const State before = run.state;
  step(run.mechanism, loads, {}, h, run.state, run.workspace);

  const std::size_t n = run.mechanism.body.size();
  // Linear and angular momentum of every body about the world's origin.
  const auto momenta = [&](const State& state) {
    std::vector<std::pair<Vec3, Vec3>> result;
    const Pose pose = pose_of(run.mechanism, state);
    std::vector<Vec3> omega(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Body& body = run.mechanism.body[i];
      const Mat3 r = matrix(pose.world_from_segment[i]);
      const Index p = run.mechanism.parent[i];
      omega[i] = r * state.joint_velocity[i];
      if (p != no_index) omega[i] += omega[static_cast<std::size_t>(p)];
      const Vec3 velocity =
          point_motion(run.mechanism, state, static_cast<Index>(i), {}).velocity_world;
      const Vec3 moment = r * body.first_moment;
      const Vec3 linear = velocity * body.mass + cross(omega[i], moment);
      const Vec3 about_joint =
          conjugate(r, widened(body.inertia)) * omega[i] + cross(moment, velocity);
      result.emplace_back(linear, about_joint + cross(pose.base_world[i], linear));
    }
    return result;
  };
  const auto m0 = momenta(before), m1 = momenta(run.state);
  State middle = before;
  for (std::size_t i = 0; i < n; ++i) {
    middle.rest_from_body.set(
        i, before.rest_from_body[i] * exp_rotation(before.joint_velocity[i] * (h / 2)));
  }
  const Pose pose = pose_of(run.mechanism, middle);
  std::vector<Vec3> force(n), torque(n);  // needed beyond each joint, about the origin
  for (std::size_t i = n; i-- > 0;) {
    const Body& body = run.mechanism.body[i];
    const Vec3 center_times_mass =
        pose.base_world[i] * body.mass + matrix(pose.world_from_segment[i]) * body.first_moment;
    force[i] += (m1[i].first - m0[i].first) / h - loads.gravity_world * body.mass;
    torque[i] += (m1[i].second - m0[i].second) / h - cross(center_times_mass, loads.gravity_world);
    const Index p = run.mechanism.parent[i];
    if (p != no_index) {
      force[static_cast<std::size_t>(p)] += force[i];
      torque[static_cast<std::size_t>(p)] += torque[i];
    }
    // The joint's torque is minus the gradient of its spring energy, by differences.
    const Vec3 carried = torque[i] - cross(pose.base_world[i], force[i]);
    const Vec3 local = transposed_times(matrix(pose.world_from_segment[i]), carried);
    const auto spring_energy = [&](const Vec3& turn) {
      const Vec3 theta = log_rotation(middle.rest_from_body[i] * exp_rotation(turn));
      return 0.5 * dot(theta, joint_stiffness(body) * theta);
    };
    const double d = 1e-5;
    const Vec3 spring{(spring_energy({-d, 0, 0}) - spring_energy({d, 0, 0})) / (2 * d),
                      (spring_energy({0, -d, 0}) - spring_energy({0, d, 0})) / (2 * d),
                      (spring_energy({0, 0, -d}) - spring_energy({0, 0, d})) / (2 * d)};
    // Within h the velocities change by about 1e-5 of themselves, and so do the differences.
    EXPECT_NEAR(length(local - spring), 0.0, 1e-4 * (1.0 + length(spring))) << "body " << i;
  }
}

// physics: w L⁴ / (8 E I), tip sag of a heavy cantilever; exact 0.0055893 m (Garcia 2023, 8.3).
TEST(Step, CantileverSettlesToTheBeamsSag) {
  const struct {
    int segments;
    double tolerance;
  } cases[] = {{10, 2e-4}, {100, 5e-5}, {500, 5e-5}};
  for (const auto& c : cases) {
    Subject run = make_subject(cantilever(c.segments));
    for (int i = 0; i < 600; ++i) {
      const StepReport report = step(run.mechanism, {}, {}, 1.0 / 60, run.state, run.workspace);
      ASSERT_EQ(report.rejected, 0);
    }
    EXPECT_NEAR(-tip(run).y / 0.0055893, 1.0, c.tolerance) << c.segments << " segments";
  }
}

// A small sag is a quadrature of the bending moment with Gregory's end weights, which leave an error
// of fourth order. (The polygon that stands for a strongly bent stem leaves one of second order.)
TEST(Step, SagConvergesAtFourthOrder) {
  std::vector<double> sag;
  for (int segments : {10, 20, 40, 80}) {
    Subject run = make_subject(cantilever(segments));
    for (int i = 0; i < 900; ++i) step(run.mechanism, {}, {}, 1.0 / 60, run.state, run.workspace);
    sag.push_back(-tip(run).y);
  }
  for (std::size_t i = 0; i + 2 < sag.size(); ++i) {
    const double order = std::log2((sag[i] - sag[i + 1]) / (sag[i + 1] - sag[i + 2]));
    EXPECT_NEAR(order, 4.0, 0.1);
  }
}

// A single segment without stiffness is a compound pendulum: its period from 90° is
// T0 * 1.18034059902 with T0 = 2π sqrt(2 L / 3 g) (elliptic integral; physics.json D8).
TEST(Step, RodPendulumFollowsItsEquation) {
  // So thin that its turning inertia is m L²/3 to seven digits.
  Subject run =
      make_subject(make_rod({.segments = 1,
                             .length = 1,
                             .radius_base = 1e-4,
                             .radius_tip = 1e-4,
                             .direction = {1, 0, 0},
                             .material = {.name = "limp", .density = 800, .young = 1e-3}}));
  for (int i = 0; i < 10000; ++i) step(run.mechanism, {}, {}, 1e-3, run.state, run.workspace);
  // θ(10 s) for L = 1 m, g = 9.81 from 90° at rest: 0.7709576225747732 (physics.json D8); measured
  // from hanging down, the rod starts along +x.
  const Vec3 end = tip(run);
  EXPECT_NEAR(std::atan2(end.x, -end.y), 0.7709576225747732, 1e-4);
}

// Two limp segments: double pendulum of uniform rods, m = l = 1, from 30°, 30° (physics.json D8).
TEST(Step, DoublePendulumFollowsItsEquations) {
  Material limp{
      .name = "limp", .density = 1.0 / (pi * 0.001 * 0.001), .young = 1e-3, .poisson = 0.3};
  const double start = 30 * pi / 180;
  const Plant plant = make_rod({.segments = 2,
                                .length = 2,
                                .radius_base = 0.001,
                                .radius_tip = 0.001,
                                .direction = {std::sin(start), -std::cos(start), 0},
                                .up = {0, 0, 1},
                                .material = limp});
  Subject run = make_subject(plant);
  for (int i = 0; i < 10000; ++i) step(run.mechanism, {}, {}, 1e-3, run.state, run.workspace);
  const Vec3 elbow = point_motion(run.mechanism, run.state, 0, {0, 1, 0}).position_world;
  const Vec3 lower = tip(run) - elbow;
  EXPECT_NEAR(std::atan2(elbow.x, -elbow.y), 0.0875603555967865, 1e-4);
  EXPECT_NEAR(std::atan2(lower.x, -lower.y), 0.3077030022153784, 1e-4);
}

// Second order in the step: for large spatial motion where Coriolis and gyroscopic terms count, and
// with the default numerical damping for a soft tree let go under gravity.
TEST(Step, MotionConvergesAtSecondOrderInTheStep) {
  Material soft = support::beam_material();
  soft.young = 2e7;
  soft.damping_ratio = 0;
  const struct {
    double speed;
    StepOptions options;
  } cases[] = {{6.0, {.numerical_damping = 0}}, {0.0, {}}};
  for (const auto& c : cases) {
    const auto end_after = [&](int steps) {
      Subject run = make_subject(random_tree(12, 3, soft));
      shake(run, 0, c.speed);
      for (int i = 0; i < steps; ++i) {
        const StepReport report =
            step(run.mechanism, {}, c.options, 0.2 / steps, run.state, run.workspace);
        if (steps >= 800) {
          EXPECT_EQ(report.corrections, 0);
        }
      }
      return tip(run);
    };
    // Larger steps repeat passes, which makes them better: their error is bounded, but has no order.
    EXPECT_LT(length(end_after(200) - end_after(400)), 2e-3);
    const Vec3 coarse = end_after(800), middle = end_after(1600), fine = end_after(3200);
    EXPECT_NEAR(std::log2(length(coarse - middle) / length(middle - fine)), 2.0, 0.2);
  }
}

// Undamped and midpoint: 20 periods of the first mode keep the energy; f = 3.5160/(2π) sqrt(EI/ρA)/L².
TEST(Step, UndampedBeamKeepsFrequencyAndEnergy) {
  Material material = support::beam_material();
  material.damping_ratio = 0;
  Subject run = make_subject(cantilever(50, material));
  const double frequency = 3.5160152685 / (2 * pi) * std::sqrt(8.1e9 * 0.01 * 0.01 / 4 / 923);
  const Vec3 gravity{0, -9.81, 0};
  const double start = total(energy_of(run.mechanism, run.state, gravity));
  const double swing = 0.0055893 * 9.81 * 923 * pi * 1e-4;  // scale of what moves [J]
  const double dt = 1.0 / 240;
  double last = 0, first_cross = -1, last_cross = -1, worst = 0;
  int crossings = 0;
  for (int i = 0; i < static_cast<int>(20 / frequency / dt); ++i) {
    step(run.mechanism, {}, {}, dt, run.state, run.workspace);
    const double now = tip(run).y + 0.0055893;  // about the mean
    if (last > 0 && now <= 0) {
      const double at = (i + last / (last - now)) * dt;
      if (first_cross < 0) first_cross = at;
      last_cross = at;
      ++crossings;
    }
    last = now;
    worst = std::max(worst, std::abs(total(energy_of(run.mechanism, run.state, gravity)) - start));
  }
  EXPECT_NEAR((crossings - 1) / (last_cross - first_cross) / frequency, 1.0, 5e-3);
  EXPECT_LT(worst / swing, 0.01);
}

// The damping ratio that is asked for is the one measured back.
TEST(Step, DecayIsTheDampingRatioAskedFor) {
  for (double ratio : {0.01, 0.05, 0.2}) {
    Material material = support::beam_material();
    material.damping_ratio = ratio;
    Subject run = make_subject(cantilever(30, material));
    const double dt = 1.0 / 2000;
    const Loads weightless{.gravity_world = {}};
    // Bend it by a tip force, then let go.
    const PointLoad pull{.body = 29, .point_in_body = {0, 1.0 / 30, 0}, .force = {0, -1, 0}};
    Loads pulled = weightless;
    pulled.points = {&pull, 1};
    for (int i = 0; i < 8000; ++i) step(run.mechanism, pulled, {}, dt, run.state, run.workspace);
    std::vector<double> peaks;
    double before = tip(run).y, now = before;
    for (int i = 0; i < 4000 && peaks.size() < 4; ++i) {
      step(run.mechanism, weightless, {}, dt, run.state, run.workspace);
      const double next = tip(run).y;
      if (i > 1 && now > before && now > next) peaks.push_back(now);
      before = now;
      now = next;
    }
    ASSERT_GE(peaks.size(), 3u);
    const double decrement = std::log(peaks[0] / peaks[2]) / 2;
    const double measured = decrement / std::sqrt(4 * pi * pi + decrement * decrement);
    EXPECT_NEAR(measured / ratio, 1.0, 0.05) << ratio;
  }
}

// A rigid hinged rod in a uniform wind across it: sin φ / cos² φ = K (physics.json W2).
TEST(Step, LimpRodHangsInTheWindAtTheExactAngle) {
  Material limp{.name = "limp", .density = 800, .young = 1e-3, .poisson = 0.3};
  const double radius = 0.005, mass = 800 * pi * radius * radius, speed = 5;
  for (double k : {0.1, 1.0, 5.0}) {
    const double air_density = k * 2 * mass * 9.81 / (2 * radius * speed * speed);
    const Plant plant = make_rod({.segments = 1,
                                  .length = 1,
                                  .radius_base = radius,
                                  .radius_tip = radius,
                                  .direction = {0, -1, 0},
                                  .up = {0, 0, 1},
                                  .material = limp});
    Subject run{.mechanism = compile_mechanism(plant, {.air_density = air_density})};
    run.state = rest_state(run.mechanism);
    run.workspace = make_workspace(run.mechanism);
    const AirLattice air{.velocity_world = {air_node({speed, 0, 0})}};
    const Loads loads{.air = &air};
    for (int i = 0; i < 6000; ++i) step(run.mechanism, loads, {}, 0.01, run.state, run.workspace);
    const Vec3 end = tip(run);
    const double phi = std::atan2(end.x, -end.y);
    EXPECT_NEAR(std::sin(phi) / (std::cos(phi) * std::cos(phi)) / k, 1.0, 1e-3) << k;
  }
}

// A follower force turns with its body; put on slowly. Tolerance of the oracle: 1e-2.
TEST(Step, FollowerForceStaysNormalToTheTip) {
  Subject run = make_subject(cantilever(40));
  const double bending = 8.1e9 * pi / 4 * 1e-8;  // EI
  // α = P L²/EI = 2: tip at (0.76736, 0.57384) L (physics.json E3).
  PointLoad load{.body = 39, .point_in_body = {0, 1.0 / 40, 0}, .follower = true};
  Loads loads{.gravity_world = {}};
  loads.points = {&load, 1};
  for (int i = 0; i < 3000; ++i) {
    load.force = {0, 0, 2 * bending * std::min(1.0, i / 1500.0)};
    step(run.mechanism, loads, {}, 1.0 / 960, run.state, run.workspace);
  }
  EXPECT_NEAR(tip(run).x, 0.76736219153464, 1e-2);
  EXPECT_NEAR(std::abs(tip(run).y), 0.5738390625609429, 1e-2);
}

// Nothing explodes: limp and stiff plants shaken hard keep finite states and gain no energy.
TEST(Step, HardShakingStaysFiniteAndGainsNoEnergy) {
  for (double young : {1e4, 1e6, 1e8, 2e10}) {
    Material material = support::beam_material();
    material.young = young;
    Subject run = make_subject(random_tree(60, 11, material));
    shake(run, 1.0, 20.0);
    const Vec3 gravity{0, -9.81, 0};
    const double start = total(energy_of(run.mechanism, run.state, gravity));
    const double scale = energy_of(run.mechanism, run.state, gravity).kinetic;
    for (int i = 0; i < 240; ++i) {
      const StepReport report = step(run.mechanism, {}, {}, 1.0 / 60, run.state, run.workspace);
      ASSERT_TRUE(report.finite);
      ASSERT_TRUE(is_finite(run.state));
      ASSERT_LT(total(energy_of(run.mechanism, run.state, gravity)), start + 0.05 * scale)
          << "young " << young << " step " << i;
    }
  }
}

// A spin that no substep is short enough for is taken away, and said, instead of ending the run.
TEST(Step, BrakesWhatWhirlsTooFastForAnySubstep) {
  for (Processor processor : {Processor::generic, best_processor()}) {
    Subject run = make_subject(random_tree(30, 5, support::beam_material()), processor);
    run.state.joint_velocity.set(7, {3e8, 0, 1e8});
    run.state.joint_velocity.set(0, {0.1, 0, 0.2});
    const StepReport report = step(run.mechanism, {}, {}, 1.0 / 60, run.state, run.workspace);
    EXPECT_TRUE(report.finite);
    EXPECT_GE(report.braked, 1);
    EXPECT_TRUE(is_finite(run.state));
    EXPECT_NEAR(run.state.time, 1.0 / 60, 1e-12);
    const StepReport next = step(run.mechanism, {}, {}, 1.0 / 60, run.state, run.workspace);
    EXPECT_TRUE(next.finite);
  }
}

}  // namespace
}  // namespace thigmo::step_test
