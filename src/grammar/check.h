#pragma once

#include "grammar/grammar.h"

namespace thigmo {

// Everything that is wrong or suspicious about a model, errors first in the order of the text: what
// the parser refuses, rules that can never apply, parameters nobody uses, unbalanced brackets,
// expansions without end, and what deriving, drawing and the model's `expect` lines say.
Diagnostics check_grammar(std::string_view file, std::string_view text,
                          const ReadFile& read_include = {}, const GrowOptions& options = {});

// The `expect` lines of the model that do not hold; empty when all do.
Diagnostics failed_expectations(const Grammar& grammar, const GrowOptions& options = {});
Diagnostics failed_expectations(const ModuleString& string, const Growth& growth);

}  // namespace thigmo
