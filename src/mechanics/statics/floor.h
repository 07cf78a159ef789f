#pragma once

#include <vector>

#include "plant/plant.h"

namespace thigmo {

// A level, smooth ground in statics: it pushes the tips of segments straight up, and none sinks into
// it.
struct Floor {
  double height_world = 0;  // [m]
  // How low each segment's tip may come [m]; -infinity: it is not held.
  std::vector<double> lowest;
};

// What is modelled below the floor is a root, and not held.
Floor make_floor(const Plant& plant, double height_world, const PlantFrame& stands = {});

}  // namespace thigmo
