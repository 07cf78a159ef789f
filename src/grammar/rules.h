#pragma once

#include "grammar/grammar.h"
#include "grammar/program.h"

namespace thigmo {

// Modules of each kind.
std::array<std::int64_t, 256> count_kinds(const Kind* kinds, std::size_t size);

// The rule with this number in file order; null for the axiom (-1).
const Rule* rule_with_number(const Program& program, Index number);

// Where the text stands that wrote a module: its rule, or its own place in the axiom.
Place place_of_module(const ModuleString& string, std::size_t module);

Origin origin_of_module(const ModuleString& string, std::size_t module);

}  // namespace thigmo
