#pragma once

#include "grammar/rules/compiler.h"

namespace thigmo {

// What can only be done when all lines are read: sets of ignored modules, tables for the first look at
// a context, and checks of the whole.
void finish(Compiler& compiler, Diagnostics& diagnostics);

}  // namespace thigmo
