#pragma once

#include <span>
#include <vector>

#include "mesh/tube_surface.h"

namespace thigmo {

// How many sides each tube has.
std::vector<int> sides_of_tubes(const Plant& plant, std::span<const Tube> tubes,
                                const MeshOptions& options);

// The tubes to draw, parents first. Where options.weld is set, a side branch begins at a ring just
// outside its parent's wall, and the parent has a hole there, whose rim and that ring are to be
// joined. A branch stays a closed tube that stands in its parent where this cannot be done well: it
// is as thick as the parent, clings to it, meets another branch's hole, or either is flat.
std::vector<TubeShape> tube_shapes(const Plant& plant, const Pose& rest,
                                   const MeshOptions& options);

}  // namespace thigmo
