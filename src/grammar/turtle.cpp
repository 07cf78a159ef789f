#include "grammar/turtle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text.h"
#include "grammar/organs.h"

namespace thigmo {

namespace {

constexpr double default_angle_degrees = 45.0;
constexpr double default_step = 1.0;
constexpr double default_width = 0.01;  // [m], a diameter
// `!` without a parameter: the branches of an even fork keep the cross-section of their parent
// (Leonardo's rule).
constexpr double default_width_factor = std::numbers::sqrt2 / 2.0;
constexpr double radians = std::numbers::pi / 180.0;
constexpr std::size_t warning_limit = 20;

// Green wood of no particular species, where the caller gives none.
Material generic_material() {
  return {.name = "generic green wood",
          .density = 900,
          .young = 8e9,
          .poisson = 0.35,
          .damping_ratio = 0.05,
          .strength = 50e6};
}

// a to a cos + b sin, b to b cos - a sin: a turns towards b.
void rotate_pair(Vec3& a, Vec3& b, double degrees) {
  double s, c;
  // Right angles stay exact, so that long square curves close.
  if (const double quarter = degrees / 90.0; quarter == std::round(quarter)) {
    const auto q = static_cast<int>(std::fmod(quarter, 4.0) + 4.0) % 4;
    c = q == 0 ? 1 : q == 2 ? -1 : 0;
    s = q == 1 ? 1 : q == 3 ? -1 : 0;
  } else {
    s = std::sin(degrees * radians);
    c = std::cos(degrees * radians);
  }
  const Vec3 old_a = a;
  a = a * c + b * s;
  b = b * c - old_a * s;
}

void extend(Box& box, const Vec3& p, bool& any) {
  if (!any) box = {p, p};
  any = true;
  box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
  box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
}

}  // namespace

Turtle::Turtle(const ModuleString& string, const GrowOptions& options)
    : string_(string),
      program_(*string.program),
      options_(options),
      rewriter_(program_, options.limits),
      expander_(program_, options.limits, rewriter_),
      angle_(
          options.angle_degrees.value_or(program_.angle_degrees.value_or(default_angle_degrees))),
      step_(program_.step_length.value_or(default_step)),
      width_factor_(program_.width_factor.value_or(default_width_factor)) {
  if (!string.globals.empty()) rewriter_.globals = string.globals;
  rewriter_.machine.globals = rewriter_.globals.data();
  state_.width = program_.width.value_or(default_width);
  if (!program_.tropisms.empty()) {
    state_.elasticity = program_.tropisms[0].elasticity;
    state_.tropism_on = true;
  }
  growth_.plant.materials.push_back(options.material.value_or(generic_material()));
  find_actions();
}

void Turtle::find_actions() {
  static const std::map<std::string, Action> by_name{
      {"F", Action::draw},          {"G", Action::draw_silently}, {"f", Action::move},
      {"g", Action::move_silently}, {"+", Action::turn_left},     {"-", Action::turn_right},
      {"^", Action::pitch_up},      {"&", Action::pitch_down},    {"\\", Action::roll_left},
      {"/", Action::roll_right},    {"|", Action::turn_around},   {"@v", Action::roll_to_vertical},
      {"!", Action::thinner},       {"#", Action::thicker},       {";", Action::colour_up},
      {",", Action::colour_down},   {"[", Action::push},          {"]", Action::pop},
      {"{", Action::polygon_begin}, {"}", Action::polygon_end},   {".", Action::vertex},
      {"?", Action::sub_open},      {"$", Action::sub_close},     {"@D", Action::scale},
      {"@M", Action::move_to},      {"@Ts", Action::tropism},     {"_", Action::elasticity}};
  for (std::size_t k = 0; k < program_.kinds.size(); ++k) {
    const std::string& name = program_.kinds[k].name;
    if (const auto found = by_name.find(name); found != by_name.end()) {
      actions_[k] = found->second;
    } else if (name[0] == '~') {
      actions_[k] = Action::unknown_organ;
      const auto shapes = organ_shapes();
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (shapes[i].letter == name[1]) {
          actions_[k] = Action::organ;
          organ_shapes_[k] = static_cast<Index>(i);
        }
      }
    }
  }
  // ABOP writes $ for @v; it can only mean that where no sub-L-system is called.
  if (program_.sub_open == 256 && program_.sub_close != 256) {
    actions_[static_cast<std::size_t>(program_.sub_close)] = Action::roll_to_vertical;
  }
}

