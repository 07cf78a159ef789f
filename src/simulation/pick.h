#pragma once

#include <optional>

#include "simulation/simulation.h"

namespace thigmo {

// Where a ray, or what is nearest to a point, meets the stems of plants, as capsules between their segments'
// ends: cylinders of the larger radius with a ball at each end.
struct Met {
  std::size_t plant = 0;
  Index segment = 0;
  double along = 0;     // 0: base, 1: tip
  Vec3 position_world;  // on the surface [m]
  double distance = 0;  // from where the ray begins, or from the point to the surface; 0 inside [m]
};

// The first that the ray meets within a distance; `direction` is a unit vector.
std::optional<Met> pick(const Simulation& simulation, const Vec3& origin_world,
                        const Vec3& direction, double reach);

// The nearest within a distance.
std::optional<Met> nearest(const Simulation& simulation, const Vec3& point_world, double within);

}  // namespace thigmo
