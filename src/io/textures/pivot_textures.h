#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/mesh_options.h"

namespace thigmo {

// Pivot Painter 2 textures: one pixel for each element (an axis, or an organ; axes beyond the
// fourth level belong to the one they stand on), half-float EXR.
//   pivots: RGB = where it is rooted, in cm, z up and y mirrored; A = a half whose bits are the
//     parent's number + 1024 (its own number for a root).
//   axes: RGB = its direction · 0.5 + 0.5 in the same axes; A = its length in cm.
// `uvs` gives each vertex of build_mesh(plant, options) the middle of its element's pixel.
struct PivotTextures {
  std::string pivots_exr, axes_exr;
  int width = 0, height = 0;
  Index elements = 0;
  std::vector<Vec2f> uvs;
};
Result<PivotTextures> pivot_textures(const Plant& plant, const MeshOptions& options = {},
                                     const PlantFrame& stands = {});

}  // namespace thigmo
