#pragma once

#include <string_view>

#include "base/result.h"
#include "io/tables/segment_table.h"

namespace thigmo {

// The skeleton of a glTF or GLB file: the joints of its skins, or its whole node tree where it
// has none. A piece goes to each joint from the nearest joint above it; joints without children are
// tips, and the last piece of an axis is drawn on from them with the length of the piece before: along the
// joint's own y where joints point to their children along it, as Blender's bones do, else straight on.
// Where every joint tells of its segments in its extras, as in files of our own, these come back as they
// were, also those that only ride on a joint.
// Only the JSON is read: no buffer and no file that it names is ever opened. Widths are not in files
// of others and are completed.
Result<SegmentTable> table_from_gltf(std::string_view bytes, std::string_view file);

}  // namespace thigmo
