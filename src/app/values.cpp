#include "app/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "base/assert.h"
#include "base/diagnostic.h"
#include "mechanics/kinematics/state.h"
#include "mechanics/statics/section_forces.h"
#include "thigmo/render.h"

namespace thigmo {
namespace {

struct ValueSubject {
  const Plant& plant;
  const Mechanism& mechanism;
  const Pose& pose;
  const std::vector<SegmentForces>& forces;  // of weight and point loads; for the kinds that say so
};

Vec3 joint_angle(const ValueSubject& s, Index i) { return joint_angle(s.mechanism, s.pose, i); }

// M = K θ. What the joint holds is what wind, weight and motion together ask of the section at the base.
Vec3 joint_moment(const ValueSubject& s, Index i) {
  return joint_stiffness(at(s.mechanism.body, i)) * joint_angle(s, i);
}
// With the joint's own moment.
double bending_stress(const ValueSubject& s, Index i) {
  const Segment& segment = at(s.plant.segments, i);
  const Vec3 moment = joint_moment(s, i);
  if (!(segment.radius_base > 0)) return 0;
  return bending_stress(section_at(segment, 0), moment.x, moment.z);
}

double strength_used(const ValueSubject& s, Index i) {
  const Material& material = s.plant.materials[as_size(at(s.plant.segments, i).material)];
  return material.strength > 0 ? 100 * bending_stress(s, i) / material.strength : 0;
}

// Beyond this a section is as good as unloaded.
constexpr double most_safety = 100;
double safety(const ValueSubject& s, Index i) {
  const double used = strength_used(s, i);
  return used > 0 ? std::min(most_safety, 100 / used) : most_safety;
}

struct ValueKind {
  const char* name;
  const char* title;
  double (*value)(const ValueSubject& subject, Index segment);
  bool of_loads = false;  // takes `ValueSubject::forces`
};

const std::array kinds{
    ValueKind{
        "radius", "radius [mm]",
        [](const ValueSubject& s, Index i) { return 1e3 * at(s.plant.segments, i).radius_base; }},
    ValueKind{"length", "length of the segment [m]",
              [](const ValueSubject& s, Index i) { return at(s.plant.segments, i).length; }},
    ValueKind{
        "height", "height of the tip above the ground [m]",
        [](const ValueSubject& s, Index i) { return point_on_segment(s.plant, s.pose, i, 1).y; }},
    ValueKind{
        "order", "branching order",
        [](const ValueSubject& s, Index i) { return double{1} * at(s.plant.segments, i).order; }},
    ValueKind{"generation", "segments from the root",
              [](const ValueSubject& s, Index i) {
                double count = 0;
                for (Index k = i; k != no_index; k = at(s.plant.segments, k).parent) ++count;
                return count;
              }},
    ValueKind{
        "axis", "number of the axis",
        [](const ValueSubject& s, Index i) { return double{1} * at(s.plant.segments, i).axis; }},
    ValueKind{"step", "derivation step that made it",
              [](const ValueSubject& s, Index i) {
                return double{1} * std::max(0, at(s.plant.segments, i).origin.step);
              }},
    ValueKind{"mass", "mass of the segment and its organs [g]",
              [](const ValueSubject& s, Index i) { return 1e3 * at(s.mechanism.body, i).mass; }},
    ValueKind{"bend", "bend of the joint from rest [degrees]",
              [](const ValueSubject& s, Index i) {
                return length(joint_angle(s, i)) * 180 / std::numbers::pi;
              }},
    ValueKind{"bending", "bending moment at the base [N m]",
              [](const ValueSubject& s, Index i) {
                const Vec3 moment = joint_moment(s, i);
                return std::hypot(moment.x, moment.z);
              }},
    ValueKind{"torsion", "torsion at the base [N m]",
              [](const ValueSubject& s, Index i) { return joint_moment(s, i).y; }},
    ValueKind{"axial", "axial force of weight and forces [N]",
              [](const ValueSubject& s, Index i) { return at(s.forces, i).base.force.y; }, true},
    ValueKind{"shear", "shear force of weight and forces [N]",
              [](const ValueSubject& s, Index i) {
                const Vec3& force = at(s.forces, i).base.force;
                return std::hypot(force.x, force.z);
              },
              true},
    ValueKind{"stress", "bending stress [MPa]",
              [](const ValueSubject& s, Index i) { return 1e-6 * bending_stress(s, i); }},
    ValueKind{"load", "bending stress over strength [%]", strength_used},
    ValueKind{"safety", "strength over bending stress, 100 or more as 100", safety}};

}  // namespace

std::vector<std::pair<std::string, std::string>> colour_values() {
  std::vector<std::pair<std::string, std::string>> names;
  for (const ValueKind& kind : kinds) names.emplace_back(kind.name, kind.title);
  return names;
}

Result<Done> check_value(const std::string& name) {
  std::vector<std::string> names;
  for (const ValueKind& kind : kinds) {
    if (name == kind.name) return Done{};
    names.emplace_back(kind.name);
  }
  const std::string near = closest_word(name, names);
  return error(fmt::format("segments cannot be coloured by '{}'", name),
               near.empty() ? fmt::format("known values: {}", fmt::join(names, ", "))
                            : fmt::format("did you mean '{}'?", near));
}

SegmentValues segment_values(const std::string& name, const Plant& plant,
                             const Mechanism& mechanism, const Pose& pose, const Loads& loads) {
  const auto* kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const ValueKind& k) { return name == k.name; });
  THIGMO_ASSERT(kind != kinds.end());
  std::vector<SegmentForces> forces;
  if (kind->of_loads) forces = section_forces(plant, mechanism, loads, pose);
  const ValueSubject subject{plant, mechanism, pose, forces};
  SegmentValues result{.title = kind->title, .values = {}};
  for (Index i = 0; i < segment_count(plant); ++i) {
    result.values.push_back(kind->value(subject, i));
  }
  return result;
}

}  // namespace thigmo
