#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/lines.h"

namespace thigmo {

// Houdini geometry, classic ASCII (PGEOMETRY V5) or JSON, told apart by their first characters.
// Polygons, open or closed, become lines between neighbouring points; all point and primitive
// columns of numbers or words are kept.
Result<LineGeometry> lines_from_geo(std::string_view text, std::string_view file);
Result<LineGeometry> lines_from_geo_classic(std::string_view text, std::string_view file);
Result<LineGeometry> lines_from_geo_json(std::string_view text, std::string_view file);

// Each edge is an open polygon of two points; so edge columns are primitive columns.
std::string geo_classic_from_lines(const LineGeometry& lines);
std::string geo_json_from_lines(const LineGeometry& lines);

}  // namespace thigmo
