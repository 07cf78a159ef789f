#pragma once

// The walk from a plant's root to its tips: where bodies are in the world and how they move. All that asks
// this of a mechanism takes it from here; the packed sweeps of a step (kernel) do the same side by side.

#include "mechanics/model/mechanism.h"
#include "mechanics/model/root_motion.h"

namespace thigmo {

// Where a body is; world axes.
struct BodyPlace {
  Quat world_from_body;
  Vec3 joint_world;  // [m]
  Vec3 from_parent;  // own joint minus the parent's, or the plant's origin [m]
};

// How a body moves; world axes.
struct BodyMotion {
  Quat world_from_body;
  Vec3 joint_world;      // [m]
  Vec3 omega, velocity;  // of the body [rad/s] and of its joint [m/s]
  Vec3 alpha, accel;     // of them, where asked for
};

// What a joint does, in its body's axes.
struct JointMotion {
  Quat rest_from_body;
  Vec3 velocity;      // [rad/s]
  Vec3 acceleration;  // [rad/s²]
};

inline BodyPlace place_of(const PlantFrame& frame) {
  return {.world_from_body = frame.world_from_plant,
          .joint_world = frame.origin_world,
          .from_parent = {}};
}
inline BodyMotion motion_of(const RootState& root) {
  return {.world_from_body = root.world_from_plant,
          .joint_world = root.position_world,
          .omega = rotate(root.world_from_plant, root.omega_plant),
          .velocity = root.velocity_world,
          .alpha = {},
          .accel = {}};
}

// From a parent p, or the plant's root, to a body that stands on it at b:
//   R = R_p R_rest Q,  x = x_p + r,  r = R_p b.
inline BodyPlace carried(const BodyPlace& parent, const Body& body, const Quat& rest_from_body) {
  const Vec3 r = rotate(parent.world_from_body, body.base_in_parent);
  return {.world_from_body =
              normalized(parent.world_from_body * body.parent_from_rest * rest_from_body),
          .joint_world = parent.joint_world + r,
          .from_parent = r};
}

// The same in motion, w and a of the joint in its body's axes:
//   ω = ω_p + R w,  v = v_p + ω_p × r,
//   α = α_p + ω_p × R w + R a,  v̇ = v̇_p + α_p × r + ω_p × (ω_p × r).
inline BodyMotion carried(const BodyMotion& parent, const Body& body, const JointMotion& joint) {
  const Vec3 r = rotate(parent.world_from_body, body.base_in_parent);
  const Quat q = normalized(parent.world_from_body * body.parent_from_rest * joint.rest_from_body);
  const Vec3 relative = rotate(q, joint.velocity), turning = cross(parent.omega, r);
  return {.world_from_body = q,
          .joint_world = parent.joint_world + r,
          .omega = parent.omega + relative,
          .velocity = parent.velocity + turning,
          .alpha = parent.alpha + cross(parent.omega, relative) + rotate(q, joint.acceleration),
          .accel = parent.accel + cross(parent.alpha, r) + cross(parent.omega, turning)};
}

// Root to tips. joint(i) is what joint i does, known(p) what was found of a body before, and
// keep(i, found) takes what is found of body i. Of places or of motions, as the root is given.
template <class Found, class Joint, class Known, class Keep>
void walk(const Mechanism& mechanism, const Found& root, const Joint& joint, const Known& known,
          const Keep& keep) {
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    const Index parent = mechanism.parent[i];
    if (parent == no_index) {
      keep(i, carried(root, mechanism.body[i], joint(i)));
    } else {
      keep(i, carried(known(as_size(parent)), mechanism.body[i], joint(i)));
    }
  }
}

}  // namespace thigmo