// Calls `emit` for every module after the homomorphism; false after an error.
bool Turtle::visit(const std::function<void(const ModuleSeen&)>& emit) {
  ContextTables tables;
  StringView view{.kinds = string_.kinds.data(),
                  .parameters = string_.parameters.data(),
                  .size = string_.kinds.size()};
  if (program_.uses_context) {
    tables.fill(program_, string_);
    view.partner = tables.partner.data();
    view.parameter_at = tables.parameter_at.data();
  }
  const LSystem* system = &program_.systems[0];
  std::vector<const LSystem*> systems{system};
  std::uint64_t seed =
      options_.seed.value_or(static_cast<std::uint64_t>(program_.seed.value_or(0.0)));
  if (system->homomorphism.seed) {
    double none = 0;
    seed = static_cast<std::uint64_t>(
        ::thigmo::run(rewriter_.machine, *system->homomorphism.seed, &none));
  }
  seed = mix_bits(seed, 0x686f6d6f);  // other numbers than the productions draw
  std::size_t parameter = 0;
  for (index_ = 0; index_ < string_.kinds.size(); ++index_) {
    const Kind kind = string_.kinds[index_];
    const ModuleSeen module{.kind = kind,
                            .parameters = string_.parameters.data() + parameter,
                            .identity = string_.identities.empty() ? 0 : string_.identities[index_],
                            .birth = string_.births.empty() ? Birth{} : string_.births[index_]};
    if (kind == program_.sub_open) {
      for (const LSystem& other : program_.systems) {
        if (static_cast<double>(other.label) == module.parameters[0]) system = &other;
      }
      systems.push_back(system);
    } else if (kind == program_.sub_close && systems.size() > 1) {
      systems.pop_back();
      system = systems.back();
    }
    expander_.expand(system->homomorphism, module, index_, view, seed,
                     string_.births.empty() ? no_index : module.birth.step, 0, emit);
    if (rewriter_.failed()) return false;
    parameter += static_cast<std::size_t>(program_.kinds[kind].arity);
  }
  return true;
}

Result<std::string> Turtle::text() {
  std::string out;
  if (!visit([&](const ModuleSeen& module) { out += program_.kinds[module.kind].name; })) {
    return rewriter_.diagnostic();
  }
  return out;
}

Result<Growth> Turtle::run() {
  if (!visit([this](const ModuleSeen& module) { act(module); })) return rewriter_.diagnostic();
  if (!stack_.empty()) {
    return diagnostic_in(program_.source, program_.axiom_place,
                         fmt::format("the string has {} '[' without ']'", stack_.size()));
  }
  growth_.end_position = state_.position;
  finish_radii();
  std::stable_sort(growth_.plant.organs.begin(), growth_.plant.organs.end(),
                   [](const Organ& a, const Organ& b) { return a.segment < b.segment; });
  if (!drew_) growth_.drawn = {};
  if (!filled_) growth_.drawn_and_filled = {};
  return std::move(growth_);
}

std::string Turtle::module_text(const ModuleSeen& module) const {
  const KindInfo& kind = program_.kinds[module.kind];
  std::string out = kind.name;
  for (int p = 0; p < kind.arity; ++p) {
    out += p == 0 ? "(" : ",";
    out += text_from_number(module.parameters[p]);
  }
  return kind.arity > 0 ? out + ")" : out;
}

namespace {

const Rule* rule_with_number(const Program& program, Index number) {
  for (const LSystem& system : program.systems) {
    for (const RuleTable* table :
         {&system.productions, &system.decomposition, &system.homomorphism}) {
      for (const Rule& rule : table->rules) {
        if (rule.number == number) return &rule;
      }
    }
  }
  return nullptr;
}

}  // namespace

void Turtle::refuse(const ModuleSeen& module, const std::string& why) {
  if (rewriter_.failed()) return;
  const Rule* rule = rule_with_number(program_, module.birth.rule);
  rewriter_.machine.error = fmt::format("{}: {} (module {} of the string, written in step {})",
                                        module_text(module), why, index_, module.birth.step);
  rewriter_.machine.error_place = rule != nullptr ? rule->place : program_.axiom_place;
}

