#pragma once

#include "grammar/rules/compiler.h"

namespace thigmo {

// Both begin behind their first word; `position` is that of the line.

// "module NAME(a, b) lives e"
Result<Done> declare_module(Compiler& compiler, Cursor& rest);

// "expect length 12", "expect count F 4"
Result<Done> read_expectation(Compiler& compiler, Cursor& rest, std::size_t position);

}  // namespace thigmo
