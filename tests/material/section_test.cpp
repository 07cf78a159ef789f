#include "material/section.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace thigmo::section_test {
namespace {

// ∫ f dA over the points (x, z) of the box for which `inside` holds, by the midpoint rule.
double integral(double half_x, double half_z, const std::function<bool(double, double)>& inside,
                const std::function<double(double, double)>& f) {
  constexpr int n = 1000;
  const double dx = 2 * half_x / n, dz = 2 * half_z / n;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      const double x = -half_x + (i + 0.5) * dx, z = -half_z + (k + 0.5) * dz;
      if (inside(x, z)) sum += f(x, z) * dx * dz;
    }
  }
  return sum;
}

TEST(Section, MomentsOfADiscAreItsIntegrals) {
  const double r = 0.03;
  const Section disc = round_section(r);
  const auto inside = [r](double x, double z) { return x * x + z * z < r * r; };
  const auto relative = [](double a, double b) { return std::abs(a / b - 1); };
  // Cells cut by the circle make errors of about 1/1000 of the area, of both signs.
  EXPECT_LT(relative(integral(r, r, inside, [](double, double) { return 1; }), disc.area), 1e-4);
  EXPECT_LT(relative(integral(r, r, inside, [](double, double z) { return z * z; }),
                     disc.second_moment_x),
            2e-4);
  EXPECT_EQ(disc.second_moment_x, disc.second_moment_z);
  // A disc does not warp: its torsion constant is the polar moment.
  EXPECT_DOUBLE_EQ(disc.torsion_constant, disc.second_moment_x + disc.second_moment_z);
}

TEST(Section, MomentsOfARectangleAreItsIntegrals) {
  const double width = 0.03, height = 0.05;
  const Section section = rectangular_section(width, height);
  const auto inside = [](double, double) { return true; };
  EXPECT_NEAR(section.area, width * height, 1e-18);
  // The midpoint rule errs by h²/12 of the second derivative: 1/n² relative, n = 1000.
  EXPECT_NEAR(integral(width / 2, height / 2, inside, [](double, double z) { return z * z; }) /
                  section.second_moment_x,
              1, 2e-6);
  EXPECT_NEAR(integral(width / 2, height / 2, inside, [](double x, double) { return x * x; }) /
                  section.second_moment_z,
              1, 2e-6);
}

// Tubes, ellipses and elliptic tubes.
TEST(Section, MomentsOfHollowEllipsesAreTheirIntegrals) {
  for (const auto& [width, height, hollow] :
       {std::array{0.06, 0.06, 0.8}, {0.06, 0.03, 0.0}, {0.03, 0.08, 0.5}, {0.06, 0.04, 0.95}}) {
    const Section section = elliptic_section(width, height, hollow);
    const double a = width / 2, b = height / 2;
    const auto inside = [&, h = hollow](double x, double z) {
      const double r2 = x * x / (a * a) + z * z / (b * b);
      return r2 < 1 && r2 >= h * h;
    };
    const auto part = [&](const std::function<double(double, double)>& f, double expected) {
      // Cells cut by two rims, seen against a wall of a twentieth of the radius.
      EXPECT_NEAR(integral(a, b, inside, f) / expected, 1, 2e-3) << width << ' ' << height;
    };
    part([](double, double) { return 1; }, section.area);
    part([](double, double z) { return z * z; }, section.second_moment_x);
    part([](double x, double) { return x * x; }, section.second_moment_z);
    EXPECT_EQ(section.half_width, a);
    EXPECT_EQ(section.half_height, b);
  }
}

