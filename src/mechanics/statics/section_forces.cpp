#include "mechanics/statics/section_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/model/beam.h"
#include "mechanics/statics/inverse_statics.h"

namespace thigmo {
namespace {

// σ = |N|/A + that of bending; twisting: τ = T/W, largest on the rim, at the ends of an ellipse's shorter
// axis, or in the middle of a rectangle's longer sides. A tip that runs out to nothing carries nothing.
void set_stress(const Segment& segment, double fraction, SectionForce& at) {
  const Section section = section_at(segment, fraction);
  if (!(section.area > 0)) return;
  at.stress =
      std::abs(at.force.y) / section.area + bending_stress(section, at.moment.x, at.moment.z);
  at.shear = std::abs(at.moment.y) / section.torsion_modulus;
}

// Rotation of the section in the middle of a segment: the segment's own, less what its joint and
// those before it in its beam turned for the sake of the end correction.
Quat middle_section(const Plant& plant, const std::vector<Index>& next,
                    const std::vector<Vec3>& shift, const std::vector<SegmentForces>& forces,
                    const Pose& pose, Index segment) {
  Vec3 turn;
  for (Index here = segment; here != no_index;) {
    const auto i = as_size(here);
    if (squared_length(shift[i]) == 0) break;
    turn += scale(shift[i], forces[i].base.moment);
    const Index parent = plant.segments[i].parent;
    const bool begins = parent == no_index || at(next, parent) != here;
    here = begins ? no_index : parent;
  }
  return at(pose.world_from_segment, segment) * exp_rotation(-turn);
}

}  // namespace

std::vector<SegmentForces> section_forces(const Plant& plant, const Mechanism& mechanism,
                                          const Loads& loads, const Pose& pose) {
  const std::size_t n = mechanism.body.size();
  // World axes, about each segment's base: of all loads on it and beyond, and of those at its tip or
  // beyond, which are what its children carry and the point loads at its far end.
  const auto [force, torque] = load_sums(mechanism, loads, pose);
  std::vector<Vec3> far_force(n), far_torque(n);
  for (const Organ& organ : plant.organs) {
    const auto i = as_size(organ.segment);
    const Vec3 center =
        base_in_segment(organ) + rotate(segment_from_organ(organ), Vec3{0, organ.length / 2, 0});
    if (center.y < 0.5 * plant.segments[i].length) continue;
    const Vec3 weight = loads.gravity_world * organ.mass;
    far_force[i] += weight;
    far_torque[i] += cross(rotate(pose.world_from_segment[i], center), weight);
  }
  for (const PointLoad& load : loads.points) {
    const auto i = as_size(load.body);
    if (load.point_in_body.y < 0.5 * plant.segments[i].length) continue;
    const auto [f, moment, arm] = in_world(load, pose.world_from_segment[i]);
    far_force[i] += f;
    far_torque[i] += cross(arm, f) + moment;
  }
  for (std::size_t i = n; i-- > 0;) {
    if (mechanism.parent[i] == no_index) continue;
    const auto p = as_size(mechanism.parent[i]);
    const Vec3& start = mechanism.body[i].base_in_parent;
    if (start.y < 0.5 * plant.segments[p].length) continue;
    const Vec3 arm = rotate(pose.world_from_segment[p], start);
    far_force[p] += force[i];
    far_torque[p] += torque[i] + cross(arm, force[i]);
  }

  std::vector<SegmentForces> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Segment& segment = plant.segments[i];
    const Quat body_from_world = conjugate(pose.world_from_segment[i]);
    const Vec3 tip_arm = rotate(pose.world_from_segment[i], Vec3{0, segment.length, 0});
    SegmentForces& s = result[i];
    s.base.force = rotate(body_from_world, force[i]);
    s.base.moment = rotate(body_from_world, torque[i]);
    s.tip.force = rotate(body_from_world, far_force[i]);
    s.tip.moment = rotate(body_from_world, far_torque[i] - cross(tip_arm, far_force[i]));
    set_stress(segment, 0, s.base);
    set_stress(segment, 1, s.tip);
    s.stress = std::max(s.base.stress, s.tip.stress);
    const double strength = at(plant.materials, segment.material).strength;
    s.safety = s.stress > 0 ? strength / s.stress : std::numeric_limits<double>::infinity();
  }
  return result;
}

