#pragma once

#include <string_view>

#include "io/tables/segment_table.h"
#include "thigmo/formats.h"

namespace thigmo {

// A tree drawn or scanned elsewhere as a plant that can move. The format is one of those that
// reads_plants; `file` is for messages.
Result<ImportedPlant> read_plant(Format format, std::string_view bytes, std::string_view file,
                                 ImportOptions options = {});

}  // namespace thigmo
