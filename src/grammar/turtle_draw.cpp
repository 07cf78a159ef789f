#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "grammar/organs.h"
#include "grammar/turtle.h"

namespace thigmo {

namespace {

constexpr double radians = std::numbers::pi / 180.0;

// Beyond this, differences of positions lose their millimetres and in the end overflow.
constexpr double farthest = 1e12;  // [m]
constexpr const char* too_far_message = "the turtle is more than 1e12 m away from the origin";

bool too_far(const Vec3& p) {
  return !(std::abs(p.x) <= farthest && std::abs(p.y) <= farthest && std::abs(p.z) <= farthest);
}

void extend(Box& box, const Vec3& p, bool& any) {
  if (!any) box = {p, p};
  any = true;
  box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
  box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
}

}  // namespace

// a to a cos + b sin, b to b cos - a sin: a turns towards b.
void Turtle::rotate_pair(Vec3& a, Vec3& b, double degrees) {
  if (const double size = std::abs(degrees); size != last_angle_) {
    last_angle_ = size;
    // Right angles stay exact, so that long square curves close.
    if (const double quarter = size / 90.0; quarter == std::round(quarter)) {
      const auto q = static_cast<int>(std::fmod(quarter, 4.0));
      last_cosine_ = q == 0 ? 1 : q == 2 ? -1 : 0;
      last_sine_ = q == 1 ? 1 : q == 3 ? -1 : 0;
    } else {
      last_sine_ = std::sin(size * radians);
      last_cosine_ = std::cos(size * radians);
    }
  }
  const double c = last_cosine_, s = degrees < 0 ? -last_sine_ : last_sine_;
  const Vec3 old_a = a;
  a = a * c + b * s;
  b = b * c - old_a * s;
}

void Turtle::turn(double degrees) { rotate_pair(state_.heading, state_.left, degrees); }
void Turtle::pitch(double degrees) { rotate_pair(state_.heading, state_.up, degrees); }
void Turtle::roll(double degrees) { rotate_pair(state_.left, state_.up, degrees); }

void Turtle::rotate(Action action, const ModuleSeen& module) {
  const double angle = number(module, 0, angle_);
  if (!std::isfinite(angle)) return refuse(module, "the angle is not finite");
  switch (action) {
    case Action::turn_left:
      return turn(angle);
    case Action::turn_right:
      return turn(-angle);
    case Action::pitch_up:
      return pitch(angle);
    case Action::pitch_down:
      return pitch(-angle);
    case Action::roll_left:
      return roll(angle);
    default:
      return roll(-angle);
  }
}

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
    case Action::roll_right:
      return rotate(action, module);
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
      state_.in_cylinder = false;
      return;
    case Action::pop:
      if (stack_.empty()) return refuse(module, "there is no '[' for this ']'");
      if (state_.in_cylinder && !answering_) {
        return refuse_open(knot_.birth, knot_.index, "@Gs: there is no @Ge for it in its branch");
      }
      state_ = stack_.back();
      stack_.pop_back();
      return;
    case Action::polygon_begin:
      polygons_.push_back(
          {.vertices = {}, .start = state_, .birth = module.birth, .index = index_});
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
    case Action::sphere:
    case Action::disc:
      return add_organ(module);
    case Action::sub_open:
      return open_sub_system(module);
    case Action::sub_close:
      if (sub_systems_.empty()) return refuse(module, "there is no '?' for this '$'");
      state_.scale = sub_systems_.back().scale;
      sub_systems_.pop_back();
      return;
    case Action::scale: {
      const double factor = number(module, 0, 1.0);
      if (!(factor > 0) || !std::isfinite(factor)) {
        return refuse(module, "the scale must be positive");
      }
      state_.scale = factor;
      return;
    }
    case Action::move_to: {
      const Vec3 to{number(module, 0, 0), number(module, 1, 0), number(module, 2, 0)};
      if (too_far(to)) return refuse(module, too_far_message);
      state_.position = to;
      return;
    }
    case Action::tropism:
    case Action::elasticity:
      return set_tropism(module);
    case Action::cylinder_start:
      knot_ = {state_.position, state_.heading, state_.width, module.birth, index_};
      state_.in_cylinder = true;
      return;
    case Action::cylinder_point:
      return draw_cylinder(module);
    case Action::cylinder_end:
      draw_cylinder(module);
      state_.in_cylinder = false;
      return;
    case Action::cylinder_tangents: {
      const double start = number(module, 0, 1.2), end = number(module, 1, start);
      if (!(std::abs(start) <= 1e3 && std::abs(end) <= 1e3)) {
        return refuse(module, "the tangents are out of range");
      }
      state_.tangent_start = start;
      state_.tangent_end = end;
      return;
    }
    case Action::ask_position:
    case Action::ask_heading:
    case Action::ask_left:
    case Action::ask_up:
    case Action::ask_environment:
      return ask(action, module);
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
      return set_mechanics(action, module);
  }
}

