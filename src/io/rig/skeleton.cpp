#include "io/rig/skeleton.h"

#include <algorithm>
#include <cmath>

#include "mesh/deform.h"

namespace thigmo {

Skeleton make_skeleton(const Plant& plant, const JointReduction& reduction, int max_depth) {
  const std::size_t count = reduction.kept.size();
  const Pose rest = bind_pose(plant, reduction);
  Skeleton skeleton;
  skeleton.segment = reduction.kept;
  skeleton.children.resize(count);
  std::vector<int> depth(count, 1);
  for (std::size_t j = 0; j < count; ++j) {
    const Index segment_parent = at(plant.segments, reduction.kept[j]).parent;
    Index parent = no_index;
    if (segment_parent != no_index) {
      parent = at(reduction.joint_of_segment, segment_parent);
      depth[j] = at(depth, parent) + 1;
      if (depth[j] > max_depth) {
        depth[j] = 1;
        parent = no_index;
      }
    }
    skeleton.parent.push_back(parent);
    if (parent == no_index) {
      skeleton.roots.push_back(static_cast<Index>(j));
    } else {
      at(skeleton.children, parent).push_back(static_cast<Index>(j));
    }
    skeleton.translation.push_back(joint_translation(skeleton, rest, static_cast<Index>(j)));
    skeleton.rotation.push_back(normalized(joint_rotation(skeleton, rest, static_cast<Index>(j))));
  }
  return skeleton;
}

namespace {

// The segments that a joint and its parent follow; the parent's is -1 at the root.
struct Pair {
  std::size_t own;
  Index parent;
};
Pair segments_of(const Skeleton& skeleton, Index joint) {
  const Index parent = at(skeleton.parent, joint);
  return {.own = static_cast<std::size_t>(at(skeleton.segment, joint)),
          .parent = parent == no_index ? no_index : at(skeleton.segment, parent)};
}

}  // namespace

Quat joint_rotation(const Skeleton& skeleton, const Pose& pose, Index joint) {
  const Pair pair = segments_of(skeleton, joint);
  if (pair.parent == no_index) return pose.world_from_segment[pair.own];
  return conjugate(at(pose.world_from_segment, pair.parent)) * pose.world_from_segment[pair.own];
}

Vec3 joint_translation(const Skeleton& skeleton, const Pose& pose, Index joint) {
  const Pair pair = segments_of(skeleton, joint);
  if (pair.parent == no_index) return pose.base_world[pair.own];
  const auto p = as_size(pair.parent);
  return rotate(conjugate(pose.world_from_segment[p]),
                pose.base_world[pair.own] - pose.base_world[p]);
}

MovingJoints find_moving_joints(const Skeleton& skeleton, const Motion& motion) {
  // What single precision does not tell from still. Angles add up along a stem: a hundred joints that
  // turn by 1e-5 move a tip by a millimetre.
  constexpr double still_angle_rad = 6e-8, still_distance_m = 1e-7;
  const std::size_t count = skeleton.parent.size();
  std::vector<char> rotates(count, 0), translates(count, 0);
  Pose scratch;
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    const Pose& pose = pose_at(motion, f, scratch);
    for (std::size_t s = 0; s < count; ++s) {
      const auto i = static_cast<Index>(s);
      if (rotates[s] == 0) {
        const Quat turn = conjugate(skeleton.rotation[s]) * joint_rotation(skeleton, pose, i);
        const double half_sine = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
        rotates[s] = half_sine > 0.5 * still_angle_rad;
      }
      if (translates[s] == 0) {
        const Vec3 shift = joint_translation(skeleton, pose, i) - skeleton.translation[s];
        translates[s] = length(shift) > still_distance_m;
      }
    }
  }
  MovingJoints moving;
  for (std::size_t s = 0; s < count; ++s) {
    if (rotates[s] != 0) moving.rotating.push_back(static_cast<Index>(s));
    if (translates[s] != 0) moving.translating.push_back(static_cast<Index>(s));
  }
  return moving;
}

namespace {

// Bends a mesh into the pose in which it is bound.
void bend(const Pose& bind, SkinnedMesh& mesh) {
  Deformed shape;
  deform(mesh, bind, shape);
  for (const SkinGroup& group : mesh.groups) {
    const Mat3T<float>& turn = at(shape.pose_from_rest, group.joint[0]).linear;
    for (std::uint32_t v = group.first_vertex; v < group.first_vertex + group.vertex_count; ++v) {
      Vec4f& tangent = mesh.tangents[v];
      const Vec3f& n = shape.normals[v];
      Vec3f t = turn * Vec3f{tangent.x, tangent.y, tangent.z};
      t = t - n * dot(n, t);
      t = t * (1.0f / std::sqrt(dot(t, t)));
      tangent = {t.x, t.y, t.z, tangent.w};
    }
  }
  mesh.positions = std::move(shape.positions);
  mesh.normals = std::move(shape.normals);
  mesh.rest = bind;
}

}  // namespace

void rebind(const JointReduction& reduction, SkinnedMesh& mesh) {
  if (!reduction.bind.base_world.empty()) bend(reduction.bind, mesh);
  Pose rest;
  for (const Index segment : reduction.kept) {
    rest.base_world.push_back(at(mesh.rest.base_world, segment));
    rest.world_from_segment.push_back(at(mesh.rest.world_from_segment, segment));
  }
  mesh.rest = std::move(rest);
  for (SkinGroup& group : mesh.groups) {
    SkinGroup bound{.first_vertex = group.first_vertex,
                    .vertex_count = group.vertex_count,
                    .joint = {},
                    .weight = {}};
    std::size_t used = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (!(group.weight[k] > 0)) continue;
      const Index joint = at(reduction.joint_of_segment, group.joint[k]);
      // Two segments may now ride on one joint, which then has both weights.
      const auto same = std::find(bound.joint.begin(),
                                  bound.joint.begin() + static_cast<std::ptrdiff_t>(used), joint);
      const auto slot = static_cast<std::size_t>(same - bound.joint.begin());
      if (slot == used) bound.joint[used++] = joint;
      bound.weight[slot] += group.weight[k];
    }
    group = bound;
  }
}

}  // namespace thigmo
