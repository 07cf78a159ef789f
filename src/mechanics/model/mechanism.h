#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "base/index.h"
#include "math/rotation.h"
#include "plant/plant.h"

namespace thigmo {

// The air and how stems and leaves catch it.
struct DragModel {
  double air_density = 1.225;  // [kg/m³], ISO standard atmosphere at sea level
  double stem_coefficient =
      1.0;  // circular cylinder across the stream, 1e3 < Re < 2e5 (Hoerner 1965)
  double organ_coefficient =
      0.3;  // leaves in a stream, per one-sided area (Vogel 1989 gives 0.1-0.5)
  double streamlining_speed = 0;  // organs give way to the wind from here on; 0: never [m/s]
};

// What never changes during a step, for one segment; all in the segment's own frame. What matters
// only to what moves is held in single precision, as it is in a step.
struct Body {
  Vec3 base_in_parent;  // joint, in the frame of its parent, or of the plant [m]
  Quat parent_from_rest;
  double mass = 0;          // [kg]
  Vec3 first_moment;        // ∫ r dm about the joint [kg m]
  Vec3 stiffness;           // joint spring: bend about x, twist about y, bend about z [N m/rad]
  Vec3T<float> section;     // the axes that it lies in: see joint_axes
  Sym3T<float> inertia;     // ∫ (r² 1 - r rᵀ) dm about the joint [kg m²]
  float damping_time = 0;   // joint damper over joint spring [s]
  Vec3T<float> drag_point;  // where the air pushes [m]
  float drag_across = 0;    // force = drag_across |u⊥| u⊥, u⊥ the wind across the stem [kg/m]
  float drag_around = 0;    // force = drag_around |u| u, the organs' part [kg/m]
  float length = 0;         // joint to tip, along y: what touches the ground [m]
};

// The nearest single numbers; what is beyond them becomes the largest.
inline float narrowed(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}
inline Vec3T<float> narrowed(const Vec3& v) {
  return {narrowed(v.x), narrowed(v.y), narrowed(v.z)};
}
inline Sym3T<float> narrowed(const Sym3& s) {
  return {narrowed(s.xx), narrowed(s.xy), narrowed(s.xz),
          narrowed(s.yy), narrowed(s.yz), narrowed(s.zz)};
}
inline Vec3 widened(const Vec3T<float>& v) { return {v.x, v.y, v.z}; }
inline Sym3 widened(const Sym3T<float>& s) { return {s.xx, s.xy, s.xz, s.yy, s.yz, s.zz}; }

// The axes of a joint's spring: y' along (u, 1, v), x' along (1, -u - p v, p), of section = (u, v, p).
// They are the body's own where all three are zero.
struct JointAxes {
  Vec3 x, y, z;  // unit vectors
};
JointAxes joint_axes(const Body& body);

// Bends alike about x' and z': all but flat sections.
inline bool is_round(const Body& body) { return body.stiffness.x == body.stiffness.z; }

// K of the joint's energy ½ θᵀKθ, with the very numbers that a step works with [N m/rad].
Sym3 joint_stiffness(const Body& body);

// K⁻¹ [rad/(N m)].
Sym3 joint_flexibility(const Body& body);

// A plant as a tree of rigid bodies, one spherical joint each, parents first.
struct Mechanism {
  std::vector<Index> parent;        // -1: a root
  std::vector<Index> subtree_size;  // itself included
  std::vector<Body> body;
  double mass_damping = 0;        // damping force per momentum, besides the joints' [1/s]
  double streamlining_speed = 0;  // organs give way to the wind from here on; 0: never [m/s]
  // Of the pot, a solid ball about the origin of the plant's frame.
  double pot_mass = 0;    // [kg]
  double pot_radius = 0;  // [m]
};

inline Index body_count(const Mechanism& mechanism) {
  return static_cast<Index>(mechanism.body.size());
}

// Σ a·b over all bodies.
inline double inner(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

}  // namespace thigmo
