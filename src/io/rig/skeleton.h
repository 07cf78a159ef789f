#pragma once

#include <vector>

#include "io/rig/reduce.h"
#include "mesh/mesh.h"
#include "plant/motion.h"

namespace thigmo {

// The joints of a plant as a file format sees them: one for each kept segment, each with a parent
// joint or none (then it hangs on the skeleton's root, at the world's origin), at rest.
//
// Programs walk joint trees by recursion and give up at about 950 levels, so a joint deeper than
// `max_depth` hangs on the root again and carries its world transform: rotation and translation
// tracks instead of rotation alone. Nothing else changes, and only every max_depth-th joint of a
// long chain pays.
struct Skeleton {
  std::vector<Index> segment;     // that the joint follows
  std::vector<Index> parent;      // joint, or -1: the root
  std::vector<Vec3> translation;  // in the parent's frame, at rest [m]
  std::vector<Quat> rotation;     // parent_from_joint at rest
  std::vector<std::vector<Index>> children;
  std::vector<Index> roots;
};
Skeleton make_skeleton(const Plant& plant, const JointReduction& reduction, int max_depth);

// A joint's rotation and translation in its parent's frame in a pose.
Quat joint_rotation(const Skeleton& skeleton, const Pose& pose, Index joint);
Vec3 joint_translation(const Skeleton& skeleton, const Pose& pose, Index joint);

// Which joints leave their rest rotation or translation at any time.
struct MovingJoints {
  std::vector<Index> rotating, translating;
};
MovingJoints find_moving_joints(const Skeleton& skeleton, const Motion& motion);

// Binds a mesh to the joints that are left instead of to the segments.
void rebind(const JointReduction& reduction, SkinnedMesh& mesh);

}  // namespace thigmo
