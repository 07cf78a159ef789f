#pragma once

#include "grammar/rules/code_writer.h"

namespace thigmo {

// Compiles "{ ... }": assignments, if, while and do.
Result<Code> read_statements(CodeWriter& writer, Cursor& cursor, Scope& scope);

}  // namespace thigmo
