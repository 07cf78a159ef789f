#pragma once

#include <string_view>

#include "base/result.h"
#include "io/tables/segment_table.h"

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

}  // namespace thigmo
