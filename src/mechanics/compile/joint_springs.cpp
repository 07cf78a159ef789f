#include "mechanics/compile/joint_springs.h"

#include <algorithm>
#include <cmath>

#include "math/principal_axes.h"
#include "mechanics/model/beam.h"

namespace thigmo {
namespace {

// Half of a turn by less than 360°.
Quat half_turn(const Quat& q) {
  const double sign = q.w < 0 ? -1 : 1;
  return normalized(Quat{1 + sign * q.w, sign * q.x, sign * q.y, sign * q.z});
}

// The beam's section at a segment's base, seen from the segment: halfway from the parent's in the
// direction of its axis and in the roll about it. Where a beam begins, as if it had curved before as it
// does at its next joint; a segment alone is straight. No roll changes where the axis points, and one
// by 180° leaves a rectangle what it is.
Quat section_at_base(const Plant& plant, const std::vector<Index>& next, std::size_t i) {
  const Index parent = plant.segments[i].parent;
  const bool continues = parent != no_index && at(next, parent) == static_cast<Index>(i);
  if (!continues && next[i] == no_index) return {};
  const Quat turn = plant.segments[continues ? i : as_size(next[i])].parent_from_segment;
  const Quat swing = rotation_between({0, 1, 0}, rotate(turn, {0, 1, 0}));
  Quat roll = conjugate(swing) * turn;
  if (std::abs(roll.y) > std::abs(roll.w)) roll = Quat{-roll.y, 0, roll.w, 0};
  const Quat half_swing = half_turn(swing), half_roll = half_turn(roll);
  return continues ? conjugate(half_swing * half_roll) * turn : half_roll * half_swing;
}

// See joint_axes. Round sections have no x' of their own.
Vec3T<float> section_numbers(const Quat& section_from_segment, bool round) {
  const Mat3 axes = matrix(section_from_segment);  // its rows, in the segment's frame
  const Vec3 &x = axes.row_x, &y = axes.row_y;
  const auto beyond_rounding = [](double part) { return std::abs(part) > 1e-12 ? part : 0.0; };
  return narrowed(Vec3{beyond_rounding(y.x / y.y), beyond_rounding(y.z / y.y),
                       round ? 0.0 : beyond_rounding(x.z / x.x)});
}

// K of a given body: springs about its principal axes. Which of these stands for which of the body's is
// chosen such that |x·x' y·y' z·z'| is largest, a sixth at least: all of them can then be held.
void set_given_stiffness(const GivenBody& given, Body& body) {
  body.stiffness = given.joint_stiffness;
  const Vec3 &k = given.joint_stiffness, &c = given.joint_coupling;
  if (c == Vec3{}) return;
  const PrincipalAxes found = principal_axes({k.x, c.x, c.y, k.y, c.z, k.z});
  constexpr std::size_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const auto likeness = [&](const std::size_t(&order)[3]) {
    return std::abs(found.axis[order[0]].x * found.axis[order[1]].y * found.axis[order[2]].z);
  };
  const auto& best =
      *std::max_element(std::begin(orders), std::end(orders),
                        [&](const auto& a, const auto& b) { return likeness(a) < likeness(b); });
  body.stiffness = {found.value[best[0]], found.value[best[1]], found.value[best[2]]};
  const Vec3 x = found.axis[best[0]], y = found.axis[best[1]];
  body.section = narrowed(Vec3{y.x / y.y, y.z / y.y, x.z / x.x});
}

}  // namespace

void set_joint_stiffness(const Plant& plant, std::vector<Body>& bodies) {
  const std::vector<Index> next = beam_continuations(plant);
  const std::vector<Vec3> flexibility = joint_flexibilities(plant, next);
  const std::vector<Vec3> shift = flexibility_shifts(plant, next);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Segment& s = plant.segments[i];
    if (s.given != no_index) {
      set_given_stiffness(at(plant.given_bodies, s.given), bodies[i]);
      continue;
    }
    const Vec3 sum = flexibility[i] + shift[i];
    bodies[i].stiffness = Vec3{1.0 / sum.x, 1.0 / sum.y, 1.0 / sum.z} * s.joint_factor;
    bodies[i].section = section_numbers(section_at_base(plant, next, i), is_round(bodies[i]));
  }
}

// Their flexibilities add.
void add_root_springs(const Plant& plant, std::vector<Body>& bodies) {
  const double flexibility = 1.0 / plant.root_stiffness;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Segment& s = plant.segments[i];
    if (s.parent != no_index || s.given != no_index) continue;
    const auto with_root = [&](double k) { return 1.0 / (1.0 / k + flexibility / s.joint_factor); };
    const Vec3& k = bodies[i].stiffness;
    bodies[i].stiffness = {with_root(k.x), with_root(k.y), with_root(k.z)};
  }
}

}  // namespace thigmo
