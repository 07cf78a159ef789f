#pragma once

#include "grammar/turtle/turtle_state.h"

namespace thigmo {

// {
void begin_polygon(Turtle& turtle, const Module& module);
// A corner of the innermost open polygon, where the turtle is.
void add_vertex(Turtle& turtle);
// }: it becomes a leaf of the same area.
Result<Done> end_polygon(Turtle& turtle, const Module& module);

}  // namespace thigmo
