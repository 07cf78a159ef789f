#pragma once

#include <string>

#include "plant/plant.h"

namespace thigmo::support {

// What is wrong with a plant's structure, to be shown where a test fails; empty where it is sound.
inline std::string structure_error(const Plant& plant) {
  const Result<Done> sound = check_structure(plant);
  return sound ? std::string() : sound.diagnostics().front().message;
}

}  // namespace thigmo::support
