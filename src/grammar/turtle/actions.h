#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "grammar/rules/program.h"

namespace thigmo {

// What the turtle does with a module.
enum class Action : std::uint8_t {
  nothing,
  draw,
  draw_silently,
  move,
  move_silently,
  turn_left,
  turn_right,
  pitch_up,
  pitch_down,
  roll_left,
  roll_right,
  turn_around,
  roll_to_vertical,
  thinner,
  thicker,
  colour_up,
  colour_down,
  push,
  pop,
  polygon_begin,
  polygon_end,
  vertex,
  organ,
  unknown_organ,
  sub_open,
  sub_close,
  scale,
  move_to,
  tropism,
  elasticity,
  sphere,
  disc,
  cylinder_start,
  cylinder_point,
  cylinder_end,
  cylinder_tangents,
  ask_position,
  ask_heading,
  ask_left,
  ask_up,
  ask_environment,
  set_material,
  set_young,
  set_shear,
  set_density,
  set_damping,
  set_strength,
  set_kind,
  set_joint_factor,
  set_flatness,
  set_hollow
};

// What the turtle does with the kinds of a program, looked up once.
struct Actions {
  std::array<Action, 256> of{};
  std::array<Index, 256> organ_shapes{};  // of kinds that draw an organ
};
Actions find_actions(const Program& program);

// Does a symbol of several characters mean anything to the turtle?
bool turtle_knows(std::string_view symbol);

}  // namespace thigmo
