#include "material/section.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace thigmo {
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
}  // namespace thigmo
