#pragma once

#include <span>
#include <string>

#include "io/tables/attribute.h"
#include "plant/plant.h"

namespace thigmo {

struct PlantInPose {
  const Plant* plant = nullptr;
  Pose pose;
  std::span<const Attribute> attributes = {};  // columns of its segments
};

// One table of all plants: id, parent, start, end, radii, length, axis and order of every segment, colour and
// kind where one has any. Ids run through it; where there are several plants a column `plant` numbers
// them from 1. A plant that has not a column that another has leaves its cells empty.
std::string csv_from_plants(std::span<const PlantInPose> plants);

}  // namespace thigmo
