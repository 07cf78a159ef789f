#pragma once

// The exact rod that chains of segments approach: inextensible, of Kirchhoff and Love. Found by
// shooting from its tip, knowing nothing of the engine's joints.

#include <cmath>
#include <stdexcept>

#include "math/rotation.h"

namespace thigmo::support {

// Frames as of segments: y along the rod. Natural curvature and stiffness are in the section's axes.
struct ExactRod {
  double length = 1;          // [m]
  Vec3 stiffness;             // E I about x, G J about y, E I about z [N m²]
  Vec3 curvature;             // natural: bend, twist, bend [rad/m]
  Quat world_from_foot = {};  // of the clamped section
  Vec3 force;                 // at the tip, of fixed direction [N]
  Vec3 weight_per_length;     // [N/m]
  Vec3 moment_in_tip;         // at the tip, turning along with its section [N m]
};

struct ExactEnds {
  Quat world_from_foot;
  Vec3 tip;  // from the root, world axes [m]
};

// From the tip, whose section is held at `world_from_tip`, to the root: R' = R [κ]×,
// κ = κ₀ + K⁻¹ Rᵀm, r' = R y, m' = -r' × f; m and f act beyond the section. Runge and Kutta's
// method of fourth order.
inline ExactEnds integrate_to_foot(const ExactRod& rod, double part, const Quat& world_from_tip) {
  struct Section {
    Quat r;
    Vec3 m, x;
  };
  const auto slope = [&](double from_tip, const Section& s) {
    const Vec3 strain = rotate(conjugate(s.r), s.m);
    const Vec3 kappa = rod.curvature + Vec3{strain.x / rod.stiffness.x, strain.y / rod.stiffness.y,
                                            strain.z / rod.stiffness.z};
    const Vec3 along = rotate(s.r, {0, 1, 0});
    const Vec3 force = (rod.force + rod.weight_per_length * from_tip) * part;
    const Quat turn = s.r * Quat{0, 0.5 * kappa.x, 0.5 * kappa.y, 0.5 * kappa.z};
    return Section{{-turn.w, -turn.x, -turn.y, -turn.z}, cross(along, force), -along};
  };
  const auto moved = [](const Section& s, const Section& d, double h) {
    return Section{{s.r.w + h * d.r.w, s.r.x + h * d.r.x, s.r.y + h * d.r.y, s.r.z + h * d.r.z},
                   s.m + d.m * h,
                   s.x + d.x * h};
  };
  constexpr int steps = 1000;
  const double h = rod.length / steps;
  Section s{world_from_tip, rotate(world_from_tip, rod.moment_in_tip) * part, {}};
  for (int i = 0; i < steps; ++i) {
    const double at = i * h;
    const Section a = slope(at, s), b = slope(at + h / 2, moved(s, a, h / 2)),
                  c = slope(at + h / 2, moved(s, b, h / 2)), d = slope(at + h, moved(s, c, h));
    s = moved(moved(moved(moved(s, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
    s.r = normalized(s.r);
  }
  return {s.r, -s.x};
}

// The tip, from the root. The section at the tip is varied until that at the root is the clamped
// one, by Newton's method in steps of the load.
inline Vec3 exact_tip(const ExactRod& rod, int load_steps = 20) {
  Quat at_tip = rod.world_from_foot * exp_rotation(rod.curvature * rod.length);
  Vec3 tip;
  for (int step = 0; step <= load_steps; ++step) {
    const double part = static_cast<double>(step) / load_steps;
    const auto miss = [&](const Quat& q) {
      const ExactEnds ends = integrate_to_foot(rod, part, q);
      tip = ends.tip;
      return log_rotation(conjugate(rod.world_from_foot) * ends.world_from_foot);
    };
    double size = 1;
    for (int i = 0; i < 30 && size > 1e-12; ++i) {
      const Vec3 at = miss(at_tip);
      size = length(at);
      constexpr double d = 1e-6;
      const auto column = [&](const Vec3& axis) {
        return (miss(at_tip * exp_rotation(axis * d)) - miss(at_tip * exp_rotation(axis * -d))) /
               (2 * d);
      };
      const Mat3 slopes = transposed(Mat3{column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})});
      at_tip = normalized(at_tip * exp_rotation(-solve(slopes, at)));
    }
    if (!(length(miss(at_tip)) < 1e-9)) throw std::runtime_error("the exact rod was not found");
  }
  return tip;
}

}  // namespace thigmo::support
