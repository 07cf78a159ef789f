#pragma once

#include "base/result.h"
#include "grammar/rewrite/module_string.h"

namespace thigmo {

// Refuses a string with a bracket that has no partner.
Result<Done> check_brackets(const ModuleString& string);

}  // namespace thigmo
