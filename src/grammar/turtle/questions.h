#pragma once

#include "grammar/turtle/turtle_state.h"

namespace thigmo {

// ?P ?H ?L ?U ?E: notes what the module asks.
void ask(Turtle& turtle, Action action, const Module& module);

// Fills the parameters of the modules of the string that asked. `plant` is what was drawn of it.
void answer(const Questions& questions, const GrowOptions& options, const Plant& plant,
            ModuleString& string);

}  // namespace thigmo
