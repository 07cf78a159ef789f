#include "grammar/turtle/turtle.h"

#include <fmt/format.h>

#include "grammar/rewrite/fewest.h"
#include "grammar/turtle/draw_organ.h"
#include "grammar/turtle/mechanics.h"
#include "grammar/turtle/motion.h"
#include "grammar/turtle/polygons.h"
#include "grammar/turtle/questions.h"
#include "grammar/turtle/room.h"
#include "grammar/turtle/segments.h"
#include "grammar/turtle/turtle_state.h"

namespace thigmo {

namespace {

Result<Done> open_bracket(Turtle& turtle, const Module& module) {
  const std::int64_t most = turtle.options.limits.nesting;
  if (static_cast<std::int64_t>(turtle.stack.size()) >= most) {
    return refusal(turtle, module, fmt::format("brackets nest deeper than {}", most));
  }
  turtle.stack.push_back(turtle.pen);
  Growth& growth = turtle.drawing.growth;
  growth.deepest_bracket =
      std::max(growth.deepest_bracket, static_cast<std::int64_t>(turtle.stack.size()));
  turtle.pen.new_axis = true;
  turtle.pen.in_cylinder = false;
  return Done{};
}

Result<Done> close_bracket(Turtle& turtle, const Module& module) {
  if (turtle.stack.empty()) return refusal(turtle, module, "there is no '[' for this ']'");
  if (turtle.pen.in_cylinder && !turtle.answering) {
    return refusal(turtle, turtle.knot.opening, "@Gs: there is no @Ge for it in its branch");
  }
  turtle.pen = turtle.stack.back();
  turtle.stack.pop_back();
  return Done{};
}

Result<Done> open_sub_system(Turtle& turtle, const Module& module) {
  const Program& p = turtle.program;
  if (p.kinds[module.kind].arity != 2) return Done{};
  const bool known = std::any_of(p.systems.begin(), p.systems.end(), [&](const LSystem& system) {
    return static_cast<double>(system.label) == module.parameters[0];
  });
  if (!known) {
    return refusal(turtle, module,
                   fmt::format("there is no L-system with label {}", module.parameters[0]));
  }
  if (!(module.parameters[1] > 0) || !std::isfinite(module.parameters[1])) {
    return refusal(turtle, module, "the scale must be positive");
  }
  turtle.sub_systems.push_back({turtle.pen.scale, {module.birth, turtle.drawn.index}});
  turtle.pen.scale *= module.parameters[1];
  return Done{};
}

Result<Done> close_sub_system(Turtle& turtle, const Module& module) {
  if (turtle.sub_systems.empty()) return refusal(turtle, module, "there is no '?' for this '$'");
  turtle.pen.scale = turtle.sub_systems.back().scale;
  turtle.sub_systems.pop_back();
  return Done{};
}

Result<Done> draw_vertex(Turtle& turtle, const Module& module) {
  if (turtle.polygons.empty()) {
    warn(turtle, module, "stands outside { }");
  } else {
    add_vertex(turtle);
  }
  return Done{};
}

// Long because it has one case for each action.
Result<Done> act(Turtle& turtle, const Module& module) {
  const Action action = turtle.actions.of[module.kind];
  switch (action) {
    case Action::nothing:
      return Done{};
    case Action::draw:
    case Action::draw_silently:
      return draw_line(turtle, module, action == Action::draw);
    case Action::move:
    case Action::move_silently:
      return move(turtle, module, action == Action::move);
    case Action::turn_left:
    case Action::turn_right:
    case Action::pitch_up:
    case Action::pitch_down:
    case Action::roll_left:
    case Action::roll_right:
      return rotate(turtle, action, module);
    case Action::turn_around:
      turn_around(turtle);
      return Done{};
    case Action::roll_to_vertical:
      roll_to_vertical(turtle.pen);
      return Done{};
    case Action::thinner:
      return set_width(turtle, module, turtle.pen.width * turtle.width_factor);
    case Action::thicker:
      return set_width(turtle, module, turtle.pen.width / turtle.width_factor);
    case Action::colour_up:
    case Action::colour_down:
      return set_colour(turtle, module, action == Action::colour_up ? 1 : -1);
    case Action::push:
      return open_bracket(turtle, module);
    case Action::pop:
      return close_bracket(turtle, module);
    case Action::polygon_begin:
      begin_polygon(turtle, module);
      return Done{};
    case Action::vertex:
      return draw_vertex(turtle, module);
    case Action::polygon_end:
      return end_polygon(turtle, module);
    case Action::organ:
    case Action::sphere:
    case Action::disc:
      return draw_organ(turtle, module);
    case Action::unknown_organ:
      warn(turtle, module, "there is no such organ; nothing is drawn");
      return Done{};
    case Action::sub_open:
      return open_sub_system(turtle, module);
    case Action::sub_close:
      return close_sub_system(turtle, module);
    case Action::scale:
      return set_scale(turtle, module);
    case Action::move_to:
      return move_to(turtle, module);
    case Action::tropism:
    case Action::elasticity:
      return set_tropism(turtle, module);
    case Action::cylinder_start:
      begin_cylinder(turtle, module);
      return Done{};
    case Action::cylinder_point:
      return draw_cylinder(turtle, module);
    case Action::cylinder_end:
      return end_cylinder(turtle, module);
    case Action::cylinder_tangents:
      return set_tangents(turtle, module);
    case Action::ask_position:
    case Action::ask_heading:
    case Action::ask_left:
    case Action::ask_up:
    case Action::ask_environment:
      ask(turtle, action, module);
      return Done{};
    case Action::set_material:
    case Action::set_young:
    case Action::set_shear:
    case Action::set_density:
    case Action::set_damping:
    case Action::set_strength:
    case Action::set_kind:
    case Action::set_joint_factor:
    case Action::set_flatness:
    case Action::set_hollow:
      return set_mechanics(turtle, action, module);
  }
  return Done{};
}

// Refuses, before anything is drawn, what would be too much.
Result<Done> check_amount(const Turtle& turtle) {
  const Program& p = turtle.program;
  const Limits& limits = turtle.options.limits;
  const double drawn = fewest_drawn(turtle.string, limits);
  if (!(drawn > static_cast<double>(limits.symbols))) return Done{};
  return diagnostic_in(p.source, p.systems[0].homomorphism.place,
                       fmt::format("the homomorphism would draw at least {:.4g} modules; the "
                                   "limit is {}",
                                   drawn, limits.symbols),
                       "set a smaller 'maximum depth:', or raise the limit of symbols");
}

// What was begun must be ended, unless the string goes on.
Result<Done> check_open_ends(const Turtle& turtle) {
  if (!turtle.stack.empty()) {
    return diagnostic_in(turtle.program.source, turtle.program.axiom_place,
                         fmt::format("the string has {} '[' without ']'", turtle.stack.size()));
  }
  if (turtle.answering) return Done{};
  if (!turtle.polygons.empty()) {
    return refusal(turtle, turtle.polygons.back().opening, "{: there is no '}' for it");
  }
  if (turtle.pen.in_cylinder) {
    return refusal(turtle, turtle.knot.opening, "@Gs: there is no @Ge for it");
  }
  return Done{};
}

// The first ?E of a model in which nobody answers it.
bool warn_of_question(Turtle& turtle, const Successor& successor) {
  for (std::size_t m = 0; m < successor.kinds.size(); ++m) {
    if (turtle.actions.of[successor.kinds[m]] != Action::ask_environment) continue;
    warn_at(turtle, successor.places[m], "nobody answers '?E': the model has no environment",
            "add a line 'environment: light' or 'environment: space'");
    return true;
  }
  return false;
}

void warn_of_questions(Turtle& turtle) {
  const Program& p = turtle.program;
  if (turtle.options.environment != nullptr || !p.environment.name.empty()) return;
  const auto& actions = turtle.actions.of;
  if (std::find(actions.begin(), actions.end(), Action::ask_environment) == actions.end()) return;
  if (warn_of_question(turtle, p.axiom)) return;
  for (const LSystem& system : p.systems) {
    for (const RuleTable* table : {&system.productions, &system.decomposition}) {
      for (const Rule& rule : table->rules) {
        if (warn_of_question(turtle, rule.successor)) return;
      }
    }
  }
}

// What draws all the same, but hardly what was meant.
void warn_of_open_ends(Turtle& turtle) {
  if (!turtle.sub_systems.empty()) {
    const Opening& opening = turtle.sub_systems.back().opening;
    warn_at(turtle, place_of(turtle, opening),
            fmt::format("there is no '$' for the '?(n,s)' that is module {} of the string: all "
                        "behind it belongs to that L-system",
                        opening.index),
            "end the sub-L-system with '$'");
  }
  warn_of_questions(turtle);
}

// Organs stand in the order of their segments.
void sort_organs(std::vector<Organ>& organs) {
  const auto sits_lower = [](const Organ& a, const Organ& b) { return a.segment < b.segment; };
  if (std::is_sorted(organs.begin(), organs.end(), sits_lower)) return;
  std::stable_sort(organs.begin(), organs.end(), sits_lower);
}

Result<Done> draw_all(Turtle& turtle) {
  if (const auto checked = check_amount(turtle); !checked) return checked.diagnostics();
  reserve_room(turtle, turtle.drawing);
  const Result<Done> drawn =
      for_each_drawn(turtle.string, turtle.options, [&](const Module& module, const Drawn& from) {
        turtle.drawn = from;
        return act(turtle, module);
      });
  if (!drawn) return drawn.diagnostics();
  if (const auto checked = check_open_ends(turtle); !checked) return checked.diagnostics();
  if (!turtle.answering) warn_of_open_ends(turtle);
  turtle.drawing.growth.end_position = turtle.pen.position;
  finish_radii(turtle.drawing.growth.plant);
  sort_organs(turtle.drawing.growth.plant.organs);
  finish_warnings(turtle.drawing);
  return Done{};
}

}  // namespace

Result<Growth> draw_string(const ModuleString& string, const GrowOptions& options,
                           bool build_plant) {
  Turtle turtle = make_turtle(string, options, build_plant);
  const Result<Done> drawn = draw_all(turtle);
  if (!drawn) return drawn.diagnostics();
  return std::move(turtle.drawing.growth);
}

Result<Done> answer_questions(const GrowOptions& options, ModuleString& string) {
  Turtle turtle = make_turtle(string, options, true);
  turtle.answering = true;
  const Result<Done> drawn = draw_all(turtle);
  if (drawn) answer(turtle.questions, options, turtle.drawing.growth.plant, string);
  return drawn;
}

Result<std::string> drawn_text(const ModuleString& string, const GrowOptions& options) {
  std::string out;
  const Result<Done> drawn =
      for_each_drawn(string, options, [&](const Module& module, const Drawn&) -> Result<Done> {
        out += string.program->kinds[module.kind].name;
        return Done{};
      });
  if (!drawn) return drawn.diagnostics();
  return out;
}

}  // namespace thigmo
