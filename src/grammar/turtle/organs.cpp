#include "grammar/turtle/organs.h"

#include <array>
#include <numbers>

namespace thigmo {

namespace {

constexpr double ellipse = std::numbers::pi / 4.0;

// Area factors: a leaf is an ellipse, a needle and a blade nearly a rectangle and a long triangle,
// a heart, a lobed leaf and a petal fill 0.7, 0.55 and 0.7 of their box, a flower shows a disc.
constexpr std::array<OrganShape, 9> shapes{{
    {'l', OrganKind::leaf, "elliptic leaf", 0.06, 0.5, ellipse},
    {'f', OrganKind::flower, "flower", 0.03, 1.0, ellipse},
    {'k', OrganKind::bud, "bud", 0.01, 0.5, ellipse},
    {'r', OrganKind::fruit, "fruit", 0.03, 1.0, ellipse},
    {'n', OrganKind::leaf, "needle", 0.03, 0.05, 0.9},
    {'b', OrganKind::leaf, "grass blade", 0.2, 0.04, 0.65},
    {'h', OrganKind::leaf, "heart-shaped leaf", 0.06, 0.9, 0.7},
    {'o', OrganKind::leaf, "lobed leaf", 0.08, 0.6, 0.55},
    {'p', OrganKind::flower, "petal", 0.03, 0.7, 0.7},
}};
static_assert(shapes[needle_shape].letter == 'n' && shapes[blade_shape].letter == 'b');

}  // namespace

std::span<const OrganShape> organ_shapes() { return shapes; }

double organ_mass(const OrganShape& shape, double length, double width) {
  if (shape.kind == OrganKind::fruit || shape.kind == OrganKind::bud) {
    return fruit_density * std::numbers::pi / 6.0 * length * width * width;
  }
  return fresh_leaf_mass_per_area * shape.area_factor * length * width;
}

}  // namespace thigmo
