#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/energy.h"
#include "support/plants.h"
#include "support/subject.h"

// Steps in which single passes are not enough: repeated ones, the ceiling of energy, brakes.

namespace thigmo {
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

double total(const Energy& energy) {
  return energy.kinetic + energy.elastic + energy.gravitational;
}

// Passes are repeated with the forces of ground, hand, pull, springs and mass damping taken where the
// last pass led. If one of them forgot that it already has its part there, the repeated passes would
// lead somewhere else than small steps do, which need none.
TEST(ViolentStep, RepeatedPassesLeadWhereSmallStepsDo) {
  const Ground ground{.height = -0.11, .stiffness = 2e3, .damping = 5, .friction = 0.5};
  const PullLoad pull{.body = 9, .hand_world = {0.3, 1, 0.2}, .stiffness = 5, .damping = 0.1};
  const struct {
    const char* what;
    Loads loads;
    bool free;
  } cases[] = {{"alone", {}, false},
               {"dropped", {.ground = &ground}, true},
               {"pulled", {.pulls = {&pull, 1}}, false},
               {"thrown", {}, true}};
  for (const auto& c : cases) {
    const auto end = [&](int steps, int& corrections) {
      Subject run = make_subject(random_tree(14, 4, undamped(2e7)));
      run.mechanism.mass_damping = 0.5;
      run.mechanism.free_base = c.free;
      run.mechanism.base_mass = 2;
      run.mechanism.base_radius = 0.1;
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

// What whirls too fast for any piece is braked, in packs of bodies side by side and one after the other,
// and never gains energy by it.
TEST(ViolentStep, BrakesTakeEnergyInAllKindsOfPacks) {
  for (const bool serial : {false, true}) {
    Subject run = make_subject(random_tree(40, 6, undamped(1e6)));
    const int lanes = 4;
    run.workspace = make_workspace(
        run.mechanism,
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
      // Within what a piece may gain.
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

}  // namespace
}  // namespace thigmo
