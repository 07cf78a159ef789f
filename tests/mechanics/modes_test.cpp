#include "mechanics/modes/modes.h"
#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/step/step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/modes/frequency.h"
#include "support/oracles.h"
#include "support/plants.h"
#include "support/structure.h"

namespace thigmo::modes_test {
namespace {

using nlohmann::json;
using std::numbers::pi;
using support::physics_oracle;

// A rod of length 1 along x with EI = 1 and ρA = 1 at its base: its frequencies are ω̄ / 2π.
RodDescription unit_rod(int segments) {
  const double radius = 0.002;
  const double area = pi * radius * radius, second = pi / 4 * std::pow(radius, 4);
  return {.segments = segments,
          .length = 1,
          .radius_base = radius,
          .radius_tip = radius,
          .direction = {1, 0, 0},
          .up = {0, 1, 0},
          .material = {.name = "unit", .density = 1 / area, .young = 1 / second, .poisson = 0.3}};
}

Modes modes_of(const RodDescription& rod, int count, const Vec3& gravity = {}) {
  const Mechanism mechanism = compile_mechanism(make_rod(rod));
  State state = rest_state(mechanism);
  const Loads loads{.gravity_world = gravity};
  find_equilibrium(mechanism, loads, {}, state);
  return find_modes(mechanism, loads, state, {.count = count});
}

double omega(const Modes& modes, std::size_t k) { return modes.modes.at(k).frequency * 2 * pi; }

// D1: a round rod has every bending frequency twice, once in each plane.
TEST(Modes, UniformCantileverHasEachBendingFrequencyTwice) {
  const json lam = physics_oracle("D1_freq_uniform", "lam");
  const Modes modes = modes_of(unit_rod(20), 6);
  ASSERT_TRUE(modes.converged);
  const double tolerance[3] = {3e-3, 1e-2, 2e-2};
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(omega(modes, k) / lam[k / 2].get<double>(), 1, tolerance[k / 2]);
  }
  EXPECT_NEAR(omega(modes, 0) / omega(modes, 1), 1, 1e-9);
  EXPECT_NEAR(omega(modes, 4) / omega(modes, 5), 1, 1e-9);
}

TEST(Modes, TaperedCantilevers) {
  for (const json& row : physics_oracle("D2_freq_tapered")) {
    const double part = row["tip_over_base"];
    if (row["kind"] != "cone_circular") continue;
    RodDescription rod = unit_rod(60);
    rod.radius_tip = rod.radius_base * part;
    const Modes modes = modes_of(rod, 8);
    ASSERT_TRUE(modes.converged) << part;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(omega(modes, 2 * k) / row["omega_bar"][k].get<double>(), 1, 1e-2) << row << k;
    }
  }
}

// D2: laths that taper in the direction they bend in, or across it.
TEST(Modes, TaperedLaths) {
  for (const json& row : physics_oracle("D2_freq_tapered")) {
    const double part = row["tip_over_base"];
    const bool in_thickness = row["kind"] == "wedge_thickness";
    if (!in_thickness && row["kind"] != "wedge_width") continue;
    // So thin that its other plane and its twisting are beyond the four frequencies.
    const double width = 0.01, thickness = 1e-4;
    // Towards a point the last segments carry most of the higher modes' bending.
    RodDescription rod = unit_rod(part == 0 ? 80 : part < 0.1 ? 40 : 20);
    rod.rectangle = Rectangle{.width = width, .height = thickness};
    rod.rectangle_tip = Rectangle{.width = in_thickness ? width : width * part,
                                  .height = in_thickness ? thickness * part : thickness};
    rod.material.young = 12 / (width * std::pow(thickness, 3));
    rod.material.density = 1 / (width * thickness);
    const Modes modes = modes_of(rod, 4);
    ASSERT_TRUE(modes.converged) << row;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(omega(modes, k) / row["omega_bar"][k].get<double>(), 1, 1e-2) << row << k;
    }
  }
}

