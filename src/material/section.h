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
  double half_width = 0;        // along x [m]
  double half_height = 0;       // along z [m]
  bool corners = false;         // which both bendings stress at once
};

// An ellipse, `width` along x, `height` along z. Its pith is hollow up to `hollow` of the way from the
// middle to the rim, the same in all directions.
Section elliptic_section(double width, double height, double hollow = 0);

Section round_section(double radius, double hollow = 0);

// Solid rectangle: `width` along x, `height` along z.
Section rectangular_section(double width, double height);

// The largest |σ| of bending about x and z together.
double bending_stress(const Section& section, double moment_x, double moment_z);

}  // namespace thigmo
