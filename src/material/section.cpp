#include "material/section.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thigmo {

// With the semi-axes a and b:  A = πab,  I = πab³/4,  J = πa³b³/(a² + b²),  W = πab²/2 for b <= a (the
// shear stress is largest at the ends of the shorter axis).
// The lines of shear stress in a twisted ellipse are ellipses of its own shape. Nothing crosses them, so
// that whatever one of them encloses can be taken out: of second moments, J and W that leaves 1 - h⁴, of
// the area 1 - h² (Timoshenko & Goodier, Theory of Elasticity, arts. 104 and 115).
Section elliptic_section(double width, double height, double hollow) {
  using std::numbers::pi;
  const double a = 0.5 * width, b = 0.5 * height, h2 = hollow * hollow;
  const double wall = 1 - h2, stiff = 1 - h2 * h2;
  return {.area = pi * a * b * wall,
          .second_moment_x = pi / 4 * a * b * b * b * stiff,
          .second_moment_z = pi / 4 * a * a * a * b * stiff,
          .torsion_constant = pi * a * a * a * b * b * b / (a * a + b * b) * stiff,
          .torsion_modulus = pi / 2 * a * b * std::min(a, b) * stiff,
          .half_width = a,
          .half_height = b};
}

Section round_section(double radius, double hollow) {
  return elliptic_section(2 * radius, 2 * radius, hollow);
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
          .torsion_modulus = j / (b * (1 - 8 / (std::numbers::pi * std::numbers::pi) * shear)),
          .half_width = 0.5 * width,
          .half_height = 0.5 * height,
          .corners = true};
}

// σ = M_x z/I_x + M_z x/I_z. In a corner both are largest; around an ellipse, x = a cos φ and
// z = b sin φ, the sum is largest at √((M_x b/I_x)² + (M_z a/I_z)²).
double bending_stress(const Section& section, double moment_x, double moment_z) {
  const double about_x = std::abs(moment_x) * section.half_height / section.second_moment_x;
  const double about_z = std::abs(moment_z) * section.half_width / section.second_moment_z;
  return section.corners ? about_x + about_z : std::hypot(about_x, about_z);
}

}  // namespace thigmo