// D4: a root that gives way, k = k_root L / EI.
TEST(Modes, RootSpringLowersTheFrequency) {
  for (const json& row : physics_oracle("D4_rootspring")) {
    Plant plant = make_rod(unit_rod(60));
    plant.root_stiffness = row["k"];
    const Mechanism mechanism = compile_mechanism(plant);
    const Modes modes =
        find_modes(mechanism, {.gravity_world = {}}, rest_state(mechanism), {.count = 8});
    ASSERT_TRUE(modes.converged);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(omega(modes, 2 * k) / row["omega_bar"][k].get<double>(), 1, 1e-2) << row << k;
    }
  }
}

// R8: twisting vibrations, ω = β/L √(G/ρ), of a free shaft and of one with a disc at its end;
// μ = I_shaft / I_disc, as β tan β = μ.
TEST(Modes, ShaftsTwist) {
  const auto twisting = [](const RodDescription& rod, std::size_t count) {
    const Modes modes = modes_of(rod, 40);
    std::vector<double> found;
    for (const Mode& mode : modes.modes) {
      const Vec3& turn = mode.turn_world.back();  // the rod lies along x
      if (std::abs(turn.x) > 10 * std::hypot(turn.y, turn.z)) {
        found.push_back(2 * pi * mode.frequency *
                        std::sqrt(rod.material.density / shear_modulus(rod.material)));
      }
    }
    EXPECT_GE(found.size(), count);
    found.resize(count);
    return found;
  };
  // So thick that it twists about as slowly as it bends.
  RodDescription rod = unit_rod(60);
  rod.radius_base = rod.radius_tip = 0.2;
  const json twist = physics_oracle("R8_twist");
  const std::vector<double> free = twisting(rod, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(free[k] / twist["shaft_free_beta"][k].get<double>(), 1, 1e-2);
  }
  for (const json& row : twist["tip_disc"]) {
    const double mass = rod.material.density * pi * 0.04;
    rod.tip_radius = 0.4;
    rod.tip_mass = mass * 0.04 / (row["mu"].get<double>() * 0.16);
    const std::vector<double> found = twisting(rod, 2);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(found[k] / row["beta"][k].get<double>(), 1, 1e-2) << row;
    }
  }
}

TEST(Modes, TipMassLowersTheFrequency) {
  for (const json& row : physics_oracle("D3_tipmass")) {
    RodDescription rod = unit_rod(60);
    rod.tip_mass = row["mu"];
    const Modes modes = modes_of(rod, 4);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(omega(modes, 2 * k) / row["omega_bar"][k].get<double>(), 1, 5e-3) << row;
    }
  }
}

// D5: standing rods lose frequency to their weight, hanging ones gain.
TEST(Modes, WeightLowersStandingAndRaisesHangingRods) {
  for (const json& row : physics_oracle("D5_selfweight_freq", "uniform")) {
    const double gamma = row["Gamma"];
    if (gamma >= 7.8) continue;  // buckled
    const Modes modes = modes_of(unit_rod(80), 4, {-gamma, 0, 0});
    ASSERT_TRUE(modes.stable) << gamma;
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(omega(modes, 2 * k) / row["omega_bar"][k].get<double>(), 1,
                  gamma >= 7 && k == 0 ? 5e-2 : 2e-2)
          << row;
    }
  }
}

// Greenhill: a rod taller than its critical height has no frequency but falls.
// D12: a rod that hangs and hardly resists bending swings like a chain, ω = j₀ₖ/2 √(g/L).
TEST(Modes, HangingChain) {
  RodDescription rod = unit_rod(80);
  rod.material.young *= 1e-6;
  rod.material.poisson = -0.9999;  // stiff against twisting, which a chain knows nothing of
  const Modes modes = modes_of(rod, 8, {1, 0, 0});
  ASSERT_TRUE(modes.stable);
  const json expected = physics_oracle("D12_chain");
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(omega(modes, 2 * k) / expected[k].get<double>(), 1, 1e-2) << k;
  }
}

