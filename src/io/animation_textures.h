#pragma once

#include <string>

#include "base/result.h"
#include "io/bytes.h"
#include "io/moving_surface.h"

namespace thigmo {

// A vertex animation texture: x is the vertex, y the frame (with more vertices than `max_width`, a
// frame takes several rows); offsets from the rest position in RGB, 16 bits a channel, scaled from
// one minimum and maximum; normals in a texture of their own, n · 0.5 + 0.5. No colour management,
// no filtering between columns. The JSON says how to read them; vertices are in the order of
// ply_bytes and obj_from_mesh.
struct VertexTextures {
  std::string offsets_png, normals_png, json;
};
Result<VertexTextures> vertex_textures(const MovingSurface& surface, int max_width = 8192);

// The same in pieces, one row at a time; the JSON comes back.
Result<std::string> write_vertex_textures(const MovingSurface& surface, const ByteSink& offsets_png,
                                          const ByteSink& normals_png, int max_width = 8192);

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
Result<PivotTextures> pivot_textures(const Plant& plant, const MeshOptions& options = {});

}  // namespace thigmo
