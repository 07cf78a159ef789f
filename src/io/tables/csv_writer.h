#pragma once

#include <span>
#include <string>

#include "io/tables/attribute.h"
#include "plant/motion.h"

namespace thigmo {

// One table of all plants: id, parent, start, end, radii, length, axis and order of every segment, colour and
// kind where one has any. Ids run through it; where there are several plants a column `plant` numbers
// them from 1. `columns` are those that came with each plant; empty: none has any. A plant that has not a
// column that another has leaves its cells empty.
std::string csv_from_plants(std::span<const PosedPlant> plants,
                            std::span<const std::span<const Attribute>> columns = {});

}  // namespace thigmo