// D11: Beck's column. A push P along the tip's own axis never buckles it, but two frequencies draw
// together and meet at P = 20.05: from there on the push feeds the vibration. Below, ω obeys
//   p² + 2ω² + 2ω² cos a cosh b + p ω sin a sinh b = 0,  a², b² = √(p²/4 + ω²) ± p/2.
TEST(Modes, BecksColumnFlutters) {
  const json beck = physics_oracle("D11_beck");
  const double critical = beck["P_crit"];
  const auto modes_at = [](double push) {
    const Mechanism mechanism = compile_mechanism(make_rod(unit_rod(40)));
    State state = rest_state(mechanism);
    const PointLoad load{
        .body = 39, .point_in_body = {0, 1.0 / 40, 0}, .force = {0, -push, 0}, .follower = true};
    const Loads loads{.gravity_world = {}, .points = {&load, 1}};
    find_equilibrium(mechanism, loads, {}, state);
    return find_modes(mechanism, loads, state, {.count = 4});
  };
  const auto equation = [](double p, double w) {
    const double root = std::sqrt(p * p / 4 + w * w);
    const double a = std::sqrt(root + p / 2), b = std::sqrt(root - p / 2);
    return p * p + 2 * w * w + 2 * w * w * std::cos(a) * std::cosh(b) +
           p * w * std::sin(a) * std::sinh(b);
  };
  for (double push : {5.0, 12.0, 18.0}) {
    const Modes modes = modes_at(push);
    ASSERT_TRUE(modes.stable) << push;
    for (std::size_t k : {std::size_t{0}, std::size_t{2}}) {
      // Every frequency twice, within 1 % of a root.
      EXPECT_NEAR(omega(modes, k) / omega(modes, k + 1), 1, 1e-6);
      EXPECT_LT(equation(push, 0.99 * omega(modes, k)) * equation(push, 1.01 * omega(modes, k)), 0)
          << push << " " << k;
    }
  }
  EXPECT_TRUE(modes_at(0.97 * critical).stable);
  const Modes beyond = modes_at(1.03 * critical);
  EXPECT_FALSE(beyond.stable);
  EXPECT_EQ(beyond.fluttering, 2);  // once in each plane
  EXPECT_EQ(beyond.negative_directions, 0);
}

// A twisting moment feeds a round rod's bending at any size (Nikolai 1928), and a little damping of its
// own puts it out.
TEST(Modes, DampingPutsOutNikolaisFlutter) {
  const auto fluttering = [](double damping_ratio) {
    auto rod = unit_rod(20);
    rod.material.damping_ratio = damping_ratio;
    const Mechanism mechanism = compile_mechanism(make_rod(rod));
    State state = rest_state(mechanism);
    const PointLoad load{.body = 19, .point_in_body = {0, 0.05, 0}, .moment = {0.05, 0, 0}};
    const Loads loads{.gravity_world = {}, .points = {&load, 1}};
    find_equilibrium(mechanism, loads, {}, state);
    return find_modes(mechanism, loads, state, {.count = 4}).fluttering;
  };
  EXPECT_GT(fluttering(0), 0);
  EXPECT_EQ(fluttering(0.05), 0);
}

TEST(Modes, SaysThatATooTallRodFalls) {
  const Modes standing = modes_of(unit_rod(60), 2, {-7.8, 0, 0});
  EXPECT_TRUE(standing.stable);
  const Modes falling = modes_of(unit_rod(60), 2, {-7.9, 0, 0});
  EXPECT_FALSE(falling.stable);
  EXPECT_EQ(falling.negative_directions, 2);
  EXPECT_TRUE(falling.modes.empty());
}

// A disc at the end of a rod that twists: β tan β = ρ J L/I, ω = β/L √(G/ρ), I = m R²/2. The disc turns
// with the rod's end, half a segment beyond the last one's middle: errors fall with the square.
TEST(Modes, DiscAtTheEndOfATwistingRod) {
  for (const double ratio : {0.1, 0.5, 2.0}) {
    double beta = 0.5;
    for (int i = 0; i < 100; ++i) {
      const double f = beta * std::tan(beta) - ratio;
      beta -= f / (std::tan(beta) + beta / (std::cos(beta) * std::cos(beta)));
    }
    double error[2] = {};
    for (const bool fine : {false, true}) {
      RodDescription rod{.segments = fine ? 40 : 20,
                         .length = 0.05,
                         .radius_base = 0.0025,
                         .radius_tip = 0.0025,
                         .material = support::beam_material()};
      rod.tip_radius = 0.05;
      const double polar = pi / 2 * std::pow(0.0025, 4);
      const double inertia = rod.material.density * polar * rod.length / ratio;
      rod.tip_mass = 2 * inertia / (rod.tip_radius * rod.tip_radius);
      const double exact = beta / rod.length *
                           std::sqrt(shear_modulus(rod.material) / rod.material.density) / (2 * pi);
      error[fine] = 1;
      for (const Mode& mode : modes_of(rod, 8).modes) {
        error[fine] = std::min(error[fine], std::abs(mode.frequency / exact - 1));
      }
    }
    EXPECT_LT(error[0], 2e-3) << ratio;
    EXPECT_LT(error[1], 0.35 * error[0] + 1e-5) << ratio;
  }
}

