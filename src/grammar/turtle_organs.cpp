#include <algorithm>
#include <cmath>

#include "grammar/organs.h"
#include "grammar/turtle.h"

namespace thigmo {

namespace {

constexpr const char* too_many_organs = "the plant has more organs than memory is allowed for";

}  // namespace

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
  if (build_plant_ && !make_room_for_organ()) return refuse(module, too_many_organs);
  // @O and @o are centred on the turtle, the others grow from it.
  const bool centred = actions_[module.kind] != Action::organ;
  place_organ(shape_number, long_, wide, centred ? 0.5 * long_ : 0.0);
}

void Turtle::place_organ(Index shape_number, double long_, double wide, double back) {
  ++growth_.organs;
  if (!build_plant_) return;
  const OrganShape& shape = organ_shapes()[static_cast<std::size_t>(shape_number)];
  const auto on = static_cast<std::size_t>(state_.segment);
  const Quat segment_from_world = conjugate(world_from_segment_[on]);
  const Vec3 base = state_.position - state_.heading * back;
  Organ organ;
  organ.segment = state_.segment;
  set_place(::thigmo::rotate(segment_from_world, base - base_world_[on]),
            segment_from_world * world_from_turtle(), organ);
  organ.kind = shape.kind;
  organ.length = static_cast<float>(long_);
  organ.width = static_cast<float>(wide);
  organ.mass = static_cast<float>(organ_mass(shape, long_, wide));
  organ.drag_area = static_cast<float>(shape.area_factor * long_ * wide);
  organ.shape = static_cast<std::int16_t>(shape_number);
  organ.colour = state_.colour;
  growth_.plant.organs.push_back(organ);
}

void Turtle::add_vertex() {
  polygons_.back().vertices.push_back(state_.position);
  if (!filled_) growth_.drawn_and_filled = {state_.position, state_.position};
  filled_ = true;
  Box& box = growth_.drawn_and_filled;
  const Vec3& p = state_.position;
  box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
  box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
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
  ++growth_.organs;
  if (!build_plant_) return;
  if (!make_room_for_organ()) return refuse_open(polygon.birth, polygon.index, too_many_organs);
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
  set_place(::thigmo::rotate(segment_from_world, base - base_world_[on]),
            segment_from_world * quat_from_columns(x, y, z), organ);
  organ.kind = OrganKind::leaf;
  organ.length = static_cast<float>(long_);
  organ.width = static_cast<float>(high - low);
  organ.mass = static_cast<float>(fresh_leaf_mass_per_area * area);
  organ.drag_area = static_cast<float>(area);
  organ.shape = polygon_shape;
  organ.colour = polygon.start.colour;
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
      parent.height_tip = parent.height_base * (parent.radius_tip / parent.radius_base);
    }
  }
}

}  // namespace thigmo
