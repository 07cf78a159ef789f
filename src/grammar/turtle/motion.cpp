#include "grammar/turtle/motion.h"

#include <fmt/format.h>

#include <numbers>

#include "grammar/turtle/polygons.h"

namespace thigmo {

namespace {

constexpr double radians = std::numbers::pi / 180.0;

// a to a cos + b sin, b to b cos - a sin: a turns towards b.
void rotate_pair(LastAngle& last, Vec3& a, Vec3& b, double degrees) {
  if (const double size = std::abs(degrees); size != last.degrees) {
    last.degrees = size;
    // Right angles stay exact, so that long square curves close.
    if (const double quarter = size / 90.0; quarter == std::round(quarter)) {
      const auto q = static_cast<int>(std::fmod(quarter, 4.0));
      last.cosine = q == 0 ? 1 : q == 2 ? -1 : 0;
      last.sine = q == 1 ? 1 : q == 3 ? -1 : 0;
    } else {
      last.sine = std::sin(size * radians);
      last.cosine = std::cos(size * radians);
    }
  }
  const double c = last.cosine, s = degrees < 0 ? -last.sine : last.sine;
  const Vec3 old_a = a;
  a = a * c + b * s;
  b = b * c - old_a * s;
}

void turn(Turtle& turtle, double degrees) {
  rotate_pair(turtle.last_angle, turtle.pen.heading, turtle.pen.left, degrees);
}
void pitch(Turtle& turtle, double degrees) {
  rotate_pair(turtle.last_angle, turtle.pen.heading, turtle.pen.up, degrees);
}
void roll(Turtle& turtle, double degrees) {
  rotate_pair(turtle.last_angle, turtle.pen.left, turtle.pen.up, degrees);
}

}  // namespace

Result<Done> rotate(Turtle& turtle, Action action, const Module& module) {
  const double angle = number(turtle, module, 0, turtle.angle);
  if (!std::isfinite(angle)) return refusal(turtle, module, "the angle is not finite");
  switch (action) {
    case Action::turn_left:
      turn(turtle, angle);
      break;
    case Action::turn_right:
      turn(turtle, -angle);
      break;
    case Action::pitch_up:
      pitch(turtle, angle);
      break;
    case Action::pitch_down:
      pitch(turtle, -angle);
      break;
    case Action::roll_left:
      roll(turtle, angle);
      break;
    default:
      roll(turtle, -angle);
  }
  return Done{};
}

void turn_around(Turtle& turtle) { turn(turtle, 180); }

void roll_to_vertical(Pen& pen) {
  const Vec3 left = cross(Vec3{0, 1, 0}, pen.heading);
  if (length(left) < 1e-9) return;  // upright: every left is horizontal already
  pen.left = normalized(left);
  pen.up = cross(pen.heading, pen.left);
}

Result<Done> move(Turtle& turtle, const Module& module, bool vertex) {
  Pen& pen = turtle.pen;
  pen.position += pen.heading * (number(turtle, module, 0, turtle.step) * pen.scale);
  if (too_far(pen.position)) return refusal(turtle, module, too_far_message);
  if (!turtle.polygons.empty() && vertex) add_vertex(turtle);
  return Done{};
}

Result<Done> move_to(Turtle& turtle, const Module& module) {
  const Vec3 to{number(turtle, module, 0, 0), number(turtle, module, 1, 0),
                number(turtle, module, 2, 0)};
  if (too_far(to)) return refusal(turtle, module, too_far_message);
  turtle.pen.position = to;
  return Done{};
}

Result<Done> set_width(Turtle& turtle, const Module& module, double without_parameter) {
  const double width = number(turtle, module, 0, without_parameter);
  if (!(width >= 0) || !std::isfinite(width)) {
    return refusal(turtle, module, "a width must be finite and not negative");
  }
  turtle.pen.width = width;
  return Done{};
}

Result<Done> set_colour(Turtle& turtle, const Module& module, Index change) {
  const auto next = static_cast<double>(turtle.pen.colour) + static_cast<double>(change);
  const double colour = number(turtle, module, 0, next);
  if (!(std::abs(colour) <= 1e6)) {
    return refusal(turtle, module, "the colour index is out of range");
  }
  turtle.pen.colour = static_cast<Index>(colour);
  return Done{};
}

Result<Done> set_scale(Turtle& turtle, const Module& module) {
  const double factor = number(turtle, module, 0, 1.0);
  if (!(factor > 0) || !std::isfinite(factor)) {
    return refusal(turtle, module, "the scale must be positive");
  }
  turtle.pen.scale = factor;
  return Done{};
}

Result<Done> set_tropism(Turtle& turtle, const Module& module) {
  const int arity = turtle.program.kinds[module.kind].arity;
  if (arity == 0) return refusal(turtle, module, "the elasticity is missing");
  const double which = arity > 1 ? module.parameters[0] : 1;
  const double elasticity = module.parameters[arity > 1 ? 1 : 0];
  const auto count = std::max<std::size_t>(1, turtle.program.tropisms.size());
  if (!(which >= 1 && which <= static_cast<double>(count))) {
    return refusal(turtle, module, fmt::format("there are {} tropisms", count));
  }
  if (!std::isfinite(elasticity)) return refusal(turtle, module, "the elasticity is not finite");
  turtle.pen.elasticity[static_cast<std::size_t>(which) - 1] = elasticity;
  return Done{};
}

// Tropism (Prusinkiewicz and Lindenmayer 1990, sec. 2.1): the heading turns towards T by
// e |H × T| radians.
Result<Done> bend(Turtle& turtle) {
  const std::vector<Tropism>& tropisms = turtle.program.tropisms;
  Pen& pen = turtle.pen;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, tropisms.size()); ++i) {
    if (pen.elasticity[i] == 0) continue;
    const Vec3 down{0, -1, 0};
    const Vec3 torque = cross(pen.heading, tropisms.empty() ? down : tropisms[i].direction);
    const double angle = length(torque) * std::abs(pen.elasticity[i]);
    if (angle == 0) continue;
    if (!(angle <= 1000)) {
      return diagnostic_in(turtle.program.source, turtle.program.axiom_place,
                           "a tropism turns the heading by more than 1000 radians");
    }
    const Quat turned = exp_rotation(torque * pen.elasticity[i]);
    pen.heading = normalized(rotate(turned, pen.heading));
    pen.left = normalized(rotate(turned, pen.left));
    pen.up = cross(pen.heading, pen.left);
  }
  return Done{};
}

}  // namespace thigmo
