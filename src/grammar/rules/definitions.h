#pragma once

#include "grammar/rules/code_writer.h"

namespace thigmo {

// Reads "{ array ..; curve ..; name = e; }".
Result<Done> read_definitions(CodeWriter& writer, Cursor& cursor);

}  // namespace thigmo
