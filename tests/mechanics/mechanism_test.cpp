#include "mechanics/model/mechanism.h"
#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/model/beam.h"

#include <gtest/gtest.h>

#include <numbers>

#include "mechanics/modes/frequency.h"
#include "support/plants.h"

namespace thigmo::mechanism_test {
namespace {

using std::numbers::pi;

// A frustum's mass properties against a stack of thin discs.
TEST(Mechanism, FrustumInertiaIsThatOfItsDiscs) {
  Plant plant = support::cantilever(1);
  Segment& segment = plant.segments[0];
  segment.length = 0.7;
  segment.radius_base = 0.05;
  segment.radius_tip = 0.02;
  const Body body = compile_mechanism(plant).body[0];
  double mass = 0, first = 0, along = 0, across = 0;
  const int discs = 20000;
  for (int i = 0; i < discs; ++i) {
    const double part = (i + 0.5) / discs, y = 0.7 * part, r = 0.05 - 0.03 * part;
    const double m = 923 * pi * r * r * 0.7 / discs;
    mass += m;
    first += m * y;
    across += m * (y * y + r * r / 4);
    along += m * r * r / 2;
  }
  EXPECT_NEAR(body.mass / mass, 1, 1e-8);
  EXPECT_NEAR(body.first_moment.y / first, 1, 1e-8);
  // Inertias are held in single precision.
  EXPECT_NEAR(body.inertia.xx / across, 1, 1e-7);
  EXPECT_NEAR(body.inertia.yy / along, 1, 1e-7);
}

// ∫ ds/(E I) of a taper against a sum, and the halves add up to the whole.
TEST(Mechanism, TaperComplianceIsTheIntegral) {
  const Segment segment{.length = 2, .radius_base = 0.03, .radius_tip = 0.01};
  const Material material = support::beam_material();
  double bend = 0, twist = 0;
  const int slices = 100000;
  for (int i = 0; i < slices; ++i) {
    const double r = 0.03 - 0.02 * (i + 0.5) / slices, r4 = r * r * r * r;
    bend += 2.0 / slices / (material.young * pi / 4 * r4);
    twist += 2.0 / slices / (shear_modulus(material) * pi / 2 * r4);
  }
  const Vec3 whole = stretch_compliance(segment, material, 0, 1);
  EXPECT_NEAR(whole.x / bend, 1, 1e-7);
  EXPECT_NEAR(whole.y / twist, 1, 1e-7);
  const Vec3 halves =
      stretch_compliance(segment, material, 0, 0.5) + stretch_compliance(segment, material, 0.5, 1);
  EXPECT_NEAR(halves.z / whole.z, 1, 1e-12);
}

// A stem of one, two or three segments, and a long segment before a short or stiff one: the end
// correction moves flexibility, and leaves none of it negative.
TEST(Mechanism, EndCorrectionMovesFlexibilityOnly) {
  for (int segments : {1, 2, 3, 4}) {
    for (double later : {1e-3, 1.0, 1e3}) {
      Plant plant = support::cantilever(segments);
      for (std::size_t i = 1; i < plant.segments.size(); ++i) {
        plant.segments[i].length *= later;
        plant.segments[i].base_in_parent.y = plant.segments[i - 1].length;
      }
      double flexibility = 0, beam = 0;
      for (const Body& body : compile_mechanism(plant).body) {
        EXPECT_GT(body.stiffness.x, 0);
        flexibility += 1 / body.stiffness.x;
      }
      for (const Segment& s : plant.segments) {
        beam += stretch_compliance(s, plant.materials[0], 0, 1).x;
      }
      // The last half has no joint behind it.
      beam -= stretch_compliance(plant.segments.back(), plant.materials[0], 0.5, 1).x;
      EXPECT_NEAR(flexibility / beam, 1, 1e-12) << segments << " " << later;
    }
  }
}

// Stems that widen or narrow before a fork keep springs that push back.
TEST(Mechanism, EveryJointPushesBackWhateverTheTaper) {
  for (int stem : {1, 2, 3, 4, 6}) {
    for (int uneven = 0; uneven < stem; ++uneven) {
      for (double radius_base : {0.001, 0.1}) {
        Plant plant = support::cantilever(stem + 2);
        plant.segments[static_cast<std::size_t>(uneven)].radius_base = radius_base;
        for (int branch : {0, 1}) {
          Segment& s = plant.segments[static_cast<std::size_t>(stem + branch)];
          s.parent = stem - 1;
          s.parent_from_segment = exp_rotation(Vec3{0, 0, branch == 0 ? 0.5 : -0.5});
        }
        for (const Body& body : compile_mechanism(plant).body) {
          EXPECT_GT(body.stiffness.x, 0) << stem << " " << uneven << " " << radius_base;
          EXPECT_GT(body.stiffness.y, 0);
        }
      }
    }
  }
}

// Euler-Bernoulli: ω₁ = 3.5160 sqrt(EI/ρA)/L² (physics.json D1, 3e-3 at 20 links); cones (D2).
TEST(Mechanism, FirstFrequencyOfABeam) {
  const double expected = 3.5160152685 / (2 * pi) * std::sqrt(8.1e9 * 1e-4 / 4 / 923);
  EXPECT_NEAR(first_frequency(compile_mechanism(support::cantilever(20))) / expected, 1, 3e-4);
  EXPECT_NEAR(first_frequency(compile_mechanism(support::cantilever(100))) / expected, 1, 3e-4);
}

TEST(Mechanism, FirstFrequencyOfATaperedBeam) {
  // tip radius 0.8 of the base radius: ω̄ = 3.855116806884132 (physics.json D2, 1e-2)
  const Plant plant = make_rod({.segments = 60,
                                .length = 1,
                                .radius_base = 0.01,
                                .radius_tip = 0.008,
                                .material = support::beam_material()});
  const double expected = 3.855116806884132 / (2 * pi) * std::sqrt(8.1e9 * 1e-4 / 4 / 923);
  EXPECT_NEAR(first_frequency(compile_mechanism(plant)) / expected, 1, 2e-3);
}

// A symmetric Y frame: trunk 2 m, r 30 mm, two branches, r 18 mm; E 8 GPa, ρ 900:
// f₁ = 2.882894381 Hz (physics.json P1, 1e-2).
TEST(Mechanism, FirstFrequencyOfAYFrame) {
  const Material material{.name = "wood", .density = 900, .young = 8e9, .poisson = 0.3};
  const auto frame = [&](int pieces) {
    Plant plant{.name = "Y", .materials = {material}};
    const auto add_run = [&](Index parent, Vec3 vector, double radius) {
      const double piece = length(vector) / pieces;
      for (int i = 0; i < pieces; ++i) {
        Segment segment{
            .parent = parent, .length = piece, .radius_base = radius, .radius_tip = radius};
        if (parent != no_index) {
          segment.base_in_parent = {0, plant.segments[static_cast<std::size_t>(parent)].length, 0};
        }
        if (i == 0) segment.parent_from_segment = rotation_between({0, 1, 0}, normalized(vector));
        plant.segments.push_back(segment);
        parent = static_cast<Index>(plant.segments.size()) - 1;
      }
      return parent;
    };
    const Index fork = add_run(no_index, {0, 2, 0}, 0.03);
    add_run(fork, {0.7713451316238471, 0.9192533317427736, 0}, 0.018);
    add_run(fork, {-0.7713451316238471, 0.9192533317427736, 0}, 0.018);
    return first_frequency(compile_mechanism(plant));
  };
  EXPECT_NEAR(frame(20) / 2.882894381288395, 1, 1e-2);
  EXPECT_NEAR(frame(80) / 2.882894381288395, 1, 1e-3);
}

TEST(Mechanism, DampingTimesTwoOverOmegaOfTheStiffness) {
  const Mechanism mechanism = compile_mechanism(support::cantilever(10));
  const double time = 2 * 0.05 / (2 * pi * first_frequency(mechanism));
  for (const Body& body : mechanism.body) {
    // The sway that dampers are tuned to is found to 1 % of its frequency at worst.
    EXPECT_NEAR(body.damping_time / time, 1, 1e-3);
  }
}

// An organ's mass and centre are added to its segment's.
TEST(Mechanism, OrgansWeighOnTheirSegment) {
  Plant plant = support::cantilever(1);
  const Body bare = compile_mechanism(plant).body[0];
  Organ organ{.segment = 0, .length = 0.25f, .width = 0.125f, .mass = 0.0625f, .drag_area = 0.01f};
  set_place({0, 1, 0}, rotation_about({0, 0, 1}, -pi / 2), organ);
  plant.organs.push_back(organ);
  const Body laden = compile_mechanism(plant).body[0];
  EXPECT_NEAR(laden.mass - bare.mass, 0.0625, 1e-15);
  EXPECT_NEAR(laden.first_moment.x, 0.0625 * 0.125, 1e-15);
  EXPECT_NEAR(laden.first_moment.y - bare.first_moment.y, 0.0625 * 1.0, 1e-15);
  EXPECT_GT(laden.drag_around, 0);
}

}  // namespace
}  // namespace thigmo::mechanism_test
