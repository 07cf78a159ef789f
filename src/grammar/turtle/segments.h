#pragma once

#include "grammar/turtle/turtle_state.h"

namespace thigmo {

// F G: a line of the current width. A vertex of an open polygon, if it may be one.
Result<Done> draw_line(Turtle& turtle, const Module& module, bool vertex);

// Generalized cylinders: @Gs begins one, @Gc draws it to here, @Ge draws and ends it, @Gt sets its
// tangents.
void begin_cylinder(Turtle& turtle, const Module& module);
Result<Done> draw_cylinder(Turtle& turtle, const Module& module);
Result<Done> end_cylinder(Turtle& turtle, const Module& module);
Result<Done> set_tangents(Turtle& turtle, const Module& module);

// Along an axis the radius falls steadily to that of the next segment.
void finish_radii(Plant& plant);

}  // namespace thigmo
