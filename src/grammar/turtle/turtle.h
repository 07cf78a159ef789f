#pragma once

#include <string>

#include "base/result.h"
#include "grammar/rewrite/module_string.h"
#include "grammar/rewrite/options.h"
#include "grammar/turtle/growth.h"

namespace thigmo {

// Draws the modules of a string, after the homomorphism, into a plant. Without `build_plant` it counts
// and measures only.
Result<Growth> draw_string(const ModuleString& string, const GrowOptions& options,
                           bool build_plant = true);

// Draws the string and fills the parameters of its ?P ?H ?L ?U and ?E modules.
Result<Done> answer_questions(const GrowOptions& options, ModuleString& string);

// The symbols of the modules that the turtle sees. For tests, which compare them with other programs'.
Result<std::string> drawn_text(const ModuleString& string, const GrowOptions& options = {});

}  // namespace thigmo
