#include "plant/reach.h"

#include <algorithm>

namespace thigmo {

double largest_radius(const Segment& s) {
  return 0.5 * std::max({2 * s.radius_base, 2 * s.radius_tip, s.height_base, s.height_tip});
}

namespace {

float own_reach(const Segment& s) { return static_cast<float>(s.length + largest_radius(s)); }

// How far a segment's parent reaches by it. A little more, for what single precision loses.
float reach_below(const Segment& s, float reach) {
  return (static_cast<float>(length(s.base_in_parent)) + reach) * 1.000001f;
}

}  // namespace

std::vector<float> reaches_of(const Plant& plant) {
  std::vector<float> reach(plant.segments.size(), 0.0f);
  for (std::size_t i = reach.size(); i-- > 0;) {
    const Segment& s = plant.segments[i];
    reach[i] = std::max(reach[i], own_reach(s));
    if (s.parent == no_index) continue;
    float& below = at(reach, s.parent);
    below = std::max(below, reach_below(s, reach[i]));
  }
  return reach;
}

void grow_reaches(const Plant& plant, std::span<const Index> segments, std::vector<float>& reach) {
  for (const Index grown : segments) {
    float needed = own_reach(segment_at(plant, grown));
    for (Index i = grown; i != no_index && needed > at(reach, i);) {
      at(reach, i) = needed;
      const Segment& s = segment_at(plant, i);
      needed = reach_below(s, needed);
      i = s.parent;
    }
  }
}

}  // namespace thigmo
