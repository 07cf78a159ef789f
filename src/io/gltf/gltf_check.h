#pragma once

#include "io/gltf/gltf_json.h"

namespace thigmo::gltf {

// Whether a file's version, buffers, views, accessors, meshes, nodes, skins and scenes are sound, though a
// reader may need only a part of them: a file that is broken there is likely to be cut off or edited by
// hand. Files that buffers name are not opened.
Result<Done> check_document(const Document& document);

// Bytes of a number of an accessor's component type; 0 for a type that there is not.
std::uint64_t bytes_of_component(std::uint64_t type);

}  // namespace thigmo::gltf
