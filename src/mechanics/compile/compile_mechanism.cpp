#include "mechanics/compile/compile_mechanism.h"

#include <cmath>

#include "mechanics/compile/damping.h"
#include "mechanics/compile/joint_springs.h"
#include "mechanics/compile/matter.h"

namespace thigmo {

Mechanism compile_mechanism(const Plant& plant, const DragModel& drag, const Vec3& gravity_world) {
  Mechanism mechanism;
  mechanism.subtree_size = subtree_sizes(plant);
  mechanism.parent.reserve(plant.segments.size());
  mechanism.body.reserve(plant.segments.size());
  auto organ = plant.organs.begin();  // they are sorted by segment
  for (const Segment& s : plant.segments) {
    Matter matter = matter_of(plant, s, drag);
    const auto number = static_cast<Index>(mechanism.body.size());
    for (; organ != plant.organs.end() && organ->segment == number; ++organ) {
      add_organ(*organ, drag, matter);
    }
    mechanism.parent.push_back(s.parent);
    mechanism.body.push_back({.base_in_parent = s.base_in_parent,
                              .parent_from_rest = s.parent_from_segment,
                              .mass = matter.mass,
                              .first_moment = matter.first_moment,
                              .inertia = narrowed(matter.inertia),
                              .drag_point = narrowed(matter.drag_point),
                              .drag_across = narrowed(matter.drag_across),
                              .drag_around = narrowed(matter.drag_around),
                              .length = static_cast<float>(s.length)});
  }
  set_joint_stiffness(plant, mechanism.body);
  mechanism.streamlining_speed = drag.streamlining_speed;
  set_damping(plant, gravity_world, mechanism);
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Index given = plant.segments[i].given;
    if (given == no_index) continue;
    const auto& damping = at(plant.given_bodies, given).joint_damping;
    if (damping) mechanism.body[i].damping_time = static_cast<float>(*damping);
  }
  if (std::isfinite(plant.root_stiffness)) {
    add_root_springs(plant, mechanism.body);
    damp_root_springs(plant, gravity_world, mechanism);
  }
  return mechanism;
}

}  // namespace thigmo
