#pragma once

#include "grammar/rules/program.h"

namespace thigmo {

// Reads and compiles the preprocessed model. The program is usable when no error was added.
Program compile(Source source, Diagnostics& diagnostics);

}  // namespace thigmo
