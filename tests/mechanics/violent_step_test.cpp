#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "mechanics/kinematics/energy.h"
#include "support/plants.h"
#include "support/subject.h"

// Steps in which single passes are not enough: repeated ones, the ceiling of energy, brakes.

namespace thigmo::violent_step_test {
namespace {

using support::make_subject;
using support::random_tree;
using support::Subject;
using support::tip_motion;

constexpr Vec3 gravity{0, -9.81, 0};

Material undamped(double young) {
  Material material = support::beam_material();
  material.young = young;
  material.damping_ratio = 0;
  return material;
}

void spin(Subject& run, double speed) {
  for (std::size_t i = 0; i < run.state.joint_velocity.size(); ++i) {
    const auto draw = [i](std::uint64_t k) { return unit_from_bits(mix_bits(7, i, k)) - 0.5; };
    run.state.joint_velocity.set(i, Vec3{draw(1), draw(2), draw(3)} * speed);
  }
}

// Passes are repeated with the forces of ground, grab, springs and mass damping taken where the
// last pass led. If one of them forgot that it already has its part there, the repeated passes would
// lead somewhere else than small steps do, which need none.
TEST(ViolentStep, RepeatedPassesLeadWhereSmallStepsDo) {
  const Ground ground{.height = -0.11, .stiffness = 2e3, .damping = 5, .friction = 0.5};
  const GrabLoad grab{.body = 9, .target_world = {0.3, 1, 0.2}, .stiffness = 5, .damping = 0.1};
  const struct {
    const char* what;
    Loads loads;
    bool free;
  } cases[] = {{"alone", {}, false},
               {"dropped", {.ground = &ground}, true},
               {"grabbed", {.grabs = {&grab, 1}}, false},
               {"thrown", {}, true}};
  for (const auto& c : cases) {
    const auto end = [&](int steps, int& corrections) {
      Subject run = make_subject(random_tree(14, 4, undamped(2e7)));
      run.mechanism.mass_damping = 0.5;
      if (c.free) run.state.root.hold = RootHold::free;
      run.mechanism.pot_mass = 2;
      run.mechanism.pot_radius = 0.1;
      run.workspace = make_workspace(run.mechanism);
      spin(run, 12);
      for (int i = 0; i < steps; ++i) {
        corrections +=
            step(run.mechanism, c.loads, {}, 0.1 / steps, run.state, run.workspace).corrections;
      }
      return tip_motion(run).position_world;
    };
    int repeated = 0, seldom = 0;
    const Vec3 coarse = end(24, repeated), fine = end(6400, seldom);
    EXPECT_GT(repeated, 0) << c.what;
    // 48 steps, in which no pass is repeated, are off by 8 mm.
    EXPECT_LT(length(coarse - fine), 2e-3) << c.what;
  }
}

// What whirls too fast for any substep is braked, in packs of bodies side by side and one after the other,
// and never gains energy by it.
TEST(ViolentStep, BrakesTakeEnergyInAllKindsOfPacks) {
  for (const bool serial : {false, true}) {
    Subject run = make_subject(random_tree(40, 6, undamped(1e6)));
    const int lanes = 4;
    run.workspace = make_workspace(
        make_step_model(run.mechanism, best_processor(),
                        std::make_shared<Schedule>(make_schedule(run.mechanism, lanes, serial))));
    spin(run, 3e6);
    double before = total(energy_of(run.mechanism, run.state, gravity));
    int braked = 0;
    for (int i = 0; i < 5; ++i) {
      const StepReport report = step(run.mechanism, {}, {}, 1.0 / 60, run.state, run.workspace);
      ASSERT_TRUE(report.finite);
      braked += report.braked;
      const Energy now = energy_of(run.mechanism, run.state, gravity);
      // Within what a substep may gain.
      EXPECT_LT(total(now), before + 1e-3 * (now.kinetic + now.elastic)) << serial << ' ' << i;
      before = total(now);
    }
    EXPECT_GT(braked, 0);
  }
}

// An undamped plant of light, limp twigs that whip and fold for two seconds: nothing gives it energy.
TEST(ViolentStep, NothingGivesEnergyToWhatIsLeftAlone) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    Subject run = make_subject(random_tree(24, seed, undamped(1e5)));
    spin(run, 30);
    const Energy start = energy_of(run.mechanism, run.state, gravity);
    double moved = start.kinetic;
    for (int i = 0; i < 120; ++i) {
      const StepReport report = step(run.mechanism, {}, {}, 1.0 / 60, run.state, run.workspace);
      ASSERT_TRUE(report.finite);
      const Energy now = energy_of(run.mechanism, run.state, gravity);
      moved = std::max(moved, now.kinetic + now.elastic);
      ASSERT_LT(total(now) - total(start), 0.02 * moved) << "seed " << seed << " step " << i;
    }
  }
}

