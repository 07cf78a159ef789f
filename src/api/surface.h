#pragma once

#include "base/result.h"
#include "mesh/mesh.h"
#include "simulation/scenario.h"
#include "thigmo/thigmo.h"

namespace thigmo {

// What the detail asks for, with the meshes of its organs read.
Result<MeshOptions> mesh_options(const SurfaceDetail& detail);

// The detail of a scenario's output.
SurfaceDetail surface_detail(const OutputSource& output,
                             const std::vector<OrganMeshSource>& organs);

}  // namespace thigmo
