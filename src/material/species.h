#pragma once

#include <span>
#include <string_view>

#include "material/material.h"

namespace thigmo {

struct Species {
  std::string_view name;         // what a scenario writes, e.g. "oak"
  std::string_view common_name;  // e.g. "pedunculate oak"
  double density;                // [kg/m³]
  double young;                  // [Pa]
  double shear_ratio;            // G_LT / E_L [-]
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