// A base that shakes by radians at a kilohertz cannot be followed. Steps end all the same, at a bounded
// cost, and the motion stays finite.
TEST(ViolentStep, HasABudgetOfPasses) {
  const auto passes = [](const StepReport& r) { return r.substeps + r.corrections + r.rejected; };
  for (const double turn : {0.25, 14.0}) {  // [rad]
    std::vector<double> time;
    std::array<std::vector<double>, 6> value;
    for (int i = 0; i < 4000; ++i) {
      time.push_back(5e-5 * i);
      const double wave = std::sin(2 * std::numbers::pi * 1757 * time.back());
      const double amplitudes[] = {0.01, 0.03, -0.05, -turn, 0.4 * turn, -0.9 * turn};
      for (std::size_t k = 0; k < 6; ++k) value[k].push_back(amplitudes[k] * wave);
    }
    const RootPath path = make_root_path(time, value);
    const Loads loads{.gravity_world = gravity, .root_path = &path};
    for (const int most : {1, 30, 1000}) {
      Subject run = make_subject(random_tree(40, 6, undamped(1e6)));
      for (int i = 0; i < 5; ++i) {
        const StepReport report =
            step(run.mechanism, loads, {.most_passes = most}, 0.04, run.state, run.workspace);
        ASSERT_TRUE(report.finite) << most;
        EXPECT_TRUE(report.coarse) << most;
        EXPECT_LT(passes(report), most + 300) << most;
        EXPECT_TRUE(std::isfinite(total(energy_of(run.mechanism, run.state, gravity))));
        EXPECT_NEAR(run.state.time, 0.04 * (i + 1), 1e-9);
      }
    }
  }
}

TEST(ViolentStep, StopsWhereItIsToldTo) {
  Subject run = make_subject(random_tree(40, 6, undamped(1e6)));
  spin(run, 3e6);
  const StepReport report = step(run.mechanism, {}, {.most_passes = 50, .stop_when_violent = true},
                                 1.0 / 60, run.state, run.workspace);
  EXPECT_FALSE(report.finite);
  EXPECT_TRUE(report.coarse);
  EXPECT_LT(run.state.time, 1.0 / 60);
}

// What is stopped for good on a base that moves because it turns is not taken along: with one pass a
// step thrown, whirling plants come to their hardest brakes and beyond.
TEST(ViolentStep, CoarseStepsGiveNoEnergyToWhatIsThrown) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    Subject run = make_subject(random_tree(20, seed, undamped(1e5)));
    run.state.root.hold = RootHold::free;
    run.mechanism.pot_mass = 1e-3;
    run.mechanism.pot_radius = 0.01;
    run.workspace = make_workspace(run.mechanism);
    spin(run, 3e3);
    run.state.root.omega_plant = {300, 200, -100};
    run.state.root.velocity_world = {50, 0, 20};
    const Energy start = energy_of(run.mechanism, run.state, gravity);
    int coarse = 0;
    for (int i = 0; i < 20; ++i) {
      const StepReport report = step(run.mechanism, {.gravity_world = gravity}, {.most_passes = 1},
                                     1.0 / 60, run.state, run.workspace);
      ASSERT_TRUE(report.finite);
      coarse += report.coarse ? 1 : 0;
      const Energy now = energy_of(run.mechanism, run.state, gravity);
      ASSERT_LT(total(now) - total(start), 0.02 * start.kinetic)
          << "seed " << seed << " step " << i;
    }
    EXPECT_GT(coarse, 0);
  }
}

}  // namespace
}  // namespace thigmo::violent_step_test
