#pragma once

#include <map>
#include <string>

#include "grammar/rules/program.h"

namespace thigmo {

// Reads and compiles the text of a model, whatever its dialect. The end of the file's name tells it:
// .abs is an articulated-body string of LSDL (grammar/dialects/articulated.h), .sbt the notation of
// soft-body trees (grammar/dialects/soft_body.h), everything else this language. Errors go to
// `diagnostics`; what could be read is returned all the same.
Program read_program(std::string_view file, std::string_view text, const ReadFile& read_include,
                     const std::map<std::string, double>& defines, Diagnostics& diagnostics);

}  // namespace thigmo
