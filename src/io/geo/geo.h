#pragma once

#include "io/geo/geo_classic.h"
#include "io/geo/geo_json.h"

namespace thigmo {

// Houdini geometry, classic ASCII or JSON, told apart by their first characters.
Result<LineGeometry> lines_from_geo(std::string_view text, std::string_view file);

}  // namespace thigmo
