#include "material/section.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thigmo {

Section round_section(double radius) {
  const double r2 = radius * radius;
  const double second_moment = std::numbers::pi / 4.0 * r2 * r2;
  return {.area = std::numbers::pi * r2,
          .second_moment_x = second_moment,
          .second_moment_z = second_moment,
          .torsion_constant = 2.0 * second_moment,
          .torsion_modulus = std::numbers::pi / 2.0 * r2 * radius};
}

Section rectangular_section(double width, double height) {
  const double a = std::max(width, height), b = std::min(width, height);
  // Saint-Venant, for sides a >= b (Timoshenko & Goodier, Theory of Elasticity, art. 109):
  //   J = a b³/3 [1 - (192 b)/(π⁵ a) Σ_{k odd} tanh(k π a / 2b) / k⁵]
  //   τ = T b/J [1 - 8/π² Σ_{k odd} 1 / (k² cosh(k π a / 2b))], in the middle of a long side
  double sum = 0, shear = 0;
  for (int k = 1; k <= 41; k += 2) {
    const double x = k * std::numbers::pi * a / (2.0 * b);
    sum += std::tanh(x) / std::pow(k, 5);
    shear += 1 / (k * k * std::cosh(x));
  }
  const double j =
      a * b * b * b / 3.0 * (1.0 - 192.0 * b / (std::pow(std::numbers::pi, 5) * a) * sum);
  return {.area = width * height,
          .second_moment_x = width * height * height * height / 12.0,
          .second_moment_z = height * width * width * width / 12.0,
          .torsion_constant = j,
          .torsion_modulus = j / (b * (1 - 8 / (std::numbers::pi * std::numbers::pi) * shear))};
}

}  // namespace thigmo
