#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "io/geo/lines.h"
#include "io/rig/moving_surface.h"
#include "io/text/bytes.h"
#include "mesh/deform.h"
#include "mesh/mesh.h"

namespace thigmo {

// Wavefront OBJ. Lines: `v` and `l` elements, negative indices and several points a line allowed;
// faces and everything else is passed over.
Result<LineGeometry> lines_from_obj(std::string_view text, std::string_view file);
std::string obj_from_lines(const LineGeometry& lines);

// Faces: v, vt, vn and f, polygons cut into fans. For organs drawn elsewhere: y along, z up.
Result<OrganSurface> surface_from_obj(std::string_view text, std::string_view file);

// The mesh of plants in a pose (the rest pose where `shape` is null): each is an object with a group for each
// surface of its own, since groups of one name would be merged.
Result<Done> write_obj(const MovingSurface& surface, const Deformed* shape, const ByteSink& sink);

}  // namespace thigmo
