#pragma once

#include <span>

#include "mesh/deform.h"
#include "mesh/mesh.h"
#include "mesh/mesh_options.h"
#include "plant/motion.h"

namespace thigmo {

// Several plants as one mesh over one pose, for formats that hold one list of vertices. The plants
// and motions must outlive it.
struct MovingSurface {
  SkinnedMesh mesh;           // its joints number the segments of all plants in a row
  std::vector<double> times;  // [s]; one entry, 0, where nothing moves
  std::vector<MovingPlant> plants;
  std::vector<std::size_t> first_part;  // of the mesh, of each plant
};
MovingSurface make_moving_surface(std::span<const MovingPlant> plants,
                                  const MeshOptions& options = {});

// Positions and normals at a frame. Plants with fewer frames than others stay at their last.
void shape_at(const MovingSurface& surface, std::size_t frame, Deformed& out);

// Frames a second, from the first and last time; 0 where there is but one.
double frame_rate(const MovingSurface& surface);

}  // namespace thigmo
