#include "mechanics/compile/damping.h"
#include "mechanics/compile/compile_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/kinematics/energy.h"
#include "mechanics/modes/frequency.h"
#include "mechanics/modes/modes.h"
#include "mechanics/modes/sway.h"
#include "mechanics/statics/inverse_statics.h"
#include "mechanics/step/step.h"
#include "support/plants.h"

namespace thigmo::damping_test {
namespace {

using std::numbers::pi;
const Loads weightless{.gravity_world = {}};

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// A standing rod of r 20 mm, 2 m high, with a thin side branch at half its height that vibrates at less
// than half the rod's frequency.
Plant rod_with_twig(DampingLaw law, double ratio = 0.05) {
  Material wood = support::beam_material();
  wood.damping_ratio = ratio;
  Plant plant{.name = "twigged", .materials = {wood}};
  const auto add = [&](Index parent, double length, double radius, Index axis) {
    Segment s{.parent = parent, .length = length, .radius_base = radius, .radius_tip = radius};
    s.axis = axis;
    if (parent != no_index) s.base_in_parent = {0, plant.segments[at(parent)].length, 0};
    plant.segments.push_back(s);
  };
  for (Index i = 0; i < 10; ++i) add(i - 1, 0.1, 0.02, 0);
  for (Index i = 0; i < 10; ++i) {
    add(9 + i, 0.1, 0.002, 1);
    if (i == 0) plant.segments.back().parent_from_segment = exp_rotation({0, 0, 1.2});
  }
  for (Index i = 0; i < 10; ++i) add(i == 0 ? 9 : 19 + i, 0.1, 0.02, 0);
  plant.damping.law = law;
  return plant;
}

// The mode that moves most of the mass sideways.
const Mode& stem_mode(const Modes& modes, const Mechanism& mechanism, const State& state) {
  const auto sideways = [&](const Mode& mode) {
    const Vec3 mass = effective_mass(mode, mechanism, state);
    return mass.x + mass.z;
  };
  return *std::max_element(modes.modes.begin(), modes.modes.end(),
                           [&](const Mode& a, const Mode& b) { return sideways(a) < sideways(b); });
}

// Started in a mode, the energy falls by exp(-4π ζ) a period.
double measured_ratio(const Mechanism& mechanism, const Loads& loads, const State& rest,
                      const Mode& mode) {
  State state = rest;
  const Pose pose = pose_of(mechanism, state);
  double largest = 0;
  for (const Vec3& turn : mode.turn_world) largest = std::max(largest, length(turn));
  const double speed = 1e-3 * 2 * pi * mode.frequency / largest;
  for (std::size_t i = 0; i < mode.turn_world.size(); ++i) {
    const Index p = mechanism.parent[i];
    const Vec3 bent = mode.turn_world[i] - (p == no_index ? Vec3{} : mode.turn_world[at(p)]);
    state.joint_velocity.set(i, rotate(conjugate(pose.world_from_segment[i]), bent) * speed);
  }
  const auto energy = [&](const State& s) {
    const Energy e = energy_of(mechanism, s, loads.gravity_world);
    return e.kinetic + e.elastic + e.gravitational;
  };
  const double still = energy(rest), start = energy(state);
  Workspace workspace = make_workspace(mechanism);
  constexpr int periods = 3, steps = 150;
  for (int k = 0; k < periods * steps; ++k) {
    step(mechanism, loads, {}, 1 / mode.frequency / steps, state, workspace);
  }
  return std::log((start - still) / (energy(state) - still)) / (4 * pi * periods);
}

// The twig is the plant's lowest mode and must not be what the ratio is of.
TEST(Damping, IsThatOfTheStemWhereATwigIsSlower) {
  for (const DampingLaw law : {DampingLaw::constant, DampingLaw::stiffness}) {
    const Mechanism mechanism = compile_mechanism(rod_with_twig(law));
    const State rest = rest_state(mechanism);
    const Modes modes = find_modes(mechanism, weightless, rest, {.count = 12});
    ASSERT_TRUE(modes.converged);
    const Mode &twig = modes.modes.front(), &stem = stem_mode(modes, mechanism, rest);
    ASSERT_LT(twig.frequency, 0.5 * stem.frequency);
    EXPECT_NEAR(measured_ratio(mechanism, weightless, rest, stem) / 0.05, 1, 0.03);
    // In proportion to stiffness the twig has less, by its frequency; else its own axis's ratio.
    const double expected =
        law == DampingLaw::constant ? 0.05 : 0.05 * twig.frequency / stem.frequency;
    EXPECT_NEAR(measured_ratio(mechanism, weightless, rest, twig) / expected, 1, 0.1);
  }
}

// A root from firm to limp: the wood keeps its dampers, and the sway on that root has the same ratio.
TEST(Damping, OfTheWoodDoesNotDependOnTheRoot) {
  const Mechanism clamped = compile_mechanism(support::cantilever(20));
  for (const double root : {1e4, 100.0, 10.0, 1.0, 1e-6}) {
    Plant plant = support::cantilever(20);
    plant.root_stiffness = root;
    const Mechanism mechanism = compile_mechanism(plant);
    for (std::size_t i = 1; i < mechanism.body.size(); ++i) {
      EXPECT_EQ(mechanism.body[i].damping_time, clamped.body[i].damping_time) << root;
    }
    const State rest = rest_state(mechanism);
    const Modes modes = find_modes(mechanism, weightless, rest, {.count = 2});
    ASSERT_TRUE(modes.converged);
    EXPECT_NEAR(damping_ratio_of(modes.modes[0], mechanism, rest) / 0.05, 1, 0.01) << root;
    if (root >= 1) {
      EXPECT_NEAR(measured_ratio(mechanism, weightless, rest, modes.modes[0]) / 0.05, 1, 0.02)
          << root;
    }
  }
}

// A uniform rod has modes at 1 : 6.267 : 17.55, and D = α M + β K the ratio α/(2ω) + βω/2 in each.
TEST(Damping, RayleighsIsMeasuredBackInThreeModes) {
  Plant plant = support::cantilever(40);
  const double omega = 3.5160152685 * std::sqrt(8.1e9 * 1e-4 / 4 / 923), first = omega / (2 * pi);
  plant.damping = {.law = DampingLaw::rayleigh, .frequencies = {first, 10 * first}};
  for (const bool own_ratios : {false, true}) {
    if (own_ratios) plant.damping.ratios = {0.02, 0.06};
    const double low = own_ratios ? 0.02 : 0.05, high = own_ratios ? 0.06 : 0.05;
    const double alpha = 2 * omega * 10 * (10 * low - high) / 99;
    const double beta = 2 * (10 * high - low) / 99 / omega;
    const Mechanism mechanism = compile_mechanism(plant);
    const State rest = rest_state(mechanism);
    const Modes modes = find_modes(mechanism, weightless, rest, {.count = 6});
    ASSERT_TRUE(modes.converged);
    const double of_first[] = {1, 6.2668934, 17.5474830};
    for (std::size_t k : {0, 1, 2}) {
      const Mode& mode = modes.modes[2 * k];  // each plane has its own
      const double w = omega * of_first[k], expected = alpha / (2 * w) + beta * w / 2;
      EXPECT_NEAR(measured_ratio(mechanism, weightless, rest, mode) / expected, 1, 0.02) << k;
      EXPECT_NEAR(damping_ratio_of(mode, mechanism, rest) / expected, 1, 0.01) << k;
    }
  }
}

// At 80 % of the height that it would buckle at under its weight a column sways far more slowly, and the
// ratio is that of this sway.
TEST(Damping, IsThatOfTheSwayUnderGravity) {
  const Material wood = support::beam_material();
  // Greenhill: L³ = 7.8373 E I/(ρ g A)
  const double radius = 0.002;
  const double tallest =
      std::cbrt(7.8373 * wood.young * radius * radius / 4 / (wood.density * 9.81));
  const Plant plant = make_rod({.segments = 30,
                                .length = 0.8 * tallest,
                                .radius_base = radius,
                                .radius_tip = radius,
                                .material = wood});
  const Loads heavy;
  const Mechanism mechanism = compile_mechanism(plant, {}, heavy.gravity_world);
  const State rest = rest_state(mechanism);
  const Modes modes = find_modes(mechanism, heavy, rest, {.count = 2});
  ASSERT_TRUE(modes.converged && modes.stable);
  const Sway sway = main_sway(mechanism, heavy.gravity_world);
  EXPECT_LT(modes.modes[0].frequency, 0.75 * first_frequency(mechanism));
  EXPECT_NEAR(sway.frequency / modes.modes[0].frequency, 1, 0.01);
  EXPECT_NEAR(measured_ratio(mechanism, heavy, rest, modes.modes[0]) / 0.05, 1, 0.03);
}

// A slender stem with a bough: its joints carry the bough's moment, which makes it sway sideways more
// slowly than its weight alone does. Frequency and ratio are those of the plant that stands.
TEST(Damping, IsThatOfASwayWhoseJointsCarryMoments) {
  Material wood = support::beam_material();
  wood.damping_ratio = 0.05;
  Plant plant{.name = "gibbet", .materials = {wood}};
  const auto add = [&](double radius) {
    const auto parent = static_cast<Index>(plant.segments.size()) - 1;
    Segment s{.parent = parent, .length = 0.1, .radius_base = radius, .radius_tip = radius};
    if (parent != no_index) s.base_in_parent = {0, 0.1, 0};
    plant.segments.push_back(s);
  };
  for (int i = 0; i < 10; ++i) add(0.003);
  for (int i = 0; i < 10; ++i) {
    add(0.004);
    if (i == 0) plant.segments.back().parent_from_segment = exp_rotation({0, 0, -1.4});
  }
  const Loads heavy;
  Mechanism mechanism = compile_mechanism(plant, {}, heavy.gravity_world);
  State standing = rest_state(mechanism);
  ASSERT_TRUE(make_pose_equilibrium(heavy, mechanism, standing).found);
  const Modes modes = find_modes(mechanism, heavy, standing, {.count = 6});
  ASSERT_TRUE(modes.converged && modes.stable);
  const Mode& first = modes.modes[0];
  const Sway sway = main_sway(mechanism, heavy.gravity_world, &standing);
  EXPECT_NEAR(sway.frequency / first.frequency, 1, 0.01);
  EXPECT_LT(sway.frequency, 0.8 * sway.elastic_frequency);
  // What is tuned is the shaken plant, in which the other plane's mode has a part.
  EXPECT_NEAR(measured_ratio(mechanism, heavy, standing, first) / 0.05, 1, 0.1);
}

// A rod whose root is turned down hangs, though it is level at rest.
TEST(Damping, SwayIsThatOfThePoseItStandsIn) {
  const Loads heavy;
  const RodDescription hanging_rod{.segments = 20,
                                   .length = 1,
                                   .radius_base = 0.001,
                                   .radius_tip = 0.001,
                                   .direction = {0, -1, 0},
                                   .material = support::beam_material()};
  RodDescription level_rod = hanging_rod;
  level_rod.direction = {1, 0, 0};
  const Mechanism level = compile_mechanism(make_rod(level_rod));
  const Mechanism hanging = compile_mechanism(make_rod(hanging_rod));
  State turned = rest_state(level);
  const Quat down = exp_rotation({0, 0, -pi / 2}), root = level.body[0].parent_from_rest;
  turned.rest_from_body.set(0, conjugate(root) * down * root);
  const double as_turned = main_sway(level, heavy.gravity_world, &turned).frequency;
  EXPECT_NEAR(as_turned / main_sway(hanging, heavy.gravity_world).frequency, 1, 1e-3);
  State on_turned_root = rest_state(level);
  on_turned_root.root.world_from_plant = down;
  const double by_base = main_sway(level, heavy.gravity_world, &on_turned_root).frequency;
  EXPECT_NEAR(by_base / as_turned, 1, 1e-6);
  EXPECT_GT(as_turned, 1.1 * main_sway(level, heavy.gravity_world).frequency);
}

// What the full solver says moves most of the mass.
TEST(Damping, SwayIsTheModeOfTheLargestMass) {
  const Mechanism mechanism = compile_mechanism(rod_with_twig(DampingLaw::constant));
  const State rest = rest_state(mechanism);
  const Modes modes = find_modes(mechanism, weightless, rest, {.count = 12});
  const Mode& stem = stem_mode(modes, mechanism, rest);
  const Sway sway = main_sway(mechanism, {});
  EXPECT_NEAR(sway.elastic_frequency / stem.frequency, 1, 0.01);
  EXPECT_EQ(sway.frequency, sway.elastic_frequency);
  // A clamped uniform rod moves 0.613 of its mass along; here with the twig's still mass.
  EXPECT_NEAR(sway.mass_share, 0.613 * 2 / 3, 0.15);
  double total = 0;
  for (const double share : sway.bending_share) total += share;
  EXPECT_NEAR(total, 1, 1e-12);
}

// Two rods on one ground, shaken at the frequency of the longer. Each is an oscillator of unit modal mass,
//   q = Γ/(ω_k² - ω² + 2i ζ ω_k ω),  Γ² ~ its length,
// whose forces bend it by q/ω_k², with the energy |q|²/(2 ω_k²). How much the shorter one swings along is for
// the damping ratio to say.
TEST(Damping, SwayIsThatOfAPlantAsDampedAsAskedFor) {
  constexpr double longer = 1.1;
  Plant plant{.name = "two rods", .materials = {support::beam_material()}};
  for (const double length : {1.0, longer}) {
    for (int i = 0; i < 10; ++i) {
      Segment s{.parent = i == 0 ? no_index : static_cast<Index>(plant.segments.size()) - 1,
                .length = length / 10,
                .radius_base = 0.01,
                .radius_tip = 0.01};
      if (i > 0) s.base_in_parent = {0, length / 10, 0};
      plant.segments.push_back(s);
    }
  }
  const Mechanism mechanism = compile_mechanism(plant);
  for (const double ratio : {0.02, 0.05, 0.2}) {
    PoseTree tree = rest_tree(mechanism);
    const Sway sway = main_sway(mechanism, {}, ratio, tree);
    double of_shorter = 0;
    for (std::size_t i = 0; i < 10; ++i) of_shorter += sway.bending_share[i];
    // ω ~ 1/L², that of the longer is 1.
    const auto energy = [&](double length) {
      const double w = std::pow(longer / length, 2);
      return length / (w * w) / (std::pow(w * w - 1, 2) + std::pow(2 * ratio * w, 2));
    };
    const double expected = energy(1) / (energy(1) + energy(longer));
    EXPECT_NEAR(of_shorter / expected, 1, 0.05) << ratio;
  }
}

// ω = 3.516 √(EI/ρA)/L² of a uniform axis alone; side axes ride on theirs as they are.
TEST(Damping, EveryAxisHasItsOwnFrequency) {
  const Plant plant = rod_with_twig(DampingLaw::constant);
  const Mechanism mechanism = compile_mechanism(plant);
  const Axes axes = axes_of(plant, mechanism);
  ASSERT_EQ(axes.count, 2);
  EXPECT_EQ(axes.of_body[0], axes.of_body[29]);
  EXPECT_NE(axes.of_body[0], axes.of_body[10]);
  const std::vector<double> frequency = axis_frequencies(mechanism, axes, rest_tree(mechanism));
  const auto of_rod = [](double radius, double length) {
    return 3.5160152685 * std::sqrt(8.1e9 * radius * radius / 4 / 923) / (length * length) /
           (2 * pi);
  };
  EXPECT_NEAR(frequency[at(axes.of_body[0])] / of_rod(0.02, 2), 1, 0.03);
  EXPECT_NEAR(frequency[at(axes.of_body[10])] / of_rod(0.002, 1), 1, 0.03);
}

TEST(Damping, NoneIsNone) {
  const Mechanism mechanism = compile_mechanism(rod_with_twig(DampingLaw::constant, 0));
  for (const Body& body : mechanism.body) EXPECT_EQ(body.damping_time, 0);
  EXPECT_EQ(mechanism.mass_damping, 0);
}

}  // namespace
}  // namespace thigmo::damping_test
