#include "mechanics/statics/inverse_statics.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mechanics/model/joint_spring.h"
#include "mechanics/statics/equilibrium.h"

namespace thigmo {
namespace {

// A joint further from rest than this is beyond what the dynamics can hold apart (see fold_energy).
constexpr double largest_angle = 3.0;  // [rad]

// The θ whose spring holds the torque t (body frame): J⁻ᵀ(θ) k(θ) = t. θ = K⁻¹t solves it when the
// spring is the same about all axes; Newton's method does the rest. In terms of the joint rotation
// δ the slope of the torque is d²U/dδ² plus half the turn of the torque itself:
//   d(dU/dδ)/dδ = curvature + ½[torque]×.
std::optional<Vec3> angle_that_holds(const Vec3& torque, const Body& body) {
  const Sym3 stiffness = joint_stiffness(body);
  Vec3 theta = joint_flexibility(body) * torque;
  const double start = length(theta);
  if (!std::isfinite(start)) return std::nullopt;
  if (start > 2.0) theta *= 2.0 / start;  // towards a solution short of the fold
  const double size = length(torque);
  Quat q = exp_rotation(theta);
  constexpr int most_iterations = 60;
  for (int i = 0; i < most_iterations; ++i) {
    const JointSpring spring = joint_spring(theta, stiffness);
    const Vec3 miss = torque - spring.gradient;
    if (length(miss) <= 1e-14 * size) return theta;
    const Mat3 slope = full(spring.curvature) + cross_matrix(spring.gradient) * 0.5;
    Vec3 turn = solve(slope, miss);
    const double angle = length(turn);
    if (!std::isfinite(angle)) return std::nullopt;
    if (angle > 0.5) turn *= 0.5 / angle;
    // Rounding is all that is left.
    if (angle < 4e-16 * (1e-300 + length(theta))) return theta;
    q = normalized(q * exp_rotation(turn));
    theta = log_rotation(q);
  }
  const Vec3 miss = torque - joint_spring(theta, stiffness).gradient;
  if (length(miss) > 1e-10 * size) return std::nullopt;
  return theta;
}

}  // namespace

LoadSums load_sums(const Mechanism& mechanism, const Loads& loads, const Pose& pose) {
  const std::size_t n = mechanism.body.size();
  LoadSums sums{std::vector<Vec3>(n), std::vector<Vec3>(n)};
  auto& [force, torque] = sums;
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    force[i] = loads.gravity_world * body.mass;
    torque[i] = cross(rotate(pose.world_from_segment[i], body.first_moment), loads.gravity_world);
  }
  for (const PointLoad& load : loads.points) {
    const auto i = as_size(load.body);
    const auto [f, moment, arm] = in_world(load, pose.world_from_segment[i]);
    force[i] += f;
    torque[i] += cross(arm, f) + moment;
  }
  for (std::size_t i = n; i-- > 0;) {
    if (mechanism.parent[i] == no_index) continue;
    const auto p = as_size(mechanism.parent[i]);
    const Vec3 from_parent = rotate(pose.world_from_segment[p], mechanism.body[i].base_in_parent);
    force[p] += force[i];
    torque[p] += torque[i] + cross(from_parent, force[i]);
  }
  return sums;
}

InverseReport make_pose_equilibrium(const Loads& loads, Mechanism& mechanism, State& state) {
  const Pose pose = pose_of(mechanism, state);
  const std::vector<Vec3> torque = load_sums(mechanism, loads, pose).torque;
  InverseReport report;
  std::vector<Vec3> angle(torque.size());
  for (std::size_t i = 0; i < torque.size(); ++i) {
    const Vec3 in_body = rotate(conjugate(pose.world_from_segment[i]), torque[i]);
    const std::optional<Vec3> theta = angle_that_holds(in_body, mechanism.body[i]);
    const double size = theta ? length(*theta) : largest_angle;
    if (size > report.largest_joint_angle) {
      report.largest_joint_angle = size;
      report.at = static_cast<Index>(i);
    }
    if (size >= largest_angle) {
      report.found = false;
      return report;
    }
    angle[i] = *theta;
  }
  for (std::size_t i = 0; i < angle.size(); ++i) {
    Quat& parent_from_rest = mechanism.body[i].parent_from_rest;
    const Quat parent_from_body = parent_from_rest * state.rest_from_body[i];
    parent_from_rest = normalized(parent_from_body * exp_rotation(-angle[i]));
    state.rest_from_body.set(i, exp_rotation(angle[i]));
    state.joint_velocity.set(i, {});
    state.joint_acceleration.set(i, {});
  }
  state.started = false;
  report.falling = falling_directions(mechanism, loads, state);
  return report;
}

int falling_directions(const Mechanism& mechanism, const Loads& loads, const State& state) {
  Statics statics;
  evaluate_statics(mechanism, loads, 1.0, state, statics);
  for (TreeBlock& b : statics.blocks) b.joint = b.joint * (1 + neutral_part);
  // A moment without an energy has no symmetric Hessian: its pivots still change sign where the
  // pose first gives way.
  const bool symmetric =
      std::all_of(loads.points.begin(), loads.points.end(),
                  [](const PointLoad& load) { return squared_length(load.moment) == 0; });
  return factor(mechanism.parent, symmetric, statics.blocks).negative;
}

}  // namespace thigmo