// P1: frames of round bars that meet at an angle.
TEST(Modes, BranchedFrames) {
  const json frames = physics_oracle("P1_branched");
  for (const auto& [name, frame] : frames.items()) {
    Plant plant{
        .name = name,
        .materials = {{.density = frame["rho"],
                       .young = frame["E"],
                       .poisson = frame["E"].get<double>() / (2 * frame["G"].get<double>()) - 1}}};
    // Depth first: each bar in 5 segments, hung on the last segment of its parent's bar.
    constexpr int pieces = 5;
    std::vector<Index> end = {no_index};
    std::vector<Quat> world_from_bar = {Quat{}};
    for (const json& bar : frame["segments"]) {
      const Vec3 along{bar["vec"][0], bar["vec"][1], bar["vec"][2]};
      const auto node = bar["parent_node"].get<std::size_t>();
      const Quat rotation = rotation_between({0, 1, 0}, normalized(along));
      for (int k = 0; k < pieces; ++k) {
        Segment segment{.parent = k == 0 ? end[node] : segment_count(plant) - 1,
                        .length = length(along) / pieces};
        segment.radius_base = segment.radius_tip = bar["radius"];
        if (segment.parent != no_index) {
          segment.base_in_parent = {
              0, plant.segments[static_cast<std::size_t>(segment.parent)].length, 0};
        }
        if (k == 0) segment.parent_from_segment = conjugate(world_from_bar[node]) * rotation;
        plant.segments.push_back(segment);
      }
      end.push_back(segment_count(plant) - 1);
      world_from_bar.push_back(rotation);
    }
    ASSERT_EQ(support::structure_error(plant), "") << name;
    const Mechanism mechanism = compile_mechanism(plant);
    const Modes modes =
        find_modes(mechanism, {.gravity_world = {}}, rest_state(mechanism), {.count = 6});
    ASSERT_TRUE(modes.converged);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR(modes.modes[k].frequency / frame["freq_hz"][k].get<double>(), 1,
                  k < 4 ? 1e-2 : 2e-2)
          << name << " mode " << k;
    }
  }
}

// A rigid mast with a slanting arm on a hinge that is soft about x alone swings like an inverted
// pendulum, ω² = (k - g Σ m y)/I_xx: only heights count, not how far out the arm's mass sits. (The
// geometric stiffness that frame programs take from axial forces alone makes the arm's part cos²
// of its slant too small.)
TEST(Modes, WeightOfASlantingArmCountsByItsHeight) {
  Plant plant{.name = "mast", .materials = {support::beam_material()}};
  const double slant = pi / 3;
  for (int i = 0; i < 8; ++i) {
    Segment segment{.parent = i - 1, .length = 0.25, .radius_base = 0.01, .radius_tip = 0.01};
    if (i > 0) segment.base_in_parent = {0, 0.25, 0};
    if (i == 4) segment.parent_from_segment = exp_rotation({0, 0, -slant});  // towards x
    plant.segments.push_back(segment);
  }
  Mechanism mechanism = compile_mechanism(plant);
  const double density = plant.materials[0].density * pi * 1e-4, g = 9.81, r = 0.01;  // [kg/m]
  // Heights y(s) of the mast and the arm: ∫ y dm, ∫ y² dm; a disc's own m r²/4 about its diameter,
  // tilted by the slant.
  const double c = std::cos(slant);
  const double first = density * (0.5 + 1 + c / 2);
  const double second = density * (1.0 / 3 + 1 + c + c * c / 3) +
                        density * r * r / 4 * (1 + (1 + std::sin(slant) * std::sin(slant)));
  const double k = 2 * g * first;
  for (Body& body : mechanism.body) body.stiffness = Vec3{1e9, 1e9, 1e9} * k;
  mechanism.body[0].stiffness.x = k;
  State state = rest_state(mechanism);
  const Loads loads{.gravity_world = {0, -g, 0}};
  ASSERT_TRUE(find_equilibrium(mechanism, loads, {}, state).converged);
  const Modes modes = find_modes(mechanism, loads, state, {.count = 1});
  ASSERT_TRUE(modes.converged);
  EXPECT_NEAR(omega(modes, 0) / std::sqrt((k - g * first) / second), 1, 1e-6);
}