void Turtle::open_sub_system(const ModuleSeen& module) {
  if (program_.kinds[module.kind].arity != 2) return;
  const bool known =
      std::any_of(program_.systems.begin(), program_.systems.end(), [&](const LSystem& system) {
        return static_cast<double>(system.label) == module.parameters[0];
      });
  if (!known) {
    return refuse(module, fmt::format("there is no L-system with label {}", module.parameters[0]));
  }
  if (!(module.parameters[1] > 0) || !std::isfinite(module.parameters[1])) {
    return refuse(module, "the scale must be positive");
  }
  sub_systems_.push_back({state_.scale, module.birth, index_});
  state_.scale *= module.parameters[1];
}

// Answers go to modules of the string itself; what a homomorphism draws is not rewritten again.
void Turtle::ask(Action action, const ModuleSeen& module) {
  const int arity = program_.kinds[module.kind].arity;
  if (module.parameters != string_parameters_ || arity == 0) return;
  const auto parameter = static_cast<std::size_t>(module.parameters - string_.parameters.data());
  if (action == Action::ask_environment) {
    questions_.push_back({parameter,
                          arity,
                          {.position_world = state_.position,
                           .heading_world = state_.heading,
                           .left_world = state_.left,
                           .up_world = state_.up,
                           .segment = state_.segment,
                           .values = {}}});
    return;
  }
  const Vec3& v = action == Action::ask_position  ? state_.position
                  : action == Action::ask_heading ? state_.heading
                  : action == Action::ask_left    ? state_.left
                                                  : state_.up;
  answers_.push_back({parameter, std::min(arity, 3), {v.x, v.y, v.z}});
}

// Properties of what is drawn from here on. A changed material is a new one.
void Turtle::set_mechanics(Action action, const ModuleSeen& module) {
  const double value = number(module, 0, 0);
  std::vector<Material>& materials = growth_.plant.materials;
  if (action == Action::set_material) {
    if (!(value >= 1 && value <= static_cast<double>(materials.size()))) {
      return refuse(module, fmt::format("there are {} materials", materials.size()));
    }
    state_.material = static_cast<Index>(value) - 1;
    const auto number = static_cast<std::size_t>(state_.material);
    state_.shape = number < program_.shapes.size() ? program_.shapes[number] : StemShape{};
    return;
  }
  if (action == Action::set_kind) {
    if (!(value >= 0 && value <= 5)) return refuse(module, "an organ kind is 0 to 5");
    state_.kind = static_cast<OrganKind>(static_cast<int>(value));
    return;
  }
  const bool may_vanish = action == Action::set_damping || action == Action::set_hollow;
  if (!std::isfinite(value) || value < 0 || (value == 0 && !may_vanish)) {
    return refuse(module, "this must be finite and positive");
  }
  if (action == Action::set_joint_factor) {
    state_.joint_factor = value;
    return;
  }
  if (action == Action::set_flatness || action == Action::set_hollow) {
    (action == Action::set_flatness ? state_.shape.flatness : state_.shape.hollow) = value;
    if (const char* wrong = shape_error(state_.shape)) return refuse(module, wrong);
    return;
  }
  Material changed = materials[static_cast<std::size_t>(state_.material)];
  double& property = action == Action::set_young     ? changed.young
                     : action == Action::set_shear   ? changed.shear_ratio
                     : action == Action::set_density ? changed.density
                     : action == Action::set_damping ? changed.damping_ratio
                                                     : changed.strength;
  property = action == Action::set_shear ? value / changed.young : value;
  const auto same = std::find_if(materials.begin(), materials.end(), [&](const Material& m) {
    return m.density == changed.density && m.young == changed.young &&
           m.poisson == changed.poisson && m.shear_ratio == changed.shear_ratio &&
           m.damping_ratio == changed.damping_ratio && m.strength == changed.strength;
  });
  state_.material = static_cast<Index>(same - materials.begin());
  if (same != materials.end()) return;
  constexpr std::size_t most = 1000;
  if (materials.size() >= most) {
    return refuse(module, fmt::format("the plant would have more than {} materials", most));
  }
  materials.push_back(std::move(changed));
}

