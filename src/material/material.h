#pragma once

#include <span>
#include <string>
#include <string_view>

#include "math/vector.h"

namespace thigmo {

// What a segment is made of.
struct Material {
  std::string name;
  double density = 0;        // [kg/m³], green
  double young = 0;          // Young's modulus along the grain [Pa]
  double poisson = 0;        // Poisson's ratio of the equivalent isotropic solid [-]
  double damping_ratio = 0;  // of the first bending mode of the plant it is in [-]
  double strength = 0;       // modulus of rupture in bending [Pa]
};

// G = E / (2 (1 + nu))
inline double shear_modulus(const Material& material) {
  return material.young / (2.0 * (1.0 + material.poisson));
}

struct Species {
  std::string_view name;         // what a scenario writes, e.g. "oak"
  std::string_view common_name;  // e.g. "pedunculate oak"
  double density;                // [kg/m³]
  double young;                  // [Pa]
  double poisson;                // [-]
  double damping_ratio;          // [-]
  double strength;               // [Pa]
  std::string_view source;       // where each number comes from
};

// All species, sorted by name.
std::span<const Species> all_species();

// The species of that name; null when there is none.
const Species* find_species(std::string_view name);

Material material_from(const Species& species);

}  // namespace thigmo
