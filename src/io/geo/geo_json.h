#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/geo/lines.h"

namespace thigmo {

// Houdini geometry, as JSON. Polygons, open or closed, become lines between neighbouring points;
// all point and primitive columns of numbers or words are kept.
Result<LineGeometry> lines_from_geo_json(std::string_view text, std::string_view file);

// Each edge is an open polygon of two points; so edge columns are primitive columns.
std::string geo_json_from_lines(const LineGeometry& lines);

}  // namespace thigmo
