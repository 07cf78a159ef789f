#include "grammar/turtle/actions.h"

#include <optional>

#include "grammar/turtle/organs.h"

namespace thigmo {

namespace {

struct NamedAction {
  std::string_view name;
  Action action;
};
constexpr NamedAction named_actions[] = {
    {"F", Action::draw},
    {"G", Action::draw_silently},
    {"f", Action::move},
    {"g", Action::move_silently},
    {"+", Action::turn_left},
    {"-", Action::turn_right},
    {"^", Action::pitch_up},
    {"&", Action::pitch_down},
    {"\\", Action::roll_left},
    {"/", Action::roll_right},
    {"|", Action::turn_around},
    {"@v", Action::roll_to_vertical},
    {"!", Action::thinner},
    {"#", Action::thicker},
    {";", Action::colour_up},
    {",", Action::colour_down},
    {"[", Action::push},
    {"]", Action::pop},
    {"{", Action::polygon_begin},
    {"}", Action::polygon_end},
    {".", Action::vertex},
    {"?", Action::sub_open},
    {"$", Action::sub_close},
    {"@D", Action::scale},
    {"@M", Action::move_to},
    {"@Ts", Action::tropism},
    {"_", Action::elasticity},
    {"@O", Action::sphere},
    {"@o", Action::disc},
    {"@Gs", Action::cylinder_start},
    {"@Gc", Action::cylinder_point},
    {"@Ge", Action::cylinder_end},
    {"@Gt", Action::cylinder_tangents},
    {"?P", Action::ask_position},
    {"?H", Action::ask_heading},
    {"?L", Action::ask_left},
    {"?U", Action::ask_up},
    {"?E", Action::ask_environment},
    {"@Em", Action::set_material},
    {"@Ey", Action::set_young},
    {"@Eg", Action::set_shear},
    {"@Ed", Action::set_density},
    {"@Ez", Action::set_damping},
    {"@Es", Action::set_strength},
    {"@Ek", Action::set_kind},
    {"@Ej", Action::set_joint_factor},
    {"@Ef", Action::set_flatness},
    {"@Eh", Action::set_hollow},
};

constexpr Index round_fruit = 3, flower_disc = 1;  // places in the table of organs

std::optional<Action> action_named(std::string_view name) {
  for (const NamedAction& known : named_actions) {
    if (known.name == name) return known.action;
  }
  return std::nullopt;
}

// The organ that ~x draws; -1: none.
Index shape_with_letter(char letter) {
  const auto shapes = organ_shapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].letter == letter) return static_cast<Index>(i);
  }
  return no_index;
}

}  // namespace

Actions find_actions(const Program& program) {
  Actions actions;
  for (std::size_t k = 0; k < program.kinds.size(); ++k) {
    const std::string& name = program.kinds[k].name;
    if (const std::optional<Action> known = action_named(name)) {
      actions.of[k] = *known;
      if (*known == Action::sphere) actions.organ_shapes[k] = round_fruit;
      if (*known == Action::disc) actions.organ_shapes[k] = flower_disc;
    } else if (name[0] == '~') {
      const Index shape = shape_with_letter(name[1]);
      actions.of[k] = shape == no_index ? Action::unknown_organ : Action::organ;
      if (shape != no_index) actions.organ_shapes[k] = shape;
    }
  }
  // Prusinkiewicz and Lindenmayer 1990 write $ for @v; it can only mean that where no sub-L-system is
  // called.
  if (program.sub_open == 256 && program.sub_close != 256) {
    at(actions.of, program.sub_close) = Action::roll_to_vertical;
  }
  return actions;
}

bool turtle_knows(std::string_view symbol) {
  return action_named(symbol).has_value() ||
         (symbol[0] == '~' && shape_with_letter(symbol[1]) != no_index);
}

}  // namespace thigmo
