#pragma once

#include <vector>

#include "io/gltf/gltf_json.h"
#include "math/rotation.h"

namespace thigmo::gltf {

// x -> linear x + offset; linear carries scale too.
struct Transform {
  Mat3 linear{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3 offset;
};

// The nodes of a file, which are trees, and where they are.
struct Nodes {
  const Json* list = nullptr;
  std::vector<Index> parent;          // -1: a root
  std::vector<Index> order;           // depth first, children as the file has them
  std::vector<Transform> world_from;  // each node
};
Result<Nodes> read_nodes(const Json& root);

}  // namespace thigmo::gltf
