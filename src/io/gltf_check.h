#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/gltf_nodes.h"

namespace thigmo::gltf {

// What is wrong with a file's version, buffers, views, accessors, meshes, nodes, skins and scenes, though a
// reader may need only a part of them: a file that is broken there is likely to be cut off or edited by
// hand. Empty when nothing is. `binary` is the BIN chunk of a GLB; files that buffers name are not opened.
std::string find_fault(const Json& root, std::string_view binary);

// Bytes of a number of an accessor's component type; 0 for a type that there is not.
std::uint64_t bytes_of_component(std::uint64_t type);

// The bytes behind the JSON chunk of a GLB; empty where there are none.
std::string_view binary_chunk(std::string_view bytes);

}  // namespace thigmo::gltf
