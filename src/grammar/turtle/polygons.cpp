#include "grammar/turtle/polygons.h"

#include "grammar/turtle/draw_organ.h"
#include "grammar/turtle/organs.h"
#include "grammar/turtle/room.h"

namespace thigmo {

namespace {

// A flat shape between the corners, seen from its first one.
struct FlatShape {
  Vec3 twice_area;  // along its normal [m²]
  Vec3 along;       // from the first corner to the farthest [m]
};

FlatShape outline_of(const std::vector<Vec3>& corners, const Vec3& base) {
  FlatShape outline;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 corner = corners[i] - base;
    outline.twice_area += cross(corner, corners[(i + 1) % corners.size()] - base);
    if (squared_length(corner) > squared_length(outline.along)) outline.along = corner;
  }
  return outline;
}

// The leaf of a polygon: its normal by Newell's sum, its length from its first corner to the farthest.
Organ leaf_of(const Polygon& polygon, const FlatShape& outline, double area, double length,
              const Drawing& drawing) {
  const Vec3 base = polygon.start.position;
  const Vec3 y = outline.along / length;
  Vec3 z = normalized(outline.twice_area);
  if (dot(z, polygon.start.up) < 0) z = -z;
  z = normalized(z - y * dot(z, y), any_perpendicular(y));
  const Vec3 x = cross(y, z);
  double low = 0, high = 0;
  for (const Vec3& p : polygon.vertices) {
    low = std::min(low, dot(p - base, x));
    high = std::max(high, dot(p - base, x));
  }
  const Index on = polygon.start.segment;
  const Quat segment_from_world = conjugate(at(drawing.world_from_segment, on));
  Organ organ;
  organ.segment = on;
  set_place(rotate(segment_from_world, base - at(drawing.base_world, on)),
            segment_from_world * quat_from_columns(x, y, z), organ);
  organ.kind = OrganKind::leaf;
  organ.length = static_cast<float>(length);
  organ.width = static_cast<float>(high - low);
  organ.mass = static_cast<float>(fresh_leaf_mass_per_area * area);
  organ.drag_area = static_cast<float>(area);
  organ.shape = polygon_shape;
  organ.colour = polygon.start.colour;
  return organ;
}

}  // namespace

void begin_polygon(Turtle& turtle, const Module& module) {
  turtle.polygons.push_back(
      {.vertices = {}, .start = turtle.pen, .opening = {module.birth, turtle.drawn.index}});
}

void add_vertex(Turtle& turtle) {
  turtle.polygons.back().vertices.push_back(turtle.pen.position);
  extend(turtle.drawing.growth.drawn_and_filled, turtle.pen.position, turtle.drawing.filled);
}

Result<Done> end_polygon(Turtle& turtle, const Module& module) {
  if (turtle.polygons.empty()) return refusal(turtle, module, "there is no '{' for this '}'");
  const Polygon polygon = std::move(turtle.polygons.back());
  turtle.polygons.pop_back();
  Drawing& drawing = turtle.drawing;
  ++drawing.growth.polygons;
  if (polygon.vertices.size() < 3 || polygon.start.segment == no_index) return Done{};
  const FlatShape outline = outline_of(polygon.vertices, polygon.start.position);
  const double area = 0.5 * length(outline.twice_area);
  const double long_ = length(outline.along);
  if (!(area > 0 && long_ > 0) || !std::isfinite(area)) return Done{};
  ++drawing.growth.organs;
  if (!drawing.build_plant) return Done{};
  if (!make_room_for_organ(drawing)) return refusal(turtle, polygon.opening, too_many_organs);
  drawing.growth.plant.organs.push_back(leaf_of(polygon, outline, area, long_, drawing));
  return Done{};
}

}  // namespace thigmo
