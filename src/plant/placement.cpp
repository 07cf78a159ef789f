#include "plant/placement.h"

namespace thigmo {
namespace {

struct Root {
  Vec3 base_world;
  Quat world_from_segment;
};

// A plant that is not turned keeps the bits of one made at its place.
Root placed_root(const Plant& plant, const Segment& root, const Placement& placement) {
  if (placement.turn == 0) {
    return {root.base_in_parent + placement.shift_world, root.parent_from_segment};
  }
  const Quat turn = rotation_of(placement);
  const Vec3 foot = plant.segments[0].base_in_parent;
  return {foot + rotate(turn, root.base_in_parent - foot) + placement.shift_world,
          normalized(turn * root.parent_from_segment)};
}

}  // namespace

Quat rotation_of(const Placement& placement) { return rotation_about({0, 1, 0}, placement.turn); }

Plant placed(const Plant& plant, const Placement& placement) {
  Plant result = plant;
  for (Segment& segment : result.segments) {
    if (segment.parent != no_index) continue;
    const Root root = placed_root(plant, segment, placement);
    segment.base_in_parent = root.base_world;
    segment.parent_from_segment = root.world_from_segment;
  }
  return result;
}

Pose rest_pose(const Plant& plant, const Placement& placement) {
  Pose pose;
  pose.base_world.reserve(plant.segments.size());
  pose.world_from_segment.reserve(plant.segments.size());
  for (const Segment& segment : plant.segments) {
    if (segment.parent == no_index) {
      const Root root = placed_root(plant, segment, placement);
      pose.base_world.push_back(root.base_world);
      pose.world_from_segment.push_back(root.world_from_segment);
    } else {
      const auto p = static_cast<std::size_t>(segment.parent);
      const Quat world_from_parent = pose.world_from_segment[p];
      pose.base_world.push_back(pose.base_world[p] +
                                rotate(world_from_parent, segment.base_in_parent));
      pose.world_from_segment.push_back(
          normalized(world_from_parent * segment.parent_from_segment));
    }
  }
  return pose;
}

Pose rest_pose(const Plant& plant) { return rest_pose(plant, Placement{}); }

}  // namespace thigmo