// Every mode must satisfy K φ = ω² M φ in the sense of energies: started in its shape, the body
// swings at its frequency and in no other shape.
TEST(Modes, AModeStartedAloneStaysAlone) {
  Material material = support::beam_material();
  material.damping_ratio = 0;
  const Plant plant = support::random_tree(40, 3, material);
  const Mechanism mechanism = compile_mechanism(plant);
  State state = rest_state(mechanism);
  const Loads loads;
  ASSERT_TRUE(find_equilibrium(mechanism, loads, {}, state).converged);
  const Modes modes = find_modes(mechanism, loads, state, {.count = 4});
  ASSERT_TRUE(modes.converged);
  const Pose pose = pose_of(mechanism, state);
  for (const Mode& mode : modes.modes) {
    State moving = state;
    double largest = 0;
    for (const Vec3& turn : mode.turn_world) largest = std::max(largest, length(turn));
    const double speed = 1e-4 * 2 * pi * mode.frequency / largest;
    for (std::size_t i = 0; i < mode.turn_world.size(); ++i) {
      const Index p = mechanism.parent[i];
      const Vec3 relative = mode.turn_world[i] -
                            (p == no_index ? Vec3{} : mode.turn_world[static_cast<std::size_t>(p)]);
      moving.joint_velocity.set(i, rotate(conjugate(pose.world_from_segment[i]), relative) * speed);
    }
    // Half a period later it is back in its place, moving the other way.
    Workspace workspace = make_workspace(mechanism);
    const State start = moving;
    constexpr int steps = 200;
    for (int k = 0; k < steps; ++k) {
      step(mechanism, loads, {}, 0.5 / mode.frequency / steps, moving, workspace);
    }
    double off = 0, fastest = 0;
    for (std::size_t i = 0; i < moving.joint_velocity.size(); ++i) {
      off = std::max(off, length(moving.joint_velocity[i] + start.joint_velocity[i]));
      fastest = std::max(fastest, length(start.joint_velocity[i]));
    }
    // The midpoint rule is slow by (π/200)²/12, and the amplitude of 1e-4 rad is not quite small.
    EXPECT_LT(off, 2e-3 * fastest) << mode.frequency;
  }
}

// Sums along a path of n joints lose √n of the last digit 6e-8, and a frequency has half the error of
// its square.
TEST(Modes, FirstFrequencyInSinglePrecision) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Mechanism tree = compile_mechanism(support::random_tree(3000, seed));
    EXPECT_NEAR(first_frequency_single(tree) / first_frequency(tree), 1, 1e-6);
  }
  const Mechanism rod = compile_mechanism(support::cantilever(500));
  EXPECT_NEAR(first_frequency_single(rod) / first_frequency(rod), 1, 1e-6);
  // Too soft for a float's range.
  Mechanism soft = compile_mechanism(support::cantilever(5));
  for (Body& body : soft.body) body.stiffness = body.stiffness * 1e-60;
  EXPECT_EQ(first_frequency_single(soft), 0);
  EXPECT_GT(first_frequency(soft), 0);
}

TEST(Modes, FirstFrequencyAgreesWithInverseIteration) {
  for (std::uint64_t seed : {1, 2, 3}) {
    const Mechanism mechanism = compile_mechanism(support::random_tree(300, seed));
    const Modes modes =
        find_modes(mechanism, {.gravity_world = {}}, rest_state(mechanism), {.count = 10});
    ASSERT_TRUE(modes.converged);
    // Inverse iteration stops early where the spectrum is crowded, always above the true value.
    EXPECT_NEAR(modes.modes[0].frequency / first_frequency(mechanism), 1, 1e-4);
    EXPECT_LE(modes.modes[0].frequency, first_frequency(mechanism) * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace thigmo::modes_test
