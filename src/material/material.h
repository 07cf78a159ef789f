#pragma once

#include <string>
#include <utility>

#include "math/vector.h"

namespace thigmo {

// What a segment is made of.
struct Material {
  std::string name;
  double density = 0;        // [kg/m³], green
  double young = 0;          // Young's modulus along the grain [Pa]
  double poisson = 0;        // Poisson's ratio, of what is alike in all directions [-]
  double shear_ratio = 0;    // G/E of what is not, as wood; 0: Poisson's ratio decides [-]
  double damping_ratio = 0;  // of the first bending mode of the plant it is in [-]
  double strength = 0;       // modulus of rupture in bending [Pa]
  friend bool operator==(const Material&, const Material&) = default;
};

// G of twisting [Pa]. A solid that is alike in all directions has G = E / (2 (1 + ν)), a third of E at the
// least; wood, stiff along its grain, has a tenth to a twentieth.
inline double shear_modulus(const Material& material) {
  return material.shear_ratio > 0 ? material.young * material.shear_ratio
                                  : material.young / (2.0 * (1.0 + material.poisson));
}

// Green wood of no particular species; G/E is about the middle of the species' own.
inline Material generic_wood(std::string name) {
  return {.name = std::move(name),
          .density = 900,
          .young = 8e9,
          .shear_ratio = 1.0 / 14,
          .damping_ratio = 0.05,
          .strength = 50e6};
}

}  // namespace thigmo
