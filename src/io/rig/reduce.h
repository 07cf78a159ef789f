#pragma once

#include <vector>

#include "plant/motion.h"

namespace thigmo {

// Fewer joints for the same plant: some segments keep a joint of their own, which follows them
// exactly; the others ride rigidly on the nearest kept segment below them.
struct JointReduction {
  std::vector<Index> kept;              // segments, ascending; always all roots
  std::vector<Index> joint_of_segment;  // into `kept`
  // The pose of the segments in which riders are fixed to their joints: of all frames the one nearest
  // to their mean, so that a steady wind's bend costs nothing. Empty: the rest pose.
  Pose bind = {};
  PlantFrame stands = {};  // where the plant is at rest
  // How far segment and organ tips are from where they should be, over all frames [m].
  double error_max = 0, error_mean = 0;
  std::size_t worst_frame = 0;
};

// Where the segments of a plant are when they ride on the joints that are left.
Pose reduced_pose(const Plant& plant, const JointReduction& reduction, const Pose& pose);

// The pose in which riders are fixed to their joints.
Pose bind_pose(const Plant& plant, const JointReduction& reduction);

// All segments keep their joints.
JointReduction keep_all_joints(const Plant& plant, const PlantFrame& stands = {});

// At most `max_joints` joints (but all roots). A segment keeps its joint when its tip, or the tip of
// an organ on it, would otherwise stray from its path by more than a tolerance; the tolerance is the
// smallest that needs no more than `max_joints`. So the error is bounded by the tolerance
// everywhere and does not add up along branches.
JointReduction reduce_joints(const Plant& plant, const Motion& motion, Index max_joints,
                             const PlantFrame& stands = {});

}  // namespace thigmo
