#pragma once

#include "grammar/rules/compiler.h"

namespace thigmo {

// "material:" and then "oak", or pairs of a property and its value, or both: the pairs change the
// species. `position` is that of the line.
Result<Done> read_material(Compiler& compiler, Cursor& rest, std::size_t position);

}  // namespace thigmo
