#pragma once

#include <span>

#include "plant/plant.h"

namespace thigmo {

// A predefined organ, drawn by ~x(length, width).
struct OrganShape {
  char letter;
  OrganKind kind;
  const char* name;
  double default_length;  // [m]
  double width_ratio;     // width / length when no width is given
  double area_factor;     // one-sided area / (length * width)
};

// All of them; an organ's shape number is its place here.
std::span<const OrganShape> organ_shapes();

// The shape number of polygons { }, which have an outline of their own.
inline constexpr Index polygon_shape = 100;

// Fresh mass per one-sided leaf area. Leaf mass per area of broad-leaved plants is about 75 g/m² dry
// (Poorter et al. 2009, New Phytologist 182: 565-588), of which dry
// matter is about 0.3 of the fresh mass (Wilson et al. 1999, New Phytologist 143:
// 155-162).
inline constexpr double fresh_leaf_mass_per_area = 0.25;  // [kg/m²]

// Fruits and buds are solid spheroids of water's density.
inline constexpr double fruit_density = 1000.0;  // [kg/m³]

// The mass of an organ of this size [kg].
double organ_mass(const OrganShape& shape, double length, double width);

}  // namespace thigmo
