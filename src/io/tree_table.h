#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/segment_table.h"

namespace thigmo {

// Trees as tables, one row a piece.
//
// With a header, by the names of the columns (any case; commas, semicolons, tabs or blanks):
//   cylinders, as TreeQSM writes them: radius, length, start_x start_y start_z, axis_x axis_y
//     axis_z (or start_1 …, or x y z and dx dy dz) and parent; or end_x … instead of the axis. z is up.
//   our own: base_x …, tip_x …, radius, radius_tip. y is up.
//   parent tables: x y z (the end of the piece), radius or diameter, parent, id. y is up.
// A parent is the id of another row; without ids a row's number, from 1, or from 0 where roots have a
// negative or empty parent and something stands on 0.
// Without a header, seven columns of numbers are read as SWC: id, type, x, y, z, radius, parent.
// Lengths may have units in their names: "radius (mm)", radius_mm. Other columns, of numbers or words, are
// kept as attributes.
Result<SegmentTable> table_from_csv(std::string_view text, std::string_view file, bool& z_up);

// {"xyz": [[x, y, z], …], "parent": [-1, 0, …], "radius": […]}: node 0 is the root and node i the
// end of the cylinder from its parent. z is up.
Result<SegmentTable> table_from_qsm_json(std::string_view text, std::string_view file);

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
