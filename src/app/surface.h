#pragma once

#include "base/result.h"
#include "mesh/mesh.h"
#include "mesh/mesh_options.h"
#include "scenario/scenario.h"
#include "thigmo/surface.h"

namespace thigmo {

// What the detail asks for, with the meshes of its organs read.
Result<MeshOptions> mesh_options(const SurfaceDetail& detail);

// The detail of a scenario's output.
SurfaceDetail surface_detail(const OutputSource& output, const std::vector<OrganMesh>& organs);

}  // namespace thigmo
