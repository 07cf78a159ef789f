#include "mechanics/model/mechanism.h"

namespace thigmo {

JointAxes joint_axes(const Body& body) {
  const double u = body.section.x, v = body.section.y, p = body.section.z;
  const Vec3 x = normalized(Vec3{1, -u - p * v, p}), y = normalized(Vec3{u, 1, v});
  return {x, y, cross(x, y)};
}

// Beside its diagonal K is held in single precision in a step; where sections are round, K is
// k_x 1 + (k_y - k_x) y'y'ᵀ there.
Sym3 joint_stiffness(const Body& body) {
  if (body.section == Vec3T<float>{}) return diagonal(body.stiffness);
  const JointAxes axes = joint_axes(body);
  const Vec3& k = body.stiffness;
  Sym3 sum = outer(axes.x) * k.x + outer(axes.y) * k.y + outer(axes.z) * k.z;
  if (!is_round(body)) {
    for (double* beside : {&sum.xy, &sum.xz, &sum.yz}) *beside = narrowed(*beside);
  }
  return sum;
}

Sym3 joint_flexibility(const Body& body) {
  const JointAxes axes = joint_axes(body);
  // A joint without a spring is taken as one with a spring of 1e-9 N m/rad.
  constexpr double free = 1e9;  // [rad/(N m)]
  const auto inverse = [](double k) { return k == 0 ? free : 1 / k; };
  const Vec3& k = body.stiffness;
  return outer(axes.x) * inverse(k.x) + outer(axes.y) * inverse(k.y) + outer(axes.z) * inverse(k.z);
}

}  // namespace thigmo
