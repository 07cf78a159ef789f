#pragma once

#include <string_view>

#include "base/result.h"
#include "mesh/mesh.h"

namespace thigmo {

// All triangles of a glTF or GLB file in its rest pose, for organs drawn elsewhere: y along, z up.
// Nodes place their meshes; skins and animations are passed over. Buffers are the GLB's own or
// data: URIs; no file that it names is ever opened.
Result<OrganSurface> surface_from_gltf(std::string_view bytes, std::string_view file);

}  // namespace thigmo
