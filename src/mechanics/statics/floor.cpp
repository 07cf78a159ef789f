#include "mechanics/statics/floor.h"

#include <limits>

namespace thigmo {

Floor make_floor(const Plant& plant, double height_world, const PlantFrame& stands) {
  Floor floor{.height_world = height_world, .lowest = {}};
  const Pose rest = rest_pose(plant, stands);
  for (Index i = 0; i < segment_count(plant); ++i) {
    const bool root = point_on_segment(plant, rest, i, 1).y < height_world;
    floor.lowest.push_back(root ? -std::numeric_limits<double>::infinity() : height_world);
  }
  return floor;
}

}  // namespace thigmo
