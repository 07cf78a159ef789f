#pragma once

#include "mesh/mesh_options.h"

namespace thigmo {

// Whether an organ has a size and, if it is a leaf, is among the share that is kept: always the same
// ones, and fewer leaves are a part of more.
bool organ_is_drawn(const Organ& organ, std::size_t number, const MeshOptions& options);

SkinnedMesh build_mesh(const Plant& plant, const MeshOptions& options = {},
                       const PlantFrame& stands = {});

}  // namespace thigmo
