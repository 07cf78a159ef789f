#include "io/skeleton.h"

#include <cmath>

namespace thigmo {

Skeleton make_skeleton(const Plant& plant, int max_depth) {
  const std::size_t count = plant.segments.size();
  const Pose rest = rest_pose(plant);
  Skeleton skeleton;
  skeleton.children.resize(count);
  std::vector<int> depth(count, 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Segment& segment = plant.segments[i];
    Index parent = segment.parent;
    if (parent != no_index) {
      depth[i] = depth[static_cast<std::size_t>(parent)] + 1;
      if (depth[i] > max_depth) {
        depth[i] = 1;
        parent = no_index;
      }
    }
    skeleton.parent.push_back(parent);
    if (parent == no_index) {
      skeleton.roots.push_back(static_cast<Index>(i));
      skeleton.translation.push_back(rest.base_world[i]);
      skeleton.rotation.push_back(normalized(rest.world_from_segment[i]));
    } else {
      skeleton.children[static_cast<std::size_t>(parent)].push_back(static_cast<Index>(i));
      skeleton.translation.push_back(segment.base_in_parent);
      skeleton.rotation.push_back(normalized(segment.parent_from_segment));
    }
  }
  return skeleton;
}

Quat joint_rotation(const Skeleton& skeleton, const Pose& pose, Index joint) {
  const auto i = static_cast<std::size_t>(joint);
  const Index parent = skeleton.parent[i];
  if (parent == no_index) return pose.world_from_segment[i];
  return conjugate(pose.world_from_segment[static_cast<std::size_t>(parent)]) *
         pose.world_from_segment[i];
}

Vec3 joint_translation(const Skeleton& skeleton, const Pose& pose, Index joint) {
  const auto i = static_cast<std::size_t>(joint);
  const Index parent = skeleton.parent[i];
  if (parent == no_index) return pose.base_world[i];
  const auto p = static_cast<std::size_t>(parent);
  return rotate(conjugate(pose.world_from_segment[p]), pose.base_world[i] - pose.base_world[p]);
}

MovingJoints find_moving_joints(const Skeleton& skeleton, const Motion& motion) {
  // A tenth of the angle that moves a 1 m branch's tip by a hair, and a hundredth of a hair.
  constexpr double still_angle_rad = 1e-5, still_distance_m = 1e-6;
  MovingJoints moving;
  for (Index i = 0; i < static_cast<Index>(skeleton.parent.size()); ++i) {
    const auto s = static_cast<std::size_t>(i);
    const Quat rest_from_joint = conjugate(skeleton.rotation[s]);
    bool rotates = false, translates = false;
    for (const Pose& pose : motion.poses) {
      const Quat turn = rest_from_joint * joint_rotation(skeleton, pose, i);
      const double half_sine = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
      rotates = rotates || half_sine > 0.5 * still_angle_rad;
      const Vec3 shift = joint_translation(skeleton, pose, i) - skeleton.translation[s];
      translates = translates || length(shift) > still_distance_m;
      if (rotates && translates) break;
    }
    if (rotates) moving.rotating.push_back(i);
    if (translates) moving.translating.push_back(i);
  }
  return moving;
}

}  // namespace thigmo
