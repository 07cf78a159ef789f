#include "plant/rod.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace thigmo {

Plant make_rod(const RodDescription& description) {
  THIGMO_ASSERT(description.segments > 0);
  const Vec3 y = description.direction;
  const Vec3 x = normalized(cross(y, description.up));
  const Vec3 z = cross(x, y);

  Plant plant{.name = description.name, .materials = {description.material}};
  const double length = description.length / description.segments;
  const auto radius_at = [&](int node) {
    const double part = static_cast<double>(node) / description.segments;
    return description.radius_base + (description.radius_tip - description.radius_base) * part;
  };
  const auto rectangle_of = [&](int node) {
    const Rectangle base = *description.rectangle;
    const Rectangle tip = description.rectangle_tip.value_or(base);
    const double part = static_cast<double>(node) / description.segments;
    return Rectangle{.width = base.width + (tip.width - base.width) * part,
                     .height = base.height + (tip.height - base.height) * part};
  };
  for (int i = 0; i < description.segments; ++i) {
    Segment segment{.parent = i - 1, .outline = description.outline, .length = length};
    segment.hollow = description.hollow;
    segment.base_in_parent = i == 0 ? Vec3{} : Vec3{0, length, 0};
    // The clamp holds the curve's direction at its root, half a segment before the first segment's.
    const Quat turn = exp_rotation(description.curvature * (i == 0 ? 0.5 * length : length));
    segment.parent_from_segment = i == 0 ? quat_from_columns(x, y, z) * turn : turn;
    if (description.rectangle) {
      set_rectangle(rectangle_of(i), rectangle_of(i + 1), segment);
    } else {
      segment.radius_base = radius_at(i);
      segment.radius_tip = radius_at(i + 1);
    }
    plant.segments.push_back(segment);
  }
  // Not at the end of a point, nor where three segments are needed to tell how a beam begins.
  const Segment& end = plant.segments.back();
  const bool blunt = end.radius_tip > 0 && (!is_flat(end) || end.height_tip > 0);
  if (description.tip_mass > 0 && description.tip_radius > 0 && blunt && description.segments > 2) {
    // A body of its own, behind a joint that holds the last half segment: what turns the disc bends it.
    Segment& last = plant.segments.back();
    Segment stub = last;
    stub.parent = segment_count(plant) - 1;
    stub.length = 1e-3 * length;
    last.length -= stub.length;
    stub.base_in_parent = {0, last.length, 0};
    stub.parent_from_segment = exp_rotation(description.curvature * (0.5 * length));
    stub.radius_base = stub.radius_tip;
    stub.height_base = stub.height_tip;
    plant.segments.push_back(stub);
  }
  if (description.tip_mass > 0) {
    // A square plate across the rod with a disc's inertia, m a²/6 = m R²/2; without a radius too
    // small to see or to resist being turned.
    const double size = description.tip_radius > 0 ? std::sqrt(3.0) * description.tip_radius
                                                   : 1e-3 * description.length;
    Organ tip{.segment = segment_count(plant) - 1,
              .length = static_cast<float>(size),
              .width = static_cast<float>(size),
              .mass = static_cast<float>(description.tip_mass),
              .kind = OrganKind::fruit};
    set_place({0, plant.segments.back().length, -0.5 * size},
              rotation_between({0, 1, 0}, {0, 0, 1}), tip);
    plant.organs.push_back(tip);
  }
  return plant;
}

}  // namespace thigmo
