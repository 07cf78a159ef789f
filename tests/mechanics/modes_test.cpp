#include "mechanics/modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/frequency.h"
#include "support/oracles.h"
#include "support/plants.h"

namespace thigmo {
namespace {

using nlohmann::json;
using support::physics_oracle;
constexpr double pi = std::numbers::pi;

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
      // Document: 1e-2. Towards a point the last segments carry most of the higher modes' bending.
      EXPECT_NEAR(omega(modes, 2 * k) / row["omega_bar"][k].get<double>(), 1,
                  part < 0.1 && k > 1 ? 2e-2 : 1e-2)
          << row << k;
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
TEST(Modes, SaysThatATooTallRodFalls) {
  const Modes standing = modes_of(unit_rod(60), 2, {-7.8, 0, 0});
  EXPECT_TRUE(standing.stable);
  const Modes falling = modes_of(unit_rod(60), 2, {-7.9, 0, 0});
  EXPECT_FALSE(falling.stable);
  EXPECT_EQ(falling.negative_directions, 2);
  EXPECT_TRUE(falling.modes.empty());
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
    // Depth first: each bar in 30 segments, hung on the last segment of its parent's bar.
    constexpr int pieces = 30;
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
    ASSERT_EQ(structure_error(plant), "") << name;
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
      moving.joint_velocity[i] = rotate(conjugate(pose.world_from_segment[i]), relative) * speed;
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
}  // namespace thigmo
