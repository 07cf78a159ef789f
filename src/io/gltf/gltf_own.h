#pragma once

#include "io/gltf/gltf_nodes.h"
#include "io/tables/segment_table.h"

namespace thigmo::gltf {

// The segments that our own writer left in the extras of joints: {"segment": [length, radius, radius at
// the tip, parent, axis, order]} is the joint's own, whose number is the joint's; {"segments": [number,
// parent, axis, order, radius, radius at the tip, base x y z, tip x y z, …]} are all that ride on it.
// None where a joint has none, as in all files of others, or where they are not 0, 1, 2, … with parents
// before their children. `skins` has the joints of each skin.
std::optional<SegmentTable> own_segments(const Nodes& nodes,
                                         const std::vector<std::vector<Index>>& skins);

}  // namespace thigmo::gltf
