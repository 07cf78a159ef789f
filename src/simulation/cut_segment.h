#pragma once

// Cutting through a segment and its body, and making it whole again.

#include <memory>

#include "simulation/plant_parts.h"

namespace thigmo {

// A segment as it was, and what became of it.
struct CutSegment {
  double along = 0;  // where it was cut, of its length
  Segment whole, lower, upper;
  Body whole_body, lower_body, upper_body;
};

// What becomes of the segment that is to be cut there: its two parts.
void divide(CutSegment& cut);

// Takes what is beyond a point of a segment, which is neither of its ends, out of a plant.
PlantParts take_beyond(Index segment, double along, const DragModel& drag, PlantParts& parts,
                       std::shared_ptr<const CutSegment>& record);

// Whether two plants, the first segment of the second behind a segment of the first, still are what a cut left.
bool fits_together(const PlantParts& lower, Index segment, const PlantParts& upper,
                   const CutSegment& cut);

// Makes it whole again: what was beyond stands on the segment.
void join_segment(const CutSegment& cut, Index segment, PlantParts&& upper, PlantParts& lower);

}  // namespace thigmo
