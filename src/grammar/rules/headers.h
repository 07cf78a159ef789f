#pragma once

#include "grammar/rules/compiler.h"

namespace thigmo {

// Reads a header item: a word of the table in model_lines.cpp, and what stands behind its colon.
// `position` is that of the line. An error beside which the item still counts goes to `diagnostics`.
Result<Done> read_header(Compiler& compiler, const std::string& word, Cursor& rest,
                         std::size_t position, Diagnostics& diagnostics);

}  // namespace thigmo
