#pragma once

#include <span>

#include "base/result.h"
#include "mesh/mesh.h"
#include "mesh/mesh_options.h"
#include "plant/motion.h"

namespace thigmo {

// What a mesh is made of; a group is a ring of a tube, a row of a strap or an organ.
struct MeshSize {
  double vertices = 0, corners = 0, groups = 0;
};

// Not less than `build_mesh` makes of the plant's tubes and of its organs, by their numbers alone.
MeshSize largest_tubes(const Plant& plant, const MeshOptions& options);
MeshSize largest_organs(const Plant& plant, const MeshOptions& options);

// Pictures draw round stems as curves, flat ones with all sides.
enum class MeshUse { file, picture };

// Whether the meshes of these plants together fit the memory that one file may take, which is far below the
// 2^32 vertices and corners that can be numbered. All that writes or draws surfaces asks before it begins.
Result<Done> check_mesh(std::span<const MovingPlant> plants, const MeshOptions& options,
                        MeshUse use = MeshUse::file);

}  // namespace thigmo
