#pragma once

#include "grammar/turtle/turtle_state.h"

namespace thigmo {

// Where the turtle goes and how it turns, without drawing.

// + - ^ & \ /
Result<Done> rotate(Turtle& turtle, Action action, const Module& module);
// |
void turn_around(Turtle& turtle);
// @v: rolls until `left` is horizontal.
void roll_to_vertical(Pen& pen);
// f g
Result<Done> move(Turtle& turtle, const Module& module, bool vertex);
// @M
Result<Done> move_to(Turtle& turtle, const Module& module);
// ! #
Result<Done> set_width(Turtle& turtle, const Module& module, double without_parameter);
// ; ,
Result<Done> set_colour(Turtle& turtle, const Module& module, Index change);
// @D
Result<Done> set_scale(Turtle& turtle, const Module& module);
// @Ts(e), @Ts(number,e), _(e): the elasticity of a tropism.
Result<Done> set_tropism(Turtle& turtle, const Module& module);
// What the tropisms do to the heading behind a line.
Result<Done> bend(Turtle& turtle);

}  // namespace thigmo
