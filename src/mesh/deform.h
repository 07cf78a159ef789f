#pragma once

#include <vector>

#include "mesh/mesh.h"

namespace thigmo {

// Positions and normals of a mesh in a pose. `Deformed` is reused between frames without
// allocating.
struct Deformed {
  std::vector<Vec3f> positions;
  std::vector<Vec3f> normals;
  struct Affine {  // p -> linear p + offset
    Mat3T<float> linear;
    Vec3f offset;
  };
  std::vector<Affine> pose_from_rest;  // of every segment: scratch
};
void deform(const SkinnedMesh& mesh, const Pose& pose, Deformed& out);

// Where every segment takes what is bound to it.
void find_pose_from_rest(const SkinnedMesh& mesh, const Pose& pose,
                         std::vector<Deformed::Affine>& pose_from_rest);

}  // namespace thigmo
