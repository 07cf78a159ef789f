#pragma once

#include <vector>

#include "plant/motion.h"
#include "simulation/simulation.h"

namespace thigmo {

// A plant as edits take it apart: its segments, bodies, joints and names, one after the other.
struct JointState {
  Quat rest_from_body;
  Vec3 velocity;              // [rad/s]
  Vec3T<float> acceleration;  // [rad/s²]
  float tension_torque = 0;   // [N m]
};
struct PlantParts {
  Plant plant;
  Mechanism mechanism;
  std::vector<JointState> joints;
  std::vector<SegmentId> ids;
};

// The parts of a plant. Its model is left as it is where others share it, else it is used up.
PlantParts parts_of(SimulatedPlant& plant);

// Makes a plant of parts: a model of its own, its state, and room to work in. Its root and time stay.
void assemble(PlantParts&& parts, SimulatedPlant& plant);

// Takes a run of whole subtrees out, and puts parts in behind all that stands on a segment.
PlantParts take_out(SegmentRange subtrees, PlantParts& parts);
Index put_in(PlantParts&& scion, Index parent, bool same_axes, PlantParts& parts);

}  // namespace thigmo
