#pragma once

#include <string_view>

#include "base/result.h"
#include "io/segment_table.h"

namespace thigmo {

// The skeleton of a glTF or GLB file: the joints of its first skin, or its whole node tree where it
// has none. A piece goes from each joint to each of its child joints; joints without children are
// tips, and the last piece of an axis is drawn on from them with the length of the piece before.
// Only the JSON is read: no buffer and no file that it names is ever opened. Widths are not in such
// files and are completed.
Result<SegmentTable> table_from_gltf(std::string_view bytes, std::string_view file);

}  // namespace thigmo
