#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plant/plant.h"

namespace thigmo {

// One ?E module of the string: where the turtle met it, and its parameters, which the environment
// replaces.
struct EnvironmentQuery {
  Vec3 position_world;  // [m]
  Vec3 heading_world, left_world, up_world;
  Index segment = no_index;  // the last one drawn before it
  std::span<double> values;
};

// Answers ?E modules after every step. Implementations must give the same answers for the same
// plant and queries, whatever happened before.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual void answer(const Plant& plant, std::span<EnvironmentQuery> queries) = 0;
};

// Light from straight above: the part that reaches the point, 0 to 1, into the first parameter.
// Beer and Lambert: exp(-A / c²), A the area that leaves and stems above the point in its column of
// c × c cover when seen from above. For leaves of all directions that is half of their own area, the
// extinction 0.5 of Monsi and Saeki 1953.
std::unique_ptr<Environment> light_from_above(double column_size = 0.2);

// Room to grow: the distance to the nearest segment that is not the one the module sits on, at most
// `reach`, into the first parameter.
std::unique_ptr<Environment> free_space(double reach = 0.5);

}  // namespace thigmo