// Cut into thin elliptic tubes, each Bredt's: one of thickness t has the shear flow q with
// ∮ (q/t) ds = 2 G θ' A, and they carry T = Σ 2 A q together.
TEST(Section, TorsionOfAHollowEllipseByThinTubes) {
  const double a = 0.012, b = 0.007, h = 0.6;
  double j = 0, steepest = 0;
  constexpr int rings = 2000, points = 2000;
  for (int i = 0; i < rings; ++i) {
    const double dr = (1 - h) / rings, r = h + (i + 0.5) * dr;
    double around = 0, thinnest = 1e9;  // ∮ ds/t
    for (int k = 0; k < points; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5) / points;
      const double c = std::cos(angle), s = std::sin(angle);
      const double ds = r * std::hypot(a * s, b * c) * 2 * std::numbers::pi / points;
      const double t = dr * a * b / std::hypot(a * s, b * c);  // distance to the next ellipse
      around += ds / t;
      thinnest = std::min(thinnest, t);
    }
    const double enclosed = std::numbers::pi * a * b * r * r;
    const double flow = 2 * enclosed / around;  // over G θ'
    j += 2 * enclosed * flow;
    steepest = std::max(steepest, flow / thinnest);
  }
  const Section section = elliptic_section(2 * a, 2 * b, h);
  EXPECT_NEAR(section.torsion_constant / j, 1, 1e-5);
  // T/W = τ, T = G θ' J.
  EXPECT_NEAR(section.torsion_constant / section.torsion_modulus / steepest, 1, 1e-3);
  EXPECT_DOUBLE_EQ(elliptic_section(2 * b, 2 * a, h).torsion_modulus, section.torsion_modulus);
}

// A thin tube is Bredt's, J = 2π r³ t; a solid disc has the polar moment.
TEST(Section, ThinTubesAreBredts) {
  const double r = 0.02, t = 1e-4;
  const Section tube = round_section(r + t / 2, (r - t / 2) / (r + t / 2));
  EXPECT_NEAR(tube.torsion_constant / (2 * std::numbers::pi * r * r * r * t), 1, 1e-4);
  EXPECT_NEAR(tube.torsion_modulus / (2 * std::numbers::pi * r * r * t), 1, 3e-3);
  EXPECT_NEAR(tube.area / (2 * std::numbers::pi * r * t), 1, 1e-12);
}

// The largest σ over all points of the rim.
TEST(Section, BendingStressIsTheLargestOnTheRim) {
  const double mx = 3, mz = -2;
  for (const Section& section : {elliptic_section(0.06, 0.02), elliptic_section(0.03, 0.05, 0.7),
                                 round_section(0.02, 0.4)}) {
    double largest = 0;
    for (int k = 0; k < 100'000; ++k) {
      const double angle = 2 * std::numbers::pi * k / 100'000;
      const double x = section.half_width * std::cos(angle);
      const double z = section.half_height * std::sin(angle);
      largest = std::max(
          largest, std::abs(mx * z / section.second_moment_x + mz * x / section.second_moment_z));
    }
    EXPECT_NEAR(bending_stress(section, mx, mz) / largest, 1, 1e-8);
  }
  const Section bar = rectangular_section(0.02, 0.03);
  EXPECT_NEAR(bending_stress(bar, mx, mz),
              mx * 0.015 / bar.second_moment_x + -mz * 0.01 / bar.second_moment_z, 1e-3);
}

// J / (a b³) for sides a >= b: Timoshenko & Goodier, Theory of Elasticity, table in art. 109.
TEST(Section, TorsionOfARectangleEqualsTheTable) {
  const double b = 0.02;
  const struct {
    double ratio, factor, rounding;
  } rows[] = {{1.0, 0.1406, 5e-5}, {1.2, 0.166, 5e-4}, {1.5, 0.196, 5e-4},
              {2.0, 0.229, 5e-4},  {2.5, 0.249, 5e-4}, {3.0, 0.263, 5e-4},
              {4.0, 0.281, 5e-4},  {5.0, 0.291, 5e-4}, {10.0, 0.312, 1e-3}};
  for (const auto& row : rows) {
    const double a = row.ratio * b;
    EXPECT_NEAR(rectangular_section(a, b).torsion_constant / (a * b * b * b), row.factor,
                row.rounding)
        << row.ratio;
    EXPECT_EQ(rectangular_section(a, b).torsion_constant,
              rectangular_section(b, a).torsion_constant);
  }
}

// T/(a b² k), k as tabulated for sides a ≥ b (Timoshenko & Goodier, art. 109).
TEST(Section, ShearOfTwistedRectangles) {
  constexpr double table[][2] = {{1, 0.208}, {1.5, 0.231}, {2, 0.246}, {2.5, 0.258},
                                 {3, 0.267}, {4, 0.282},   {5, 0.291}, {10, 0.312}};
  for (const auto& [ratio, k] : table) {
    EXPECT_NEAR(rectangular_section(ratio, 1).torsion_modulus / ratio, k, 6e-4) << ratio;
    EXPECT_NEAR(rectangular_section(1, ratio).torsion_modulus / ratio, k, 6e-4) << ratio;
  }
}

}  // namespace
}  // namespace thigmo::section_test
