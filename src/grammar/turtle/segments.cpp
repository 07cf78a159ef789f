#include "grammar/turtle/segments.h"

#include "grammar/turtle/motion.h"
#include "grammar/turtle/polygons.h"
#include "grammar/turtle/room.h"

namespace thigmo {

namespace {

void mark_drawn(Drawing& drawing, const Vec3& from, const Vec3& to, double length) {
  ++drawing.growth.drawn_segments;
  drawing.growth.drawn_length += length;
  for (const Vec3& point : {from, to}) {
    extend(drawing.growth.drawn, point, drawing.drew);
    extend(drawing.growth.drawn_and_filled, point, drawing.filled);
  }
}

// Where the segment sits: on the last one drawn, or on the ground.
void place_segment(const Drawing& drawing, const Vec3& base, const Quat& world_from_segment,
                   Segment& segment) {
  if (segment.parent == no_index) {
    segment.base_in_parent = base;
    segment.parent_from_segment = world_from_segment;
    return;
  }
  const Quat parent_from_world = conjugate(at(drawing.world_from_segment, segment.parent));
  segment.base_in_parent = rotate(parent_from_world, base - at(drawing.base_world, segment.parent));
  segment.parent_from_segment = normalized(parent_from_world * world_from_segment);
}

Result<Done> add_segment(Turtle& turtle, const Module& module, const Vec3& base, double length,
                         double width) {
  Drawing& drawing = turtle.drawing;
  Pen& pen = turtle.pen;
  const double radius = 0.5 * width * pen.scale;
  if (!(radius > 0)) return refusal(turtle, module, "the width is 0 here");
  if (!std::isfinite(radius)) return refusal(turtle, module, "the width is not finite here");
  ++drawing.growth.segments;
  if (!drawing.build_plant) {
    pen.segment = 0;  // something to sit on
    return Done{};
  }
  if (!make_room_for_segment(drawing)) {
    return refusal(turtle, module, "the plant has more segments than memory is allowed for");
  }
  const Quat world_from_segment = world_from_turtle(pen);
  Segment segment;
  segment.parent = pen.segment;
  place_segment(drawing, base, world_from_segment, segment);
  if (segment.parent == no_index || pen.new_axis) {
    pen.axis = drawing.axis_count++;
    if (segment.parent != no_index) ++pen.order;
    pen.new_axis = false;
  }
  segment.length = length;
  segment.radius_base = segment.radius_tip = radius;
  if (pen.shape.flatness != 1) {
    segment.outline = Outline::ellipse;
    segment.height_base = segment.height_tip = 2 * radius * pen.shape.flatness;
  }
  segment.hollow = pen.shape.hollow;
  segment.kind = pen.kind;
  segment.axis = pen.axis;
  segment.order = pen.order;
  segment.material = pen.material;
  segment.colour = pen.colour;
  segment.joint_factor = static_cast<float>(pen.joint_factor);
  segment.origin = {.module = static_cast<Index>(turtle.drawn.index),
                    .rule = module.birth.rule,
                    .step = module.birth.step,
                    .symbol = turtle.program.kinds[module.kind].name[0]};
  pen.segment = segment_count(drawing.growth.plant);
  drawing.growth.plant.segments.push_back(segment);
  drawing.world_from_segment.push_back(world_from_segment);
  drawing.base_world.push_back(base);
  return Done{};
}

}  // namespace

Result<Done> draw_line(Turtle& turtle, const Module& module, bool vertex) {
  Pen& pen = turtle.pen;
  const double length = number(turtle, module, 0, turtle.step) * pen.scale;
  if (!(length >= 0) || !std::isfinite(length)) {
    return refusal(turtle, module, "a length must be finite and not negative");
  }
  const Vec3 base = pen.position;
  pen.position += pen.heading * length;
  if (too_far(pen.position)) return refusal(turtle, module, too_far_message);
  if (!pen.in_cylinder) mark_drawn(turtle.drawing, base, pen.position, length);
  if (!turtle.polygons.empty() && vertex) add_vertex(turtle);
  if (length > 0 && !pen.in_cylinder) {
    Result<Done> added = add_segment(turtle, module, base, length, pen.width);
    if (!added) return added;
  }
  const bool bends = !turtle.program.tropisms.empty() || pen.elasticity[0] != 0;
  return bends ? bend(turtle) : Done{};
}

void begin_cylinder(Turtle& turtle, const Module& module) {
  Pen& pen = turtle.pen;
  turtle.knot = {pen.position, pen.heading, pen.width, {module.birth, turtle.drawn.index}};
  pen.in_cylinder = true;
}

// From the last control point to here: a cubic Hermite curve along both headings, in n pieces whose
// width goes from the one to the other.
Result<Done> draw_cylinder(Turtle& turtle, const Module& module) {
  Pen& pen = turtle.pen;
  if (!pen.in_cylinder) return refusal(turtle, module, "there is no @Gs before it");
  const double pieces = number(turtle, module, 0, 4);
  if (!(pieces >= 1 && pieces <= 1000)) {
    return refusal(turtle, module, "the pieces are 1 to 1000");
  }
  const auto n = static_cast<int>(pieces);
  const Knot& knot = turtle.knot;
  const Pen end = pen;
  const double chord = length(end.position - knot.position);
  const Vec3 t0 = knot.heading * (chord * end.tangent_start);
  const Vec3 t1 = end.heading * (chord * end.tangent_end);
  Vec3 from = knot.position;
  for (int i = 1; i <= n && chord > 0; ++i) {
    const double s = static_cast<double>(i) / n, s2 = s * s, s3 = s2 * s;
    const Vec3 to = i == n ? end.position
                           : knot.position * (2 * s3 - 3 * s2 + 1) + t0 * (s3 - 2 * s2 + s) +
                                 end.position * (3 * s2 - 2 * s3) + t1 * (s3 - s2);
    const double piece = length(to - from);
    if (piece > 0) {
      const Vec3 heading = (to - from) / piece;
      const Quat turned = rotation_between(end.heading, heading);
      pen.heading = heading;
      pen.left = rotate(turned, end.left);
      pen.up = rotate(turned, end.up);
      const double t = static_cast<double>(i - 1) / n;
      mark_drawn(turtle.drawing, from, to, piece);
      const double width = knot.width + (end.width - knot.width) * t;
      Result<Done> added = add_segment(turtle, module, from, piece, width);
      if (!added) return added;
    }
    from = to;
  }
  pen.heading = end.heading;
  pen.left = end.left;
  pen.up = end.up;
  turtle.knot = {end.position, end.heading, end.width, knot.opening};
  return Done{};
}

Result<Done> end_cylinder(Turtle& turtle, const Module& module) {
  Result<Done> done = draw_cylinder(turtle, module);
  turtle.pen.in_cylinder = false;
  return done;
}

Result<Done> set_tangents(Turtle& turtle, const Module& module) {
  const double start = number(turtle, module, 0, 1.2), end = number(turtle, module, 1, start);
  if (!(std::abs(start) <= 1e3 && std::abs(end) <= 1e3)) {
    return refusal(turtle, module, "the tangents are out of range");
  }
  turtle.pen.tangent_start = start;
  turtle.pen.tangent_end = end;
  return Done{};
}

void finish_radii(Plant& plant) {
  std::vector<Segment>& segments = plant.segments;
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (segments[i].parent == no_index) continue;
    Segment& parent = at(segments, segments[i].parent);
    if (parent.axis == segments[i].axis) {
      parent.radius_tip = std::min(parent.radius_base, segments[i].radius_base);
      parent.height_tip = parent.height_base * (parent.radius_tip / parent.radius_base);
    }
  }
}

}  // namespace thigmo