Quat section_rotation(const Plant& plant, const std::vector<SegmentForces>& forces,
                      const Pose& pose, Index segment, double fraction, const Vec3& curvature) {
  const auto i = as_size(segment);
  const Segment& s = plant.segments[i];
  if (s.given != no_index) return pose.world_from_segment[i];  // a rigid body
  const std::vector<Index> next = beam_continuations(plant);
  const std::vector<Vec3> shift = flexibility_shifts(plant, next);
  const Quat middle = middle_section(plant, next, shift, forces, pose, segment);
  const bool outwards = fraction >= 0.5;
  // The neighbour along the beam on that side.
  Index neighbour = outwards ? next[i] : s.parent;
  if (!outwards && neighbour != no_index && at(next, neighbour) != segment) {
    neighbour = no_index;
  }
  Vec3 turn;  // from the middle to the end on that side, in the segment's frame
  if (neighbour != no_index) {
    const Quat beside = middle_section(plant, next, shift, forces, pose, neighbour);
    turn = log_rotation(conjugate(middle) * beside) * 0.5;
  } else if (outwards && i + 1 < plant.segments.size() && plant.segments[i + 1].parent == segment) {
    return middle;  // a fork: the joint before it holds this half too
  } else {
    const Material& material = at(plant.materials, s.material);
    const double near_tip = outwards ? 0.75 : 0.25;
    const Vec3 moment = forces[i].base.moment * (1 - near_tip) + forces[i].tip.moment * near_tip;
    const Vec3 bend = outwards ? stretch_compliance(s, material, 0.5, 1.0)
                               : stretch_compliance(s, material, 0.0, 0.5);
    turn = (scale(bend, moment) + curvature * (0.5 * s.length)) * (outwards ? 1.0 : -1.0);
  }
  return normalized(middle * exp_rotation(turn * (2 * std::abs(fraction - 0.5))));
}

Vec3 end_flexibility(const Plant& plant, Index segment, double fraction) {
  const auto i = as_size(segment);
  const Segment& s = plant.segments[i];
  const bool carries = std::any_of(plant.segments.begin() + segment + 1, plant.segments.end(),
                                   [&](const Segment& other) { return other.parent == segment; });
  if (carries || s.given != no_index || !(fraction > 0.5)) return {};
  return stretch_compliance(s, at(plant.materials, s.material), 0.5, fraction);
}

PointLoad seen_from_middle(const PointLoad& in_section, const Vec3& end_flexibility) {
  PointLoad load = in_section;
  if (!load.follower) return load;
  const Quat middle_from_section = exp_rotation(scale(end_flexibility, load.moment));
  load.force = rotate(middle_from_section, load.force);
  load.moment = rotate(middle_from_section, load.moment);
  return load;
}

std::string section_forces_head() {
  return "plant,segment,end,axial_N,shear_x_N,shear_z_N,bend_x_Nm,twist_Nm,bend_z_Nm,stress_Pa,"
         "twist_stress_Pa,safety\n";
}

std::string section_forces_csv(std::string_view plant, const std::vector<SegmentForces>& forces) {
  std::string csv;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    for (const SectionForce* at : {&forces[i].base, &forces[i].tip}) {
      csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", plant, i,
                         at == &forces[i].base ? "base" : "tip", at->force.y, at->force.x,
                         at->force.z, at->moment.x, at->moment.y, at->moment.z, at->stress,
                         at->shear, forces[i].safety);
    }
  }
  return csv;
}

}  // namespace thigmo