void Turtle::warn(const ModuleSeen& module, const std::string& what) {
  if (++warning_count_ > warning_limit) return;
  const Rule* rule = rule_with_number(program_, module.birth.rule);
  Diagnostic warning =
      diagnostic_in(program_.source, rule != nullptr ? rule->place : program_.axiom_place,
                    fmt::format("{}: {}", module_text(module), what));
  warning.severity = Severity::warning;
  growth_.warnings.push_back(std::move(warning));
}

double Turtle::number(const ModuleSeen& module, int index, double otherwise) const {
  return index < program_.kinds[module.kind].arity ? module.parameters[index] : otherwise;
}

Origin Turtle::origin(const ModuleSeen& module) const {
  return {.module = static_cast<Index>(index_),
          .rule = module.birth.rule,
          .step = module.birth.step,
          .symbol = program_.kinds[module.kind].name[0]};
}

Quat Turtle::world_from_turtle() const {
  return quat_from_columns(-state_.left, state_.heading, state_.up);
}

void Turtle::turn(double degrees) { rotate_pair(state_.heading, state_.left, degrees); }
void Turtle::pitch(double degrees) { rotate_pair(state_.heading, state_.up, degrees); }
void Turtle::roll(double degrees) { rotate_pair(state_.left, state_.up, degrees); }

void Turtle::act(const ModuleSeen& module) {
  const Action action = actions_[module.kind];
  switch (action) {
    case Action::nothing:
      return;
    case Action::draw:
      return draw(module, true);
    case Action::draw_silently:
      return draw(module, false);
    case Action::move:
      return move(module, true);
    case Action::move_silently:
      return move(module, false);
    case Action::turn_left:
    case Action::turn_right:
    case Action::pitch_up:
    case Action::pitch_down:
    case Action::roll_left:
    case Action::roll_right: {
      const double angle = number(module, 0, angle_);
      if (!std::isfinite(angle)) return refuse(module, "the angle is not finite");
      if (action == Action::turn_left) return turn(angle);
      if (action == Action::turn_right) return turn(-angle);
      if (action == Action::pitch_up) return pitch(angle);
      if (action == Action::pitch_down) return pitch(-angle);
      return roll(action == Action::roll_left ? angle : -angle);
    }
    case Action::turn_around:
      return turn(180);
    case Action::roll_to_vertical: {
      const Vec3 left = cross(Vec3{0, 1, 0}, state_.heading);
      if (length(left) < 1e-9) return;  // upright: every left is horizontal already
      state_.left = normalized(left);
      state_.up = cross(state_.heading, state_.left);
      return;
    }
    case Action::thinner:
      return set_width(module, state_.width * width_factor_);
    case Action::thicker:
      return set_width(module, state_.width / width_factor_);
    case Action::colour_up:
    case Action::colour_down: {
      const double step = action == Action::colour_up ? 1.0 : -1.0;
      const double colour = number(module, 0, static_cast<double>(state_.colour) + step);
      if (!(std::abs(colour) <= 1e6)) return refuse(module, "the colour index is out of range");
      state_.colour = static_cast<Index>(colour);
      return;
    }
    case Action::push:
      if (static_cast<std::int64_t>(stack_.size()) >= options_.limits.nesting) {
        return refuse(module, fmt::format("brackets nest deeper than {}", options_.limits.nesting));
      }
      stack_.push_back(state_);
      growth_.deepest_bracket =
          std::max(growth_.deepest_bracket, static_cast<std::int64_t>(stack_.size()));
      state_.new_axis = true;
      return;
    case Action::pop:
      if (stack_.empty()) return refuse(module, "there is no '[' for this ']'");
      state_ = stack_.back();
      stack_.pop_back();
      return;
    case Action::polygon_begin:
      polygons_.push_back({.vertices = {}, .start = state_, .birth = module.birth});
      return;
    case Action::vertex:
      if (polygons_.empty()) return warn(module, "stands outside { }");
      return add_vertex();
    case Action::polygon_end:
      if (polygons_.empty()) return refuse(module, "there is no '{' for this '}'");
      return finish_polygon();
    case Action::organ:
      return add_organ(module);
    case Action::unknown_organ:
      return warn(module, "there is no such organ; nothing is drawn");
    case Action::sub_open:
      if (!(module.parameters != nullptr && program_.kinds[module.kind].arity == 2)) return;
      stack_.push_back(state_);  // only the scale is taken back by $
      if (!(module.parameters[1] > 0)) return refuse(module, "the scale must be positive");
      state_.scale *= module.parameters[1];
      return;
    case Action::sub_close: {
      if (stack_.empty()) return refuse(module, "there is no '?' for this '$'");
      state_.scale = stack_.back().scale;
      stack_.pop_back();
      return;
    }
    case Action::scale: {
      const double factor = number(module, 0, 1.0);
      if (!(factor > 0) || !std::isfinite(factor))
        return refuse(module, "the scale must be positive");
      state_.scale = factor;
      return;
    }
    case Action::move_to: {
      const Vec3 to{number(module, 0, 0), number(module, 1, 0), number(module, 2, 0)};
      if (!is_finite(to)) return refuse(module, "the position is not finite");
      state_.position = to;
      return;
    }
    case Action::tropism:
      state_.elasticity = number(module, program_.kinds[module.kind].arity - 1, 0);
      state_.tropism_on = true;
      return;
    case Action::elasticity:
      state_.elasticity = number(module, 0, state_.elasticity);
      state_.tropism_on = true;
      return;
  }
}

