#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanics/compile/compile_mechanism.h"
#include "mechanics/model/beam.h"
#include "mechanics/model/mechanism.h"
#include "mechanics/modes/modes.h"
#include "mechanics/statics/section_forces.h"
#include "plant/rod.h"
#include "plant/subdivide.h"
#include "support/plants.h"

namespace thigmo::section_shapes_test {
namespace {

using std::numbers::pi;

// A tapering elliptic tube, and a round one.
Segment elliptic_tube() {
  Segment s{.outline = Outline::ellipse, .length = 0.6};
  set_rectangle({0.04, 0.02}, {0.02, 0.015}, s);
  s.hollow = 0.7;
  return s;
}
Segment round_tube() {
  Segment s{.length = 0.6, .radius_base = 0.02, .radius_tip = 0.012};
  s.hollow = 0.7;
  return s;
}

// Mass, centre and inertia against sums over small cells of the wall.
TEST(SectionShapes, MatterOfTubesIsTheIntegral) {
  for (const Segment& s : {elliptic_tube(), round_tube()}) {
    const Material wood = support::beam_material();
    const Body body =
        compile_mechanism({.name = "tube", .materials = {wood}, .segments = {s}}).body[0];
    double mass = 0, first = 0, xx = 0, yy = 0, zz = 0;
    constexpr int along = 40, rings = 60, around = 60;
    for (int i = 0; i < along; ++i) {
      const double part = (i + 0.5) / along, y = part * s.length;
      const Rectangle r = rectangle_at(s, part);
      const double a = r.width / 2, b = is_flat(s) ? r.height / 2 : a;
      for (int k = 0; k < rings; ++k) {
        const double dr = (1 - s.hollow) / rings, at = s.hollow + (k + 0.5) * dr;
        for (int l = 0; l < around; ++l) {
          const double angle = 2 * pi * (l + 0.5) / around;
          const double x = a * at * std::cos(angle), z = b * at * std::sin(angle);
          const double m = wood.density * s.length / along * a * b * at * dr * 2 * pi / around;
          mass += m;
          first += m * y;
          xx += m * (y * y + z * z);
          yy += m * (x * x + z * z);
          zz += m * (x * x + y * y);
        }
      }
    }
    // The sum's steps along the tube err by 1/(12·40²) of y² and of the taper.
    EXPECT_NEAR(body.mass / mass, 1, 1e-4);
    EXPECT_NEAR(stem_volume(s) * wood.density / mass, 1, 1e-4);
    EXPECT_NEAR(body.first_moment.y / first, 1, 2e-4);
    EXPECT_NEAR(body.inertia.xx / xx, 1, 5e-4);
    EXPECT_NEAR(body.inertia.yy / yy, 1, 5e-4);
    EXPECT_NEAR(body.inertia.zz / zz, 1, 5e-4);
  }
}

// ∫ ds/(E I) and ∫ ds/(G J) of both, section by section.
TEST(SectionShapes, ComplianceOfTubesIsTheIntegral) {
  Material wood = support::beam_material();
  wood.shear_ratio = 1.0 / 14;
  for (const Segment& s : {elliptic_tube(), round_tube()}) {
    Vec3 sum;
    constexpr int slices = 10'000;
    for (int i = 0; i < slices; ++i) {
      const Section section = section_at(s, (i + 0.5) / slices);
      sum += Vec3{1 / (wood.young * section.second_moment_x),
                  1 / (wood.young / 14 * section.torsion_constant),
                  1 / (wood.young * section.second_moment_z)} *
             (s.length / slices);
    }
    const Vec3 whole = stretch_compliance(s, wood, 0, 1);
    // Three points of a flat bar that halves its width.
    EXPECT_NEAR(whole.x / sum.x, 1, 2e-3);
    EXPECT_NEAR(whole.y / sum.y, 1, 2e-3);
    EXPECT_NEAR(whole.z / sum.z, 1, 2e-3);
  }
}

// A solid ellipse of equal diameters is a disc, in every number of the mechanism.
TEST(SectionShapes, AnEllipseOfEqualDiametersIsRound) {
  const auto body_of = [](bool flat) {
    RodDescription rod{.segments = 6, .radius_base = 0.01, .radius_tip = 0.01, .hollow = 0.5};
    rod.material = support::beam_material();
    if (flat) rod.rectangle = Rectangle{.width = 0.02, .height = 0.02};
    rod.outline = Outline::ellipse;
    return compile_mechanism(make_rod(rod)).body[3];
  };
  const Body flat = body_of(true), round = body_of(false);
  EXPECT_NEAR(flat.mass / round.mass, 1, 1e-12);
  EXPECT_NEAR(flat.stiffness.x / round.stiffness.x, 1, 1e-12);
  EXPECT_NEAR(flat.stiffness.y / round.stiffness.y, 1, 1e-12);
  EXPECT_NEAR(flat.inertia.yy / round.inertia.yy, 1, 1e-6);
}

// Pieces of a segment are what it was.
TEST(SectionShapes, PiecesKeepTheirSection) {
  const Plant whole{
      .name = "tube", .materials = {support::beam_material()}, .segments = {elliptic_tube()}};
  const Plant cut = subdivided(whole, 4);
  double volume = 0;
  for (const Segment& s : cut.segments) {
    EXPECT_FALSE(is_rectangle(s));
    EXPECT_TRUE(is_flat(s));
    EXPECT_EQ(s.hollow, 0.7);
    volume += stem_volume(s);
  }
  EXPECT_NEAR(volume / stem_volume(whole.segments[0]), 1, 1e-12);
}

// A moment about each axis on a hollow ellipse: M/W of closed forms, and T/W of its twist.
TEST(SectionShapes, StressOfAHollowEllipse) {
  RodDescription rod{
      .segments = 4, .length = 2, .hollow = 0.8, .direction = {0, -1, 0}, .up = {0, 0, 1}};
  rod.rectangle = Rectangle{.width = 0.03, .height = 0.01};
  rod.outline = Outline::ellipse;
  rod.material = support::beam_material();
  const Plant plant = make_rod(rod);
  const Mechanism mechanism = compile_mechanism(plant);
  const double left = 1 - std::pow(0.8, 4), a = 0.015, b = 0.005;
  const auto at_base = [&](const Vec3& moment, const Vec3& force) {
    const PointLoad load{.body = 3,
                         .point_in_body = {0, 0.5, 0},
                         .force = force,
                         .moment = moment,
                         .follower = true};
    return section_forces(plant, mechanism, {.gravity_world = {}, .points = {&load, 1}},
                          rest_pose(plant))[0]
        .base;
  };
  EXPECT_NEAR(at_base({2, 0, 0}, {}).stress / (2 / (pi * a * b * b / 4 * left)), 1, 1e-9);
  EXPECT_NEAR(at_base({0, 0, 2}, {}).stress / (2 / (pi * a * a * b / 4 * left)), 1, 1e-9);
  EXPECT_NEAR(at_base({0, 2, 0}, {}).shear / (2 / (pi * a * b * b / 2 * left)), 1, 1e-9);
  EXPECT_NEAR(at_base({}, {0, 5, 0}).stress / (5 / (pi * a * b * (1 - 0.64))), 1, 1e-9);
}

// A stated body on a spring whose K is a whole matrix: the mechanism has that K, and the three modes of the
// body have ω² of K I⁻¹, by their sum and product.
TEST(SectionShapes, GivenBodiesMayCoupleBendingAndTwisting) {
  for (const Vec3& coupling : {Vec3{1, -2, 0.5}, {-3, 0, 2}, {0, 0, 1e-3}, {2.4, 2.4, 2.4}}) {
    const Vec3 k{5, 6, 7};
    const Sym3 whole{k.x, coupling.x, coupling.y, k.y, coupling.z, k.z};
    Plant plant{.name = "wing", .materials = {support::beam_material()}};
    Segment s{.length = 1, .radius_base = 0.01, .radius_tip = 0.01, .given = 0};
    plant.segments = {s};
    const Vec3 inertia{0.4, 0.03, 0.5};
    plant.given_bodies = {{.mass = 1,
                           .center = {0, 0.5, 0},
                           .inertia = diagonal(inertia),
                           .joint_stiffness = k,
                           .joint_coupling = coupling}};
    const Mechanism mechanism = compile_mechanism(plant);
    const Sym3 found = joint_stiffness(mechanism.body[0]);
    const auto near = [](double a, double b) { EXPECT_NEAR(a, b, 2e-6); };  // held in floats
    near(found.xx, whole.xx), near(found.xy, whole.xy), near(found.xz, whole.xz);
    near(found.yy, whole.yy), near(found.yz, whole.yz), near(found.zz, whole.zz);
    const Modes modes =
        find_modes(mechanism, {.gravity_world = {}}, rest_state(mechanism), {.count = 3});
    ASSERT_EQ(modes.modes.size(), 3u);
    double sum = 0, product = 1;
    for (const Mode& mode : modes.modes) {
      const double square = std::pow(2 * pi * mode.frequency, 2);
      sum += square;
      product *= square;
    }
    const double det = k.x * (k.y * k.z - coupling.z * coupling.z) -
                       coupling.x * (coupling.x * k.z - coupling.z * coupling.y) +
                       coupling.y * (coupling.x * coupling.z - k.y * coupling.y);
    EXPECT_NEAR(sum / (k.x / inertia.x + k.y / inertia.y + k.z / inertia.z), 1, 1e-6);
    EXPECT_NEAR(product / (det / (inertia.x * inertia.y * inertia.z)), 1, 3e-6);
  }
}

}  // namespace
}  // namespace thigmo::section_shapes_test
