#pragma once

#include "math/vector.h"

namespace thigmo {

// A cross-section in the segment's frame: y along the segment, x and z across it.
struct Section {
  double area = 0;              // [m²]
  double second_moment_x = 0;   // ∫ z² dA: bending about x [m⁴]
  double second_moment_z = 0;   // ∫ x² dA: bending about z [m⁴]
  double torsion_constant = 0;  // J of Saint-Venant, not the polar moment unless round [m⁴]
  double torsion_modulus = 0;   // W = T/τ, τ the largest shear stress of a twist [m³]
};

// Solid disc.
Section round_section(double radius);

// Solid rectangle: `width` along x, `height` along z.
Section rectangular_section(double width, double height);

}  // namespace thigmo
