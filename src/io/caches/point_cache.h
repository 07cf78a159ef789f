#pragma once

#include "io/rig/moving_surface.h"
#include "io/text/bytes.h"
#include "mesh/deform.h"

namespace thigmo {

// Point caches: the positions of all vertices at every frame, for the mesh written by write_ply or
// write_obj (same vertices in the same order).

// PC2: a header of 32 bytes, then little-endian floats.
Result<Done> write_pc2(const MovingSurface& surface, const ByteSink& sink);

// MDD: frame and point counts, the times, then the points; all big-endian.
Result<Done> write_mdd(const MovingSurface& surface, const ByteSink& sink);

// Stanford PLY, binary: position, normal, texture coordinates s and t, colour; triangles.
Result<Done> write_ply(const SkinnedMesh& mesh, const Deformed* shape, const ByteSink& sink);

}  // namespace thigmo