void Turtle::set_width(const ModuleSeen& module, double without_parameter) {
  const double width = number(module, 0, without_parameter);
  if (!(width >= 0) || !std::isfinite(width)) {
    return refuse(module, "a width must be finite and not negative");
  }
  state_.width = width;
}

void Turtle::draw(const ModuleSeen& module, bool vertex) {
  const double long_ = number(module, 0, step_) * state_.scale;
  if (!(long_ >= 0) || !std::isfinite(long_)) {
    return refuse(module, "a length must be finite and not negative");
  }
  ++growth_.drawn_segments;
  growth_.drawn_length += long_;
  extend(growth_.drawn, state_.position, drew_);
  extend(growth_.drawn_and_filled, state_.position, filled_);
  const Vec3 base = state_.position;
  state_.position += state_.heading * long_;
  extend(growth_.drawn, state_.position, drew_);
  extend(growth_.drawn_and_filled, state_.position, filled_);
  if (!polygons_.empty() && vertex) add_vertex();
  if (long_ == 0) return;
  const double radius = 0.5 * state_.width * state_.scale;
  if (!(radius > 0)) return refuse(module, "the width is 0 here");
  if (!is_finite(state_.position)) return refuse(module, "the turtle left the finite numbers");

  const Quat world_from_segment = world_from_turtle();
  Segment segment;
  segment.parent = state_.segment;
  if (segment.parent == no_index) {
    segment.base_in_parent = base;
    segment.parent_from_segment = world_from_segment;
  } else {
    const auto parent = static_cast<std::size_t>(segment.parent);
    const Quat parent_from_world = conjugate(world_from_segment_[parent]);
    segment.base_in_parent = rotate(parent_from_world, base - base_world_[parent]);
    segment.parent_from_segment = normalized(parent_from_world * world_from_segment);
  }
  if (segment.parent == no_index || state_.new_axis) {
    state_.axis = axis_count_++;
    if (segment.parent != no_index) ++state_.order;
    state_.new_axis = false;
  }
  segment.length = long_;
  segment.radius_base = segment.radius_tip = radius;
  segment.axis = state_.axis;
  segment.order = state_.order;
  segment.colour = state_.colour;
  segment.origin = origin(module);
  state_.segment = segment_count(growth_.plant);
  growth_.plant.segments.push_back(segment);
  world_from_segment_.push_back(world_from_segment);
  base_world_.push_back(base);
  if (state_.tropism_on) bend();
}

void Turtle::move(const ModuleSeen& module, bool vertex) {
  const double long_ = number(module, 0, step_) * state_.scale;
  if (!std::isfinite(long_)) return refuse(module, "a length must be finite");
  state_.position += state_.heading * long_;
  if (!polygons_.empty() && vertex) add_vertex();
}

// Tropism (Prusinkiewicz & Lindenmayer 1990, sec. 2.1): the heading turns towards T by
// e |H × T| radians.
void Turtle::bend() {
  const Vec3 direction =
      program_.tropisms.empty() ? Vec3{0, -1, 0} : program_.tropisms[0].direction;
  const Vec3 torque = cross(state_.heading, direction);
  if (!(length(torque) > 0)) return;
  const Quat turned = exp_rotation(torque * state_.elasticity);
  state_.heading = rotate(turned, state_.heading);
  state_.left = rotate(turned, state_.left);
  state_.up = rotate(turned, state_.up);
}

