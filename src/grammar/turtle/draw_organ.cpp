#include "grammar/turtle/draw_organ.h"

#include "grammar/turtle/organs.h"
#include "grammar/turtle/room.h"

namespace thigmo {

namespace {

// `back`: how far its base lies behind the turtle [m].
void place_organ(const Pen& pen, Index shape_number, double length, double width, double back,
                 Drawing& drawing) {
  const OrganShape& shape = at(organ_shapes(), shape_number);
  const Quat segment_from_world = conjugate(at(drawing.world_from_segment, pen.segment));
  const Vec3 base = pen.position - pen.heading * back;
  Organ organ;
  organ.segment = pen.segment;
  set_place(rotate(segment_from_world, base - at(drawing.base_world, pen.segment)),
            segment_from_world * world_from_turtle(pen), organ);
  organ.kind = shape.kind;
  organ.length = static_cast<float>(length);
  organ.width = static_cast<float>(width);
  organ.mass = static_cast<float>(organ_mass(shape, length, width));
  organ.drag_area = static_cast<float>(shape.area_factor * length * width);
  organ.shape = static_cast<std::int16_t>(shape_number);
  organ.colour = pen.colour;
  drawing.growth.plant.organs.push_back(organ);
}

}  // namespace

Result<Done> draw_organ(Turtle& turtle, const Module& module) {
  const Pen& pen = turtle.pen;
  const Index shape_number = turtle.actions.organ_shapes[module.kind];
  const OrganShape& shape = at(organ_shapes(), shape_number);
  const double length = number(turtle, module, 0, shape.default_length) * pen.scale;
  const double width = turtle.program.kinds[module.kind].arity > 1
                           ? module.parameters[1] * pen.scale
                           : length * shape.width_ratio;
  if (!(length >= 0 && width >= 0) || !std::isfinite(length) || !std::isfinite(width)) {
    return refusal(turtle, module, "a size must be finite and not negative");
  }
  if (length == 0 || width == 0) return Done{};
  if (pen.segment == no_index) {
    warn(turtle, module, "nothing was drawn before it to sit on");
    return Done{};
  }
  Drawing& drawing = turtle.drawing;
  if (drawing.build_plant && !make_room_for_organ(drawing)) {
    return refusal(turtle, module, too_many_organs);
  }
  ++drawing.growth.organs;
  if (!drawing.build_plant) return Done{};
  // @O and @o are centred on the turtle, the others grow from it.
  const bool centred = turtle.actions.of[module.kind] != Action::organ;
  place_organ(pen, shape_number, length, width, centred ? 0.5 * length : 0.0, drawing);
  return Done{};
}

}  // namespace thigmo
