#include "simulation/save/model_fields.h"

#include <cstring>

namespace thigmo {

StartJoints start_joints_of(const PlantModel& model) {
  const PerBody<Quat>& joints = model.start.rest_from_body;
  if (joints.size() == 0) return StartJoints::none;
  const Quat rest;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Quat joint = joints[i];
    // Bit by bit: a zero has a sign.
    if (std::memcmp(&joint, &rest, sizeof rest) != 0) return StartJoints::turned;
  }
  return StartJoints::at_rest;
}

void make_tree(PlantModel& model) {
  Mechanism& mechanism = model.mechanism;
  mechanism.parent.clear();
  for (const Segment& s : model.plant.segments) mechanism.parent.push_back(s.parent);
  mechanism.subtree_size = subtree_sizes(model.plant);
  mechanism.body.resize(model.plant.segments.size());
}

}  // namespace thigmo
