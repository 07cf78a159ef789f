#pragma once

#include "grammar/rules/compiler.h"

namespace thigmo {

// "Axiom: ..." from behind its colon on; `position` is that of the line.
Result<Done> read_axiom(Compiler& compiler, Cursor& rest, std::size_t position);

// "predecessor : condition --> successor : weight"; `arrow` is the position of the arrow.
Result<Done> read_rule(Compiler& compiler, const Cursor& line, std::size_t arrow);

// "(a, b)", the names of parameters; how many there are, 0 without parentheses. They go into `rule`
// and become the next slots of `scope`.
Result<int> read_formals(const Compiler& compiler, Cursor& cursor, Rule& rule, Scope& scope);

}  // namespace thigmo
