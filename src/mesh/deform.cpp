#include "mesh/deform.h"

#include <cmath>

#include "base/assert.h"

namespace thigmo {
namespace {

using Affine = Deformed::Affine;

Vec3f to_float(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// pose from rest: x -> R_pose R_restᵀ (x - b_rest) + b_pose
Affine pose_from_rest(const SkinnedMesh& mesh, const Pose& pose, std::size_t segment) {
  const Quat turn =
      pose.world_from_segment[segment] * conjugate(mesh.rest.world_from_segment[segment]);
  const Mat3 m = matrix(turn);
  return {.linear = {to_float(m.row_x), to_float(m.row_y), to_float(m.row_z)},
          .offset = to_float(pose.base_world[segment] - m * mesh.rest.base_world[segment])};
}

}  // namespace

void find_pose_from_rest(const SkinnedMesh& mesh, const Pose& pose, std::vector<Affine>& out) {
  THIGMO_ASSERT(pose.base_world.size() == mesh.rest.base_world.size());
  out.resize(mesh.rest.base_world.size());
  for (std::size_t s = 0; s < out.size(); ++s) out[s] = pose_from_rest(mesh, pose, s);
}

void deform(const SkinnedMesh& mesh, const Pose& pose, Deformed& out) {
  out.positions.resize(mesh.positions.size());
  out.normals.resize(mesh.positions.size());
  find_pose_from_rest(mesh, pose, out.pose_from_rest);
  for (const SkinGroup& group : mesh.groups) {
    // All vertices of a group share one blended matrix: the cost of blending is paid per ring.
    Affine blend = at(out.pose_from_rest, group.joint[0]);
    if (group.weight[0] < 1) {
      blend.linear = blend.linear * group.weight[0];
      blend.offset *= group.weight[0];
    }
    for (std::size_t k = 1; k < 4 && group.weight[k] > 0; ++k) {
      const Affine& a = at(out.pose_from_rest, group.joint[k]);
      blend.linear = blend.linear + a.linear * group.weight[k];
      blend.offset += a.offset * group.weight[k];
    }
    const std::size_t end = std::size_t{group.first_vertex} + group.vertex_count;
    for (std::size_t v = group.first_vertex; v < end; ++v) {
      out.positions[v] = blend.linear * mesh.positions[v] + blend.offset;
    }
    // A blend of near rotations is a rotation times a near-uniform scale, so the matrix itself turns
    // normals well enough; a rotation alone keeps their length.
    const bool rigid = group.weight[0] >= 1;
    if (rigid) {
      for (std::size_t v = group.first_vertex; v < end; ++v) {
        out.normals[v] = blend.linear * mesh.normals[v];
      }
    } else {
      for (std::size_t v = group.first_vertex; v < end; ++v) {
        const Vec3f n = blend.linear * mesh.normals[v];
        // Where a joint folds back on itself the blend has no direction left.
        const float square = dot(n, n);
        out.normals[v] = square > 1e-30f ? n * (1.0f / std::sqrt(square)) : mesh.normals[v];
      }
    }
  }
}

}  // namespace thigmo
