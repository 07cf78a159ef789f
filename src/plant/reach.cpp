#include "plant/reach.h"

#include <algorithm>

namespace thigmo {

double largest_radius(const Segment& s) {
  return 0.5 * std::max({2 * s.radius_base, 2 * s.radius_tip, s.height_base, s.height_tip});
}

std::vector<float> reaches_of(const Plant& plant) {
  std::vector<float> reach(plant.segments.size(), 0.0f);
  for (std::size_t i = reach.size(); i-- > 0;) {
    const Segment& s = plant.segments[i];
    reach[i] = std::max(reach[i], static_cast<float>(s.length + largest_radius(s)));
    if (s.parent == no_index) continue;
    float& below = at(reach, s.parent);
    // A little more, for what single precision loses.
    below = std::max(below, (static_cast<float>(length(s.base_in_parent)) + reach[i]) * 1.000001f);
  }
  return reach;
}

}  // namespace thigmo
