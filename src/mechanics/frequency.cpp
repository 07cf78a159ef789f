#include "mechanics/frequency.h"

#include <algorithm>
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

// The largest eigenvalue of a symmetric tridiagonal matrix: bisection on the signs of the pivots of
// T - x, of which all are negative where x is above every eigenvalue.
double largest_eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  double low = diagonal[0], high = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double left = i > 0 ? beside[i - 1] : 0.0;
    const double right = i + 1 < diagonal.size() ? beside[i] : 0.0;
    low = std::max(low, diagonal[i]);
    high = std::max(high, diagonal[i] + left + right);
  }
  const auto is_above = [&](double x) {
    double pivot = diagonal[0] - x;
    for (std::size_t i = 1; i < diagonal.size(); ++i) {
      if (!(pivot < 0)) return false;
      pivot = diagonal[i] - x - beside[i - 1] * beside[i - 1] / pivot;
    }
    return pivot < 0;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (is_above(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

// Lanczos' iteration for the largest 1/ω² of M x = K x / ω² in joint coordinates x (small relative
// rotations, world axes). K is block-diagonal; M r takes one sweep out (absolute motion of each body)
// and one sweep in (forces and torques carried by each joint):
//   β² = rᵀ M r,  v' = r/β,  y = K⁻¹ M v',  α = yᵀ M v',  r' = y - α v' - β v.
double first_frequency(const Mechanism& mechanism) {
  const std::size_t n = mechanism.body.size();
  if (n == 0) return 0;
  const RestInertia rest = rest_inertia(mechanism);
  std::vector<Vec3> r(n), v(n), turn(n), move(n), torque(n), force(n);

  // Start: all joints bend by their flexibility under the same oblique torque, so that neither
  // plane of bending is missing.
  const auto flex = [&](std::size_t i, const Vec3& world_torque) {
    const Mat3& world_from_body = rest.world_from_body[i];
    const Vec3 local = transposed_times(world_from_body, world_torque);
    const Vec3& k = mechanism.body[i].stiffness;
    return world_from_body * Vec3{local.x / k.x, local.y / k.y, local.z / k.z};
  };
  for (std::size_t i = 0; i < n; ++i) r[i] = flex(i, Vec3{1.0, 0.3, 0.7});

  std::vector<double> diagonal, beside;  // of the tridiagonal matrix
  double largest = 0;                    // 1/ω² [s²]
  constexpr int most_iterations = 60;
  constexpr double enough = 1e-5;  // relative change of 1/ω², twice one after the other
  int settled = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    for (std::size_t i = 0; i < n; ++i) {
      const Index parent = mechanism.parent[i];
      const bool at_base = parent == no_index;
      const auto p = static_cast<std::size_t>(parent);
      turn[i] = at_base ? r[i] : turn[p] + r[i];
      move[i] = at_base ? Vec3{} : move[p] + cross(turn[p], rest.from_parent[i]);
      torque[i] = rest.inertia[i] * turn[i] + cross(rest.first_moment[i], move[i]);
      force[i] = cross(turn[i], rest.first_moment[i]) + move[i] * mechanism.body[i].mass;
    }
    double r_m_r = 0;
    for (std::size_t i = n; i-- > 0;) {
      const Index parent = mechanism.parent[i];
      if (parent != no_index) {
        const auto p = static_cast<std::size_t>(parent);
        torque[p] += torque[i] + cross(rest.from_parent[i], force[i]);
        force[p] += force[i];
      }
      r_m_r += dot(r[i], torque[i]);
    }
    if (!std::isfinite(r_m_r)) return 0;
    // Nothing is left of r: the matrix has all that the start can reach.
    if (!(r_m_r > 0)) break;
    const double beta = std::sqrt(r_m_r);
    double alpha = 0;
    for (std::size_t i = 0; i < n; ++i) alpha += dot(flex(i, torque[i]), torque[i]) / r_m_r;
    if (iteration > 0) beside.push_back(beta);
    diagonal.push_back(alpha);
    const double before = largest;
    largest = largest_eigenvalue(diagonal, beside);
    settled = std::abs(largest - before) <= enough * largest ? settled + 1 : 0;
    if (settled == 2) break;
    const double old_beta = iteration > 0 ? beta : 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 next = r[i] / beta;
      r[i] = flex(i, torque[i] / beta) - next * alpha - v[i] * old_beta;
      v[i] = next;
    }
  }
  return largest > 0 ? 1 / (std::sqrt(largest) * 2.0 * std::numbers::pi) : 0;
}

}  // namespace thigmo
