#include "mechanics/frequency.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace thigmo {
namespace {

// The rest pose in world axes, and the inertia of every body there.
struct RestInertia {
  std::vector<Mat3> world_from_body;
  std::vector<Vec3> from_parent;   // own joint minus the parent's joint [m]
  std::vector<Vec3> first_moment;  // [kg m]
  std::vector<Sym3> inertia;       // about the joint [kg m²]
};

RestInertia rest_inertia(const Mechanism& mechanism) {
  RestInertia rest;
  const std::size_t n = mechanism.body.size();
  std::vector<Quat> world_from_body(n);
  rest.world_from_body.resize(n);
  rest.from_parent.resize(n);
  rest.first_moment.resize(n);
  rest.inertia.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = mechanism.body[i];
    const Index parent = mechanism.parent[i];
    const Quat world_from_parent =
        parent == no_index ? Quat{} : world_from_body[static_cast<std::size_t>(parent)];
    world_from_body[i] = normalized(world_from_parent * body.parent_from_rest);
    const Mat3 r = matrix(world_from_body[i]);
    rest.world_from_body[i] = r;
    rest.from_parent[i] = rotate(world_from_parent, body.base_in_parent);
    rest.first_moment[i] = r * body.first_moment;
    rest.inertia[i] = conjugate(r, body.inertia);
  }
  return rest;
}

}  // namespace

// Inverse iteration on K x = ω² M x in joint coordinates x (small relative rotations, world axes).
// K is block-diagonal; M v takes one sweep out (absolute motion of each body) and one sweep in
// (forces and torques carried by each joint). ω² is the Rayleigh quotient xᵀKx / xᵀMx, whose error
// is the square of the shape's, so that a crowded spectrum still gives a good value early.
double first_frequency(const Mechanism& mechanism) {
  const std::size_t n = mechanism.body.size();
  if (n == 0) return 0;
  const RestInertia rest = rest_inertia(mechanism);
  std::vector<Vec3> x(n), turn(n), move(n), torque(n), force(n);

  // Start: all joints bend by their flexibility under the same oblique torque, so that neither
  // plane of bending is missing.
  const auto flex = [&](std::size_t i, const Vec3& world_torque) {
    const Mat3& r = rest.world_from_body[i];
    const Vec3 local = transposed_times(r, world_torque);
    const Vec3& k = mechanism.body[i].stiffness;
    return r * Vec3{local.x / k.x, local.y / k.y, local.z / k.z};
  };
  for (std::size_t i = 0; i < n; ++i) x[i] = flex(i, Vec3{1.0, 0.3, 0.7});

  double omega_squared = 0;
  constexpr int most_iterations = 60;
  constexpr double enough = 1e-7;  // relative change of ω²
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (std::size_t i = 0; i < n; ++i) {
      const Index parent = mechanism.parent[i];
      const bool at_base = parent == no_index;
      const auto p = static_cast<std::size_t>(parent);
      turn[i] = at_base ? x[i] : turn[p] + x[i];
      move[i] = at_base ? Vec3{} : move[p] + cross(turn[p], rest.from_parent[i]);
      torque[i] = rest.inertia[i] * turn[i] + cross(rest.first_moment[i], move[i]);
      force[i] = cross(turn[i], rest.first_moment[i]) + move[i] * mechanism.body[i].mass;
    }
    double x_m_x = 0, x_k_x = 0;
    for (std::size_t i = n; i-- > 0;) {
      const Index parent = mechanism.parent[i];
      if (parent != no_index) {
        const auto p = static_cast<std::size_t>(parent);
        torque[p] += torque[i] + cross(rest.from_parent[i], force[i]);
        force[p] += force[i];
      }
      const Vec3 local = transposed_times(rest.world_from_body[i], x[i]);
      x_m_x += dot(x[i], torque[i]);
      x_k_x += dot(local, scale(mechanism.body[i].stiffness, local));
    }
    if (!(x_m_x > 0) || !std::isfinite(x_k_x)) return 0;
    const double next = x_k_x / x_m_x;
    const bool settled = std::abs(next - omega_squared) <= enough * next;
    omega_squared = next;
    if (settled) break;
    const double size = std::sqrt(x_m_x);
    for (std::size_t i = 0; i < n; ++i) x[i] = flex(i, torque[i] / size);
  }
  return std::sqrt(omega_squared) / (2.0 * std::numbers::pi);
}

}  // namespace thigmo
