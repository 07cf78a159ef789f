#pragma once

#include <string_view>

#include "scenario/scenario.h"
#include "simulation/simulation.h"

namespace thigmo {

// A place of the scenario on a plant as it was modelled.
struct FoundPlace {
  Index body = 0;
  Vec3 point_in_body;  // [m]
  double along = 0;    // of the body's length
};
// `what` is it that is there, for messages.
Result<FoundPlace> find_place(const Plant& plant, const PointOnPlant& place, std::string_view what);

// The first and the last piece of a segment of a file's tree; of other plants it is one.
struct PiecesOfSegment {
  Index first = 0, last = 0;
};
PiecesOfSegment pieces_of(const Plant& plant, Index segment);

// Its number in the simulation that is made of the scenario.
std::size_t plant_number(const Simulation& simulation, std::string_view name);

}  // namespace thigmo
