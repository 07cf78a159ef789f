#pragma once

#include "grammar/turtle/turtle_state.h"

namespace thigmo {

// @E…: the material and mechanical properties of what is drawn from here on.
Result<Done> set_mechanics(Turtle& turtle, Action action, const Module& module);

}  // namespace thigmo
