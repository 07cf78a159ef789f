#pragma once

#include "grammar/turtle/turtle_state.h"

namespace thigmo {

// Memory for what is drawn: a small model may draw more than a machine holds.

// Room for the segments and organs that the kinds of the string make most likely.
void reserve_room(const Turtle& turtle, Drawing& drawing);

// Room for one more; false where that is more than a plant may take.
bool make_room_for_segment(Drawing& drawing);
bool make_room_for_organ(Drawing& drawing);

}  // namespace thigmo
