#pragma once

#include <span>
#include <vector>

#include "plant/plant.h"

namespace thigmo {

// Half of a segment's largest width.
double largest_radius(const Segment& segment);

// How far the farthest point of what stands on each segment, itself included, can be from where it begins,
// however it bends [m].
std::vector<float> reaches_of(const Plant& plant);
// Takes over what some segments, rising, have grown by; where they have shrunk the reach stays too large.
void grow_reaches(const Plant& plant, std::span<const Index> segments, std::vector<float>& reach);

}  // namespace thigmo
