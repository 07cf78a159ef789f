#include "mechanics/compile/matter.h"

#include <algorithm>
#include <numbers>

#include "material/section.h"
#include "mechanics/model/gauss.h"

namespace thigmo {
namespace {

using std::numbers::pi;

// Frustum of length l with radii a and b (or a flat bar), y from its base:
//   m = ρ π l (a² + ab + b²)/3 and the moments ∫ y dm, ∫ y² dm, ∫ r²/2 dm by exact integration. What is
// hollow to the part h of its radius lacks the parts h², h², h² and h⁴ of them.
void add_stem(const Segment& s, double density, Matter& matter) {
  const double l = s.length;
  double mass, first, second, across_x, across_z;  // ∫dm ∫y dm ∫y² dm ∫x² dm ∫z² dm
  if (is_flat(s)) {
    mass = first = second = across_x = across_z = 0;
    // Polynomials of the fourth degree at most.
    for (const auto& [y, weight] : three_points) {
      const Section section = section_at(s, y);
      const double dy = density * l * weight, dm = dy * section.area;
      mass += dm;
      first += dm * y * l;
      second += dm * y * l * y * l;
      across_x += dy * section.second_moment_z;
      across_z += dy * section.second_moment_x;
    }
  } else {
    const double a = s.radius_base, b = s.radius_tip, d = b - a;
    const double h2 = s.hollow * s.hollow, wall = density * (1 - h2);
    mass = wall * pi * l * (a * a + a * b + b * b) / 3;
    first = wall * pi * l * l * (a * a / 2 + 2 * a * d / 3 + d * d / 4);
    second = wall * pi * l * l * l * (a * a / 3 + a * d / 2 + d * d / 5);
    const double r4 =
        (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b) / 5;
    across_x = across_z = wall * (1 + h2) * pi * l * r4 / 4;
  }
  matter.mass += mass;
  matter.first_moment += Vec3{0, first, 0};
  matter.inertia += diagonal(Vec3{second + across_z, across_x + across_z, second + across_x});
}

// A thin plate of the organ's size, centred half its length out; its turning about its own centre
// is that of a rectangle of the same sides.
void add_organ_mass(const Organ& organ, Matter& matter) {
  const Mat3 r = matrix(segment_from_organ(organ));
  const Vec3 center = base_in_segment(organ) + r * Vec3{0, organ.length / 2, 0};
  const double ll = organ.mass * organ.length * organ.length / 12;
  const double ww = organ.mass * organ.width * organ.width / 12;
  matter.mass += organ.mass;
  matter.first_moment += center * organ.mass;
  matter.inertia += (identity_times(dot(center, center)) - outer(center)) * organ.mass +
                    conjugate(r, Vec3{ll, ww, ll + ww});
}

void add_drag(const Segment& s, const DragModel& drag, Matter& matter) {
  const double width = s.radius_base + s.radius_tip, height = rectangle_at(s, 0.5).height;
  const double diameter = std::max(width, height);
  matter.drag_across = 0.5 * drag.air_density * drag.stem_coefficient * diameter * s.length;
  matter.drag_point = Vec3{0, s.length / 2, 0};
}

// The organs' drag joins the stem's in one point, weighted by how much each catches.
void add_organ_drag(const Organ& organ, const DragModel& drag, Matter& matter) {
  const double part = 0.5 * drag.air_density * drag.organ_coefficient * organ.drag_area;
  const double before = matter.drag_across + matter.drag_around;
  const Vec3 center =
      base_in_segment(organ) + rotate(segment_from_organ(organ), {0, organ.length / 2, 0});
  if (before + part > 0) {
    matter.drag_point = (matter.drag_point * before + center * part) / (before + part);
  }
  matter.drag_around += part;
}

}  // namespace

Matter matter_of(const Plant& plant, const Segment& segment, const DragModel& drag) {
  Matter matter;
  if (segment.given == no_index) {
    add_stem(segment, at(plant.materials, segment.material).density, matter);
  } else {
    const GivenBody& given = at(plant.given_bodies, segment.given);
    matter.mass = given.mass;
    matter.first_moment = given.center * given.mass;
    matter.inertia = given.inertia;
  }
  add_drag(segment, drag, matter);
  return matter;
}

void add_organ(const Organ& organ, const DragModel& drag, Matter& matter) {
  add_organ_mass(organ, matter);
  add_organ_drag(organ, drag, matter);
}

}  // namespace thigmo
