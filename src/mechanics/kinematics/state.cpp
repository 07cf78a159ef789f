#include "mechanics/kinematics/state.h"

#include <cmath>

namespace thigmo {

State rest_state(const Mechanism& mechanism, const PlantFrame& stands) {
  const std::size_t n = mechanism.body.size();
  return {
      .rest_from_body = PerBody<Quat>(n),
      .joint_velocity = PerBody<Vec3>(n),
      .joint_acceleration = PerBody<Vec3, float>(n),
      .tension_torque = PerBody<double, float>(n),
      .root = {.position_world = stands.origin_world, .world_from_plant = stands.world_from_plant}};
}

State rest_state(const std::shared_ptr<const Schedule>& schedule) {
  return {.rest_from_body = PerBody<Quat>(schedule, {}),
          .joint_velocity = PerBody<Vec3>(schedule, {}),
          .joint_acceleration = PerBody<Vec3, float>(schedule, {}),
          .tension_torque = PerBody<double, float>(schedule, 0)};
}

void arrange(State& state, const std::shared_ptr<const Schedule>& schedule) {
  state.rest_from_body.arrange(schedule);
  state.joint_velocity.arrange(schedule);
  state.joint_acceleration.arrange(schedule);
  state.tension_torque.arrange(schedule);
}

Pose pose_of(const Mechanism& mechanism, const State& state) {
  const std::size_t n = mechanism.body.size();
  Pose pose{.base_world = std::vector<Vec3>(n),
            .world_from_segment = std::vector<Quat>(n),
            .root = frame_of(state.root)};
  walk(
      mechanism, place_of(pose.root), [&](std::size_t i) { return state.rest_from_body[i]; },
      [&](std::size_t p) {
        return BodyPlace{pose.world_from_segment[p], pose.base_world[p], Vec3{}};
      },
      [&](std::size_t i, const BodyPlace& place) {
        pose.base_world[i] = place.joint_world;
        pose.world_from_segment[i] = place.world_from_body;
      });
  return pose;
}

void find_motions(const Mechanism& mechanism, const State& state, std::span<BodyMotion> motions) {
  walk(
      mechanism, motion_of(state.root),
      [&](std::size_t i) {
        return JointMotion{state.rest_from_body[i], state.joint_velocity[i], Vec3{}};
      },
      [&](std::size_t p) -> const BodyMotion& { return motions[p]; },
      [&](std::size_t i, const BodyMotion& motion) { motions[i] = motion; });
}

BodyMotion body_motion(const Mechanism& mechanism, const State& state, Index body) {
  // Only the bodies that carry it are walked.
  std::vector<Index> path;
  for (Index i = body; i != no_index; i = at(mechanism.parent, i)) {
    path.push_back(i);
  }
  BodyMotion motion = motion_of(state.root);
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const auto i = as_size(*it);
    motion = carried(motion, mechanism.body[i],
                     JointMotion{state.rest_from_body[i], state.joint_velocity[i], Vec3{}});
  }
  return motion;
}

PointMotion point_motion(const Mechanism& mechanism, const State& state, Index body,
                         const Vec3& point_in_body) {
  const BodyMotion motion = body_motion(mechanism, state, body);
  const Vec3 r = rotate(motion.world_from_body, point_in_body);
  return {.position_world = motion.joint_world + r,
          .velocity_world = motion.velocity + cross(motion.omega, r)};
}

// parent_from_body = parent_from_rest · exp θ, the plant being the parent of roots.
Vec3 joint_angle(const Mechanism& mechanism, const Pose& pose, Index body) {
  const auto i = as_size(body);
  const Index parent = mechanism.parent[i];
  const Quat world_from_parent =
      parent == no_index ? pose.root.world_from_plant : at(pose.world_from_segment, parent);
  const Quat parent_from_body = conjugate(world_from_parent) * pose.world_from_segment[i];
  return log_rotation(conjugate(mechanism.body[i].parent_from_rest) * parent_from_body);
}

bool is_finite(const State& state) {
  double sum = state.time;
  for (std::size_t i = 0; i < state.rest_from_body.size(); ++i) {
    const Quat q = state.rest_from_body[i];
    const Vec3 w = state.joint_velocity[i];
    sum += q.w + q.x + q.y + q.z + w.x + w.y + w.z;
  }
  const RootState& b = state.root;
  for (const Vec3& v : {b.position_world, b.velocity_world, b.omega_plant}) sum += v.x + v.y + v.z;
  return std::isfinite(sum);
}

void add_to_hash(const State& state, Hasher& hasher) {
  hasher.add(state.time);
  const RootState& b = state.root;
  const Quat& r = b.world_from_plant;
  for (double value : {r.w, r.x, r.y, r.z}) hasher.add(value);
  for (const Vec3& v : {b.position_world, b.velocity_world, b.omega_plant}) {
    for (double value : {v.x, v.y, v.z}) hasher.add(value);
  }
  for (std::size_t i = 0; i < state.rest_from_body.size(); ++i) {
    const Quat q = state.rest_from_body[i];
    for (double value : {q.w, q.x, q.y, q.z}) hasher.add(value);
  }
  for (std::size_t i = 0; i < state.joint_velocity.size(); ++i) {
    const Vec3 w = state.joint_velocity[i];
    for (double value : {w.x, w.y, w.z}) hasher.add(value);
  }
}

}  // namespace thigmo