void Turtle::set_width(const ModuleSeen& module, double without_parameter) {
  const double width = number(module, 0, without_parameter);
  if (!(width >= 0) || !std::isfinite(width)) {
    return refuse(module, "a width must be finite and not negative");
  }
  state_.width = width;
}

void Turtle::mark_drawn(const Vec3& from, const Vec3& to) {
  for (const Vec3& point : {from, to}) {
    extend(growth_.drawn, point, drew_);
    extend(growth_.drawn_and_filled, point, filled_);
  }
}

void Turtle::draw(const ModuleSeen& module, bool vertex) {
  const double long_ = number(module, 0, step_) * state_.scale;
  if (!(long_ >= 0) || !std::isfinite(long_)) {
    return refuse(module, "a length must be finite and not negative");
  }
  const Vec3 base = state_.position;
  state_.position += state_.heading * long_;
  if (too_far(state_.position)) return refuse(module, too_far_message);
  if (!state_.in_cylinder) {
    ++growth_.drawn_segments;
    growth_.drawn_length += long_;
    mark_drawn(base, state_.position);
  }
  if (!polygons_.empty() && vertex) add_vertex();
  if (long_ > 0 && !state_.in_cylinder) add_segment(module, base, long_, state_.width);
  if (!program_.tropisms.empty() || state_.elasticity[0] != 0) bend();
}

void Turtle::add_segment(const ModuleSeen& module, const Vec3& base, double long_, double width) {
  const double radius = 0.5 * width * state_.scale;
  if (!(radius > 0)) return refuse(module, "the width is 0 here");
  if (!std::isfinite(radius)) return refuse(module, "the width is not finite here");
  ++growth_.segments;
  if (!build_plant_) {
    state_.segment = 0;  // something to sit on
    return;
  }
  if (!make_room()) return refuse(module, "the plant has more segments than memory is allowed for");
  const Quat world_from_segment = world_from_turtle();
  Segment segment;
  segment.parent = state_.segment;
  if (segment.parent == no_index) {
    segment.base_in_parent = base;
    segment.parent_from_segment = world_from_segment;
  } else {
    const auto parent = static_cast<std::size_t>(segment.parent);
    const Quat parent_from_world = conjugate(world_from_segment_[parent]);
    segment.base_in_parent = ::thigmo::rotate(parent_from_world, base - base_world_[parent]);
    segment.parent_from_segment = normalized(parent_from_world * world_from_segment);
  }
  if (segment.parent == no_index || state_.new_axis) {
    state_.axis = axis_count_++;
    if (segment.parent != no_index) ++state_.order;
    state_.new_axis = false;
  }
  segment.length = long_;
  segment.radius_base = segment.radius_tip = radius;
  if (state_.shape.flatness != 1) {
    segment.outline = Outline::ellipse;
    segment.height_base = segment.height_tip = 2 * radius * state_.shape.flatness;
  }
  segment.hollow = state_.shape.hollow;
  segment.kind = state_.kind;
  segment.axis = state_.axis;
  segment.order = state_.order;
  segment.material = state_.material;
  segment.colour = state_.colour;
  segment.joint_factor = static_cast<float>(state_.joint_factor);
  segment.origin = origin(module);
  state_.segment = segment_count(growth_.plant);
  growth_.plant.segments.push_back(segment);
  world_from_segment_.push_back(world_from_segment);
  base_world_.push_back(base);
}

