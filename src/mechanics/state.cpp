#include "mechanics/state.h"

#include <algorithm>
#include <cmath>

namespace thigmo {

State rest_state(const Mechanism& mechanism) {
  const std::size_t n = mechanism.body.size();
  return {.rest_from_body = PerBody<Quat>(n),
          .joint_velocity = PerBody<Vec3>(n),
          .joint_acceleration = PerBody<Vec3, float>(n),
          .tension_torque = PerBody<double, float>(n)};
}

void arrange(State& state, const std::shared_ptr<const Schedule>& schedule) {
  state.rest_from_body.arrange(schedule);
  state.joint_velocity.arrange(schedule);
  state.joint_acceleration.arrange(schedule);
  state.tension_torque.arrange(schedule);
}

Pose pose_of(const Mechanism& mechanism, const State& state) {
  const std::size_t n = mechanism.body.size();
  Pose pose{.base_world = std::vector<Vec3>(n), .world_from_segment = std::vector<Quat>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    const Index parent = mechanism.parent[i];
    const bool at_base = parent == no_index;
    const auto p = static_cast<std::size_t>(parent);
    const Quat world_from_parent =
        at_base ? state.base.world_from_base : pose.world_from_segment[p];
    const Vec3 parent_world =
        at_base ? mechanism.base_world + state.base.displacement_world : pose.base_world[p];
    const Vec3 foot = at_base ? mechanism.base_world : Vec3{};
    pose.base_world[i] = parent_world + rotate(world_from_parent, body.base_in_parent - foot);
    pose.world_from_segment[i] =
        normalized(world_from_parent * body.parent_from_rest * state.rest_from_body[i]);
  }
  return pose;
}

PointMotion point_motion(const Mechanism& mechanism, const State& state, Index body,
                         const Vec3& point_in_body) {
  // The path to the base, walked outwards: ω adds up joint by joint, each joint moves with the
  // body before it.
  std::vector<Index> path;
  for (Index i = body; i != no_index; i = mechanism.parent[static_cast<std::size_t>(i)]) {
    path.push_back(i);
  }
  std::reverse(path.begin(), path.end());
  Quat world_from_body = state.base.world_from_base;
  Vec3 position = mechanism.base_world + state.base.displacement_world;
  Vec3 velocity = state.base.velocity_world;
  Vec3 omega = rotate(world_from_body, state.base.omega_base);
  Vec3 foot = mechanism.base_world;
  for (Index index : path) {
    const auto i = static_cast<std::size_t>(index);
    const Vec3 r = rotate(world_from_body, mechanism.body[i].base_in_parent - foot);
    foot = Vec3{};
    position += r;
    velocity += cross(omega, r);
    world_from_body =
        normalized(world_from_body * mechanism.body[i].parent_from_rest * state.rest_from_body[i]);
    omega += rotate(world_from_body, state.joint_velocity[i]);
  }
  const Vec3 r = rotate(world_from_body, point_in_body);
  return {.position_world = position + r, .velocity_world = velocity + cross(omega, r)};
}

bool is_finite(const State& state) {
  double sum = state.time;
  for (std::size_t i = 0; i < state.rest_from_body.size(); ++i) {
    const Quat q = state.rest_from_body[i];
    const Vec3 w = state.joint_velocity[i];
    sum += q.w + q.x + q.y + q.z + w.x + w.y + w.z;
  }
  const BaseState& b = state.base;
  for (const Vec3& v : {b.displacement_world, b.velocity_world, b.omega_base})
    sum += v.x + v.y + v.z;
  return std::isfinite(sum);
}

void add_to_hash(const State& state, Hasher& hasher) {
  hasher.add(state.time);
  const BaseState& b = state.base;
  const Quat& r = b.world_from_base;
  for (double value : {r.w, r.x, r.y, r.z}) hasher.add(value);
  for (const Vec3& v : {b.displacement_world, b.velocity_world, b.omega_base}) {
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
