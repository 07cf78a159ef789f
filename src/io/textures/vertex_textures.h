#pragma once

#include <string>

#include "base/result.h"
#include "io/rig/moving_surface.h"
#include "io/text/bytes.h"

namespace thigmo {

// A vertex animation texture: x is the vertex, y the frame (with more vertices than `max_width`, a
// frame takes several rows); offsets from the rest position in RGB, 16 bits a channel, scaled from
// one minimum and maximum; normals in a texture of their own, n · 0.5 + 0.5. No colour management,
// no filtering between columns. The JSON says how to read them; vertices are in the order of
// write_ply and write_obj.
struct VertexTextures {
  std::string offsets_png, normals_png, json;
};
Result<VertexTextures> vertex_textures(const MovingSurface& surface, int max_width = 8192);

// The same in pieces, one row at a time; the JSON comes back.
Result<std::string> write_vertex_textures(const MovingSurface& surface, const ByteSink& offsets_png,
                                          const ByteSink& normals_png, int max_width = 8192);

}  // namespace thigmo
