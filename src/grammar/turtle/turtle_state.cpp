#include "grammar/turtle/turtle_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace thigmo {

namespace {

constexpr double default_angle_degrees = 45.0;
constexpr double default_step = 1.0;
constexpr double default_width = 0.01;  // [m], a diameter
// `!` without a parameter: the branches of an even fork keep the cross-section of their parent
// (Leonardo's rule).
constexpr double default_width_factor = std::numbers::sqrt2 / 2.0;
constexpr std::size_t warning_limit = 20;

std::vector<Material> materials_of(const Program& program, const GrowOptions& options) {
  std::vector<Material> materials = program.materials;
  if (options.material) {
    materials.resize(std::max<std::size_t>(1, materials.size()));
    materials[0] = *options.material;
  } else if (materials.empty()) {
    materials.push_back(generic_wood("generic green wood"));
  }
  return materials;
}

}  // namespace

Turtle make_turtle(const ModuleString& string, const GrowOptions& options, bool build_plant) {
  const Program& p = *string.program;
  Turtle turtle{
      .string = string,
      .program = p,
      .options = options,
      .actions = find_actions(p),
      .angle = options.angle_degrees.value_or(p.angle_degrees.value_or(default_angle_degrees)),
      .step = p.step_length.value_or(default_step),
      .width_factor = p.width_factor.value_or(default_width_factor)};
  turtle.pen.width = p.width.value_or(default_width);
  for (std::size_t i = 0; i < p.tropisms.size(); ++i) {
    turtle.pen.elasticity[i] = p.tropisms[i].elasticity;
  }
  if (!p.shapes.empty()) turtle.pen.shape = p.shapes[0];
  turtle.drawing.build_plant = build_plant;
  turtle.drawing.growth.plant.materials = materials_of(p, options);
  return turtle;
}

SourcePosition place_of(const Turtle& turtle, const Opening& opening) {
  const Rule* rule = rule_with_number(turtle.program, opening.birth.rule);
  return rule != nullptr ? rule->place : place_of_module(turtle.string, opening.index);
}

Diagnostic refusal(const Turtle& turtle, const Module& module, const std::string& why) {
  const std::string text = module_text(turtle.program.kinds[module.kind], module.parameters);
  return refusal(turtle, Opening{module.birth, turtle.drawn.index},
                 fmt::format("{}: {}", text, why));
}

Diagnostic refusal(const Turtle& turtle, const Opening& opening, const std::string& why) {
  return diagnostic_in(turtle.program.source, place_of(turtle, opening),
                       fmt::format("{} (module {} of the string, written in step {})", why,
                                   opening.index, opening.birth.step));
}

void warn(Turtle& turtle, const Module& module, const std::string& what) {
  if (turtle.drawing.warning_count >= warning_limit) {
    ++turtle.drawing.warning_count;
    return;
  }
  const std::string text = module_text(turtle.program.kinds[module.kind], module.parameters);
  warn_at(turtle, place_of(turtle, {module.birth, turtle.drawn.index}),
          fmt::format("{}: {}", text, what));
}

void warn_at(Turtle& turtle, SourcePosition place, std::string what, std::string hint) {
  if (++turtle.drawing.warning_count > warning_limit) return;
  Diagnostics& warnings = turtle.drawing.growth.warnings;
  warnings.push_back(diagnostic_in(turtle.program.source, place, std::move(what), std::move(hint)));
  warnings.back().severity = Severity::warning;
}

void finish_warnings(Drawing& drawing) {
  if (drawing.warning_count <= warning_limit) return;
  drawing.growth.warnings.push_back(
      warning(fmt::format("{} more warnings like these", drawing.warning_count - warning_limit)));
}

Quat world_from_turtle(const Pen& pen) { return quat_from_columns(-pen.left, pen.heading, pen.up); }

}  // namespace thigmo
