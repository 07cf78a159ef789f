#pragma once

#include "grammar/turtle/turtle_state.h"

namespace thigmo {

inline constexpr const char* too_many_organs =
    "the plant has more organs than memory is allowed for";

// ~x(length, width), @O(length), @o(length): a predefined organ on the last segment drawn.
Result<Done> draw_organ(Turtle& turtle, const Module& module);

}  // namespace thigmo
