#pragma once

#include <array>

#include "math/rotation.h"
#include "plant/plant.h"

namespace thigmo {

// Pseudo-rigid-body elements of Hall 2013: a straight elastic piece as rigid links with spring
// joints between them. Frames are the segment's (y along, x and z across); the thesis calls our
// y, z, x its x, y, z, so that joints turn about y, then z, then x.

// x ↦ turn x + shift.
struct RigidMotion {
  Mat3 turn{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3 shift;

  Vec3 operator()(const Vec3& point) const { return turn * point + shift; }
  friend RigidMotion operator*(const RigidMotion& a, const RigidMotion& b) {
    return {.turn = a.turn * b.turn, .shift = a.turn * b.shift + a.shift};
  }
};

// A frame's axes in the world: y along, z and x across, in the order in which they are turned about.
using ChainFrame = std::array<Vec3, 3>;

// One element of either kind. `point[0]` is its base, the last used one its tip.
struct ChainNode {
  std::array<Vec3, 5> point;       // joints between links, and both ends [m]
  std::array<ChainFrame, 3> axis;  // of the link behind each joint
  ChainFrame tip_axis;             // of the elastic tip
  std::array<Vec3, 3> angle;       // of each joint about its y, z, x [rad]
  std::array<Vec3, 3> stiffness;   // [N m/rad]
};

enum class ChainElement {
  one_joint,     // 3-D 1R (Chase et al. 2011): bends under a moment
  three_joints,  // 3-D 3R (Hall 2013, section 4.2): under a force and a moment
};

// An element at rest, of the segment's length, from the world pose of its frame.
ChainNode make_chain_node(ChainElement kind, const Segment& segment, const Material& material,
                          const Vec3& base_world, const Quat& world_from_segment);

Vec3 tip_of(ChainElement kind, const ChainNode& node);

// Bends the element under the total load at its tip; how everything beyond it moves along.
RigidMotion update_element(ChainElement kind, const Vec3& force, const Vec3& moment,
                           ChainNode& node);

// Moves the element as a rigid body.
void transform_element(ChainElement kind, const RigidMotion& motion, ChainNode& node);

}  // namespace thigmo