// From the last control point to here: a cubic Hermite curve along both headings, in n pieces whose
// width goes from the one to the other.
void Turtle::draw_cylinder(const ModuleSeen& module) {
  if (!state_.in_cylinder) return refuse(module, "there is no @Gs before it");
  const double pieces = number(module, 0, 4);
  if (!(pieces >= 1 && pieces <= 1000)) return refuse(module, "the pieces are 1 to 1000");
  const auto n = static_cast<int>(pieces);
  const State end = state_;
  const double chord = length(end.position - knot_.position);
  if (chord > 0) {
    const Vec3 t0 = knot_.heading * (chord * end.tangent_start);
    const Vec3 t1 = end.heading * (chord * end.tangent_end);
    Vec3 from = knot_.position;
    for (int i = 1; i <= n; ++i) {
      const double s = static_cast<double>(i) / n, s2 = s * s, s3 = s2 * s;
      const Vec3 to = i == n ? end.position
                             : knot_.position * (2 * s3 - 3 * s2 + 1) + t0 * (s3 - 2 * s2 + s) +
                                   end.position * (3 * s2 - 2 * s3) + t1 * (s3 - s2);
      const double long_ = length(to - from);
      if (long_ > 0) {
        const Vec3 heading = (to - from) / long_;
        const Quat turned = rotation_between(end.heading, heading);
        state_.heading = heading;
        state_.left = ::thigmo::rotate(turned, end.left);
        state_.up = ::thigmo::rotate(turned, end.up);
        const double t = static_cast<double>(i - 1) / n;
        ++growth_.drawn_segments;
        growth_.drawn_length += long_;
        mark_drawn(from, to);
        add_segment(module, from, long_, knot_.width + (end.width - knot_.width) * t);
        if (rewriter_.failed()) return;
      }
      from = to;
    }
  }
  state_.heading = end.heading;
  state_.left = end.left;
  state_.up = end.up;
  knot_ = {end.position, end.heading, end.width, knot_.birth, knot_.index};
}

void Turtle::move(const ModuleSeen& module, bool vertex) {
  const double long_ = number(module, 0, step_) * state_.scale;
  state_.position += state_.heading * long_;
  if (too_far(state_.position)) return refuse(module, too_far_message);
  if (!polygons_.empty() && vertex) add_vertex();
}

// @Ts(e), @Ts(number,e), _(e): the elasticity of a tropism.
void Turtle::set_tropism(const ModuleSeen& module) {
  const int arity = program_.kinds[module.kind].arity;
  if (arity == 0) return refuse(module, "the elasticity is missing");
  const double which = arity > 1 ? module.parameters[0] : 1;
  const double elasticity = module.parameters[arity > 1 ? 1 : 0];
  const auto count = std::max<std::size_t>(1, program_.tropisms.size());
  if (!(which >= 1 && which <= static_cast<double>(count))) {
    return refuse(module, fmt::format("there are {} tropisms", count));
  }
  if (!std::isfinite(elasticity)) return refuse(module, "the elasticity is not finite");
  state_.elasticity[static_cast<std::size_t>(which) - 1] = elasticity;
}

// Tropism (Prusinkiewicz & Lindenmayer 1990, sec. 2.1): the heading turns towards T by
// e |H × T| radians.
void Turtle::bend() {
  for (std::size_t i = 0; i < std::max<std::size_t>(1, program_.tropisms.size()); ++i) {
    if (state_.elasticity[i] == 0) continue;
    const Vec3 down{0, -1, 0};
    const Vec3 direction = program_.tropisms.empty() ? down : program_.tropisms[i].direction;
    const Vec3 torque = cross(state_.heading, direction);
    const double angle = length(torque) * std::abs(state_.elasticity[i]);
    if (angle == 0) continue;
    if (!(angle <= 1000)) {
      return rewriter_.fail("a tropism turns the heading by more than 1000 radians",
                            program_.axiom_place);
    }
    const Quat turned = exp_rotation(torque * state_.elasticity[i]);
    state_.heading = normalized(::thigmo::rotate(turned, state_.heading));
    state_.left = normalized(::thigmo::rotate(turned, state_.left));
    state_.up = cross(state_.heading, state_.left);
  }
}

}  // namespace thigmo
