#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/rotation.h"
#include "math/vector.h"

namespace thigmo {

// The energy of one joint, as the dynamics has it: U(θ) = ½ θᵀKθ + fold(|θ|), θ = log q, q the
// joint's rotation away from rest; with its first and second derivative in δ of q exp(δ).
struct JointSpring {
  double energy = 0;  // [J]
  Vec3 gradient;      // dU/dδ, body frame: the torque that holds the joint there [N m]
  Sym3 curvature;     // d²U/dδ², body frame [N m/rad]
};

// (1 - ½θ cot ½θ)/θ² and its derivative in θ².
struct LogCoefficient {
  double value, slope;
};
inline LogCoefficient log_coefficient(double angle_squared) {
  const double x = angle_squared;
  // The series is used where the closed form would lose more digits than the series leaves out.
  if (x < 0.04) {
    return {.value = 1.0 / 12 + x * (1.0 / 720 + x * (1.0 / 30240 + x * (1.0 / 1209600))),
            .slope = 1.0 / 720 + x * (2.0 / 30240 + x * (3.0 / 1209600))};
  }
  const double angle = std::sqrt(x), half = 0.5 * angle;
  const double cot = 1.0 / std::tan(half);
  const double sine = std::sin(half);
  const double b = half * cot;
  const double b_slope = (0.5 * cot - 0.5 * half / (sine * sine)) / (2 * angle);  // db/dθ²
  return {.value = (1 - b) / x, .slope = (-b_slope - (1 - b) / x) / x};
}

// Near a fold by 180° the torque k (x/(π - θ))², x = θ - fold_start, acts against θ.
inline constexpr double fold_start = 2.4;  // [rad]
struct FoldEnergy {
  double energy = 0, torque = 0, slope = 0;  // [J], [N m], [N m/rad]
};
inline FoldEnergy fold_energy(double angle, const Vec3& stiffness) {
  if (angle <= fold_start) return {};
  const double k = std::max({stiffness.x, stiffness.y, stiffness.z});
  const double whole = std::numbers::pi - fold_start;
  const double left = std::max(std::numbers::pi - angle, 1e-3);
  const double ratio = (angle - fold_start) / left;
  return {.energy = k * (whole * whole * (1 / left - 1 / whole) -
                         2 * whole * std::log(whole / left) + (whole - left)),
          .torque = k * ratio * ratio,
          .slope = 2 * k * ratio * (1 + ratio) / left};
}

// U alone.
inline double joint_energy(const Vec3& theta, const Sym3& stiffness) {
  double energy = 0.5 * dot(theta, stiffness * theta);
  const double angle_squared = dot(theta, theta);
  if (angle_squared > fold_start * fold_start) {
    const Vec3 diagonal{stiffness.xx, stiffness.yy, stiffness.zz};
    energy += fold_energy(std::sqrt(angle_squared), diagonal).energy;
  }
  return energy;
}

// With J the right Jacobian of the exponential map, J⁻¹δ = δ + ½ θ×δ + c θ×(θ×δ):
//   dU/dδ  = J⁻ᵀ k,   k = dU/dθ
//   d²U/dδ² = J⁻ᵀ (d²U/dθ²) J⁻¹ + sym(J⁻ᵀ B),   uᵀBδ = k · (d(J⁻¹)[u] δ).
inline JointSpring joint_spring(const Vec3& theta, const Sym3& stiffness) {
  const double angle_squared = dot(theta, theta);
  const LogCoefficient c = log_coefficient(angle_squared);
  Vec3 k = stiffness * theta;
  JointSpring spring{.energy = joint_energy(theta, stiffness), .gradient = {}, .curvature = {}};
  Sym3 second = stiffness;
  if (angle_squared > fold_start * fold_start) {
    const double angle = std::sqrt(angle_squared);
    const FoldEnergy fold = fold_energy(angle, {stiffness.xx, stiffness.yy, stiffness.zz});
    const Vec3 along = theta / angle;
    k += along * fold.torque;
    second +=
        outer(along) * (fold.slope - fold.torque / angle) + identity_times(fold.torque / angle);
  }
  const Mat3 t = cross_matrix(theta), kx = cross_matrix(k);
  const Mat3 tt = t * t;
  const Mat3 identity = full(identity_times(1.0));
  const Mat3 j = identity + t * 0.5 + tt * c.value;  // J⁻¹; [θ]×ᵀ = -[θ]×
  const Vec3 theta_k = cross(theta, k);
  spring.gradient = k - 0.5 * theta_k + c.value * cross(theta, theta_k);

  const Vec3 bent = cross(theta, theta_k);  // θ×(θ×k)
  const auto row = [&](double component) { return bent * (2 * c.slope * component); };
  const Mat3 outer_part{row(theta.x), row(theta.y), row(theta.z)};
  const Mat3 b = outer_part - kx * 0.5 - (kx * t) * c.value + cross_matrix(theta_k) * c.value;
  spring.curvature = conjugate(transposed(j), second) + symmetric_part(transposed(j) * b);
  return spring;
}

}  // namespace thigmo
