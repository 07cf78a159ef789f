#pragma once

#include "base/result.h"
#include "mesh/mesh_options.h"
#include "thigmo/surface.h"

namespace thigmo {

// What the numbers of the detail ask for; meshes of organs are left out.
Result<MeshOptions> surface_options(const SurfaceDetail& detail);

}  // namespace thigmo
