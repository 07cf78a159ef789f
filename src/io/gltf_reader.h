#pragma once

#include <string_view>

#include "base/result.h"
#include "io/segment_table.h"

namespace thigmo {

// The skeleton of a glTF or GLB file: the joints of its first skin, or its whole node tree where it
// has none. A piece goes from each joint to each of its child joints; joints without children are
// tips, and the last piece of an axis is drawn on from them with the length of the piece before.
// Where every joint says {"segment": [length, radius, radius at the tip, parent joint, axis, order]} in
// its extras, as in files of our own with a joint for every segment, the segments come back as they were.
// Only the JSON is read: no buffer and no file that it names is ever opened. Widths are not in files
// of others and are completed.
Result<SegmentTable> table_from_gltf(std::string_view bytes, std::string_view file);

}  // namespace thigmo
