#pragma once

#include "io/caches/point_cache.h"
#include "io/geo/obj.h"

namespace thigmo::support {

// Files of a surface as they are written, at rest where `shape` is null.
inline std::string obj_text(const MovingSurface& surface, const Deformed* shape = nullptr) {
  return *bytes_from([&](const ByteSink& sink) { return write_obj(surface, shape, sink); });
}
inline std::string ply_bytes(const MovingSurface& surface, const Deformed* shape = nullptr) {
  return *bytes_from([&](const ByteSink& sink) { return write_ply(surface.mesh, shape, sink); });
}

}  // namespace thigmo::support
