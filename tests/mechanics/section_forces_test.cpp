#include "mechanics/statics/section_forces.h"
#include "mechanics/compile/compile_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/statics/equilibrium.h"
#include "support/plants.h"

namespace thigmo::section_forces_test {
namespace {

using std::numbers::pi;

// A straight beam along x in its rest pose, weight w per length: M = w (L - s)²/2, V = w (L - s),
// σ = M r / I at both ends of every segment.
TEST(SectionForces, HeavyCantilever) {
  const Plant plant = support::cantilever(10);
  const Mechanism mechanism = compile_mechanism(plant);
  const auto forces = section_forces(plant, mechanism, {}, rest_pose(plant));
  const double w = 923 * 9.81 * pi * 1e-4, second = pi / 4 * 1e-8;
  for (std::size_t i = 0; i < 10; ++i) {
    for (bool tip : {false, true}) {
      const double left = 1 - 0.1 * static_cast<double>(i + (tip ? 1 : 0));
      const SectionForce& at = tip ? forces[i].tip : forces[i].base;
      // up is z of the section and gravity points against it.
      EXPECT_NEAR(at.force.z, -w * left, 1e-12);
      EXPECT_NEAR(at.force.y, 0, 1e-12);
      EXPECT_NEAR(std::abs(at.moment.x), w * left * left / 2, 1e-12);
      EXPECT_NEAR(at.moment.y, 0, 1e-12);
      EXPECT_NEAR(at.stress, w * left * left / 2 * 0.01 / second, 1e-6);
    }
    EXPECT_NEAR(forces[i].safety, 1e8 / forces[i].stress, 1e-9 * forces[i].safety);
  }
}

// A force along a hanging lath and a moment about it: N/A all along, and Saint-Venant's shear.
TEST(SectionForces, PulledAndTwistedLath) {
  const Plant plant = make_rod({.segments = 4,
                                .length = 2,
                                .rectangle = Rectangle{.width = 0.01, .height = 0.03},
                                .direction = {0, -1, 0},
                                .up = {0, 0, 1},
                                .material = support::beam_material()});
  const Mechanism mechanism = compile_mechanism(plant);
  const PointLoad load{
      .body = 3, .point_in_body = {0, 0.5, 0}, .force = {0, -60, 0}, .moment = {0, -2, 0}};
  const auto forces = section_forces(plant, mechanism, {.gravity_world = {}, .points = {&load, 1}},
                                     rest_pose(plant));
  for (const SegmentForces& s : forces) {
    EXPECT_NEAR(s.base.force.y, 60, 1e-12);
    EXPECT_NEAR(s.tip.force.y, 60, 1e-12);
    EXPECT_NEAR(s.base.moment.y, 2, 1e-12);
    EXPECT_NEAR(s.stress, 60 / 3e-4, 1e-6);
    // T / (0.267 a b²) for a/b = 3 (Timoshenko & Goodier, art. 109)
    EXPECT_NEAR(s.base.shear / (2 / (0.267 * 0.03 * 1e-4)), 1, 0.002);
  }
  const std::string csv = section_forces_head() + section_forces_csv("lath", forces);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 9);
}

// σ = 6 F (L - s)/(w h²) at both ends of every segment of a lath that tapers in both sides.
TEST(SectionForces, TaperedLathInItsOwnSections) {
  constexpr int segments = 5;
  const Plant plant = make_rod({.segments = segments,
                                .length = 1,
                                .rectangle = Rectangle{.width = 0.02, .height = 0.05},
                                .rectangle_tip = Rectangle{.width = 0.01, .height = 0.02},
                                .direction = {1, 0, 0},
                                .up = {0, 1, 0},
                                .material = support::beam_material()});
  const Mechanism mechanism = compile_mechanism(plant);
  const PointLoad load{
      .body = segments - 1, .point_in_body = {0, 1.0 / segments, 0}, .force = {0, -10, 0}};
  const auto forces = section_forces(plant, mechanism, {.gravity_world = {}, .points = {&load, 1}},
                                     rest_pose(plant));
  for (int i = 0; i < segments; ++i) {
    for (const bool tip : {false, true}) {
      const double s = static_cast<double>(i + tip) / segments;
      const double width = 0.02 - 0.01 * s, height = 0.05 - 0.03 * s;
      const SectionForce& at =
          tip ? forces[static_cast<std::size_t>(i)].tip : forces[static_cast<std::size_t>(i)].base;
      EXPECT_NEAR(at.stress, 6 * 10 * (1 - s) / (width * height * height), 1e-6) << i << tip;
    }
  }
}

// A rod that is curved and twisted at rest: its sections follow the curve, to its ends.
TEST(SectionForces, SectionsOfACurvedRodFollowTheCurve) {
  const Vec3 curvature{0.7, 1.5, -0.4};
  for (int segments : {7, 20}) {
    const Plant plant = make_rod({.segments = segments,
                                  .length = 1,
                                  .material = support::beam_material(),
                                  .curvature = curvature});
    const Pose pose = rest_pose(plant);
    const auto forces =
        section_forces(plant, compile_mechanism(plant), {.gravity_world = {}}, pose);
    const double h = 1.0 / segments;
    const Quat clamp = pose.world_from_segment[0] * exp_rotation(curvature * (-0.5 * h));
    for (int i = 0; i < segments; ++i) {
      for (double fraction : {0.0, 0.3, 1.0}) {
        const Quat exact = clamp * exp_rotation(curvature * ((i + fraction) * h));
        const Quat section = section_rotation(plant, forces, pose, i, fraction, curvature);
        EXPECT_LT(length(log_rotation(conjugate(exact) * section)), 1e-12) << i << " " << fraction;
      }
    }
  }
}

// A moment at the tip turns the section at s by M s / (E I), a twisting one by T s / (G J): exactly,
// for every number of segments.
TEST(SectionForces, SectionsTurnAsTheBeamDoes) {
  for (int segments : {1, 2, 7}) {
    const Plant plant = support::cantilever(segments);
    const Mechanism mechanism = compile_mechanism(plant);
    const Material& wood = plant.materials[0];
    const double second = pi / 4 * 1e-8;
    for (const Vec3 moment : {Vec3{0, 0, 2.0}, Vec3{3.0, 0, 0}}) {
      PointLoad load{.body = segments - 1,
                     .point_in_body = {0, plant.segments.back().length, 0},
                     .moment = moment};
      const Loads loads{.gravity_world = {}, .points = {&load, 1}};
      State state = rest_state(mechanism);
      ASSERT_TRUE(find_equilibrium(mechanism, loads, {}, state).converged);
      const Pose pose = pose_of(mechanism, state);
      const auto forces = section_forces(plant, mechanism, loads, pose);
      const double curvature = moment.z != 0 ? moment.z / (wood.young * second)
                                             : moment.x / (shear_modulus(wood) * 2 * second);
      for (int i = 0; i < segments; ++i) {
        for (double fraction : {0.0, 0.3, 0.5, 1.0}) {
          const Quat section = section_rotation(plant, forces, pose, i, fraction);
          const Vec3 turn =
              log_rotation(section * conjugate(plant.segments[0].parent_from_segment));
          const double expected = curvature * (i + fraction) / segments;
          EXPECT_NEAR(moment.z != 0 ? turn.z : turn.x, expected, 1e-10) << i << " " << fraction;
        }
      }
    }
  }
}

}  // namespace
}  // namespace thigmo::section_forces_test