void Turtle::add_organ(const ModuleSeen& module) {
  const Index shape_number = organ_shapes_[module.kind];
  const OrganShape& shape = organ_shapes()[static_cast<std::size_t>(shape_number)];
  const double long_ = number(module, 0, shape.default_length) * state_.scale;
  const double wide = program_.kinds[module.kind].arity > 1 ? module.parameters[1] * state_.scale
                                                            : long_ * shape.width_ratio;
  if (!(long_ >= 0 && wide >= 0) || !std::isfinite(long_) || !std::isfinite(wide)) {
    return refuse(module, "a size must be finite and not negative");
  }
  if (long_ == 0 || wide == 0) return;
  if (state_.segment == no_index) return warn(module, "nothing was drawn before it to sit on");
  const auto on = static_cast<std::size_t>(state_.segment);
  const Quat segment_from_world = conjugate(world_from_segment_[on]);
  Organ organ;
  organ.segment = state_.segment;
  organ.base_in_segment = rotate(segment_from_world, state_.position - base_world_[on]);
  organ.segment_from_organ = normalized(segment_from_world * world_from_turtle());
  organ.kind = shape.kind;
  organ.length = long_;
  organ.width = wide;
  organ.mass = organ_mass(shape, long_, wide);
  organ.drag_area = shape.area_factor * long_ * wide;
  organ.shape = shape_number;
  organ.colour = state_.colour;
  organ.origin = origin(module);
  growth_.plant.organs.push_back(organ);
}

void Turtle::add_vertex() {
  polygons_.back().vertices.push_back(state_.position);
  extend(growth_.drawn_and_filled, state_.position, filled_);
}

// A polygon becomes a leaf of the same area: its normal by Newell's sum, its length from its first
// corner to the farthest.
void Turtle::finish_polygon() {
  const Polygon polygon = std::move(polygons_.back());
  polygons_.pop_back();
  ++growth_.polygons;
  const std::vector<Vec3>& v = polygon.vertices;
  if (v.size() < 3 || polygon.start.segment == no_index) return;
  const Vec3 base = polygon.start.position;
  Vec3 twice_area;
  Vec3 along;
  for (std::size_t i = 0; i < v.size(); ++i) {
    twice_area += cross(v[i] - base, v[(i + 1) % v.size()] - base);
    if (squared_length(v[i] - base) > squared_length(along)) along = v[i] - base;
  }
  const double area = 0.5 * length(twice_area);
  const double long_ = length(along);
  if (!(area > 0 && long_ > 0) || !std::isfinite(area)) return;
  const Vec3 y = along / long_;
  Vec3 z = normalized(twice_area);
  if (dot(z, polygon.start.up) < 0) z = -z;
  z = normalized(z - y * dot(z, y), any_perpendicular(y));
  const Vec3 x = cross(y, z);
  double low = 0, high = 0;
  for (const Vec3& p : v) {
    low = std::min(low, dot(p - base, x));
    high = std::max(high, dot(p - base, x));
  }
  const auto on = static_cast<std::size_t>(polygon.start.segment);
  const Quat segment_from_world = conjugate(world_from_segment_[on]);
  Organ organ;
  organ.segment = polygon.start.segment;
  organ.base_in_segment = rotate(segment_from_world, base - base_world_[on]);
  organ.segment_from_organ = normalized(segment_from_world * quat_from_columns(x, y, z));
  organ.kind = OrganKind::leaf;
  organ.length = long_;
  organ.width = high - low;
  organ.mass = fresh_leaf_mass_per_area * area;
  organ.drag_area = area;
  organ.shape = polygon_shape;
  organ.colour = polygon.start.colour;
  organ.origin = {.module = static_cast<Index>(index_),
                  .rule = polygon.birth.rule,
                  .step = polygon.birth.step,
                  .symbol = '{'};
  growth_.plant.organs.push_back(organ);
}

// Along an axis the radius falls steadily to that of the next segment.
void Turtle::finish_radii() {
  std::vector<Segment>& segments = growth_.plant.segments;
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (segments[i].parent == no_index) continue;
    Segment& parent = segments[static_cast<std::size_t>(segments[i].parent)];
    if (parent.axis == segments[i].axis) {
      parent.radius_tip = std::min(parent.radius_base, segments[i].radius_base);
    }
  }
}

}  // namespace thigmo
