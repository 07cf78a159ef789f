#include "mechanics/model/beam.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanics/model/gauss.h"

namespace thigmo {
namespace {

using std::numbers::pi;

// A tip that runs out to nothing would have infinite flexibility; below this part of its base
// radius a stem is taken as this thick.
constexpr double thinnest_part = 1e-3;

// A lone child continues its parent's beam when it deviates by less than this.
constexpr double straight_cosine = 0.94;  // 20°

double radius_at(const Segment& s, double fraction) {
  const double radius = s.radius_base + (s.radius_tip - s.radius_base) * fraction;
  return std::max(radius, thinnest_part * std::max(s.radius_base, s.radius_tip));
}

// As radius_at.
Rectangle sides_at(const Segment& s, double fraction) {
  const Rectangle r = rectangle_at(s, fraction), base = rectangle_at(s, 0),
                  tip = rectangle_at(s, 1);
  return {.width = std::max(r.width, thinnest_part * std::max(base.width, tip.width)),
          .height = std::max(r.height, thinnest_part * std::max(base.height, tip.height))};
}

Vec3 half_compliance(const Plant& plant, const Segment& s, bool outer) {
  const Material& material = at(plant.materials, s.material);
  return stretch_compliance(s, material, outer ? 0.5 : 0.0, outer ? 1.0 : 0.5);
}

}  // namespace

// Each joint stands for a stretch of beam, its flexibility lumped where the segment starts:
//   - the first half of its own segment;
//   - the second half of its parent, where it alone continues it. This and the missing half at a
//     clamp make the chain converge at second order in the segment length;
//   - the second half of its own segment where that ends in a fork: all branches of the fork turn
//     with it, so it cannot belong to one of them. Its place is off by a part of one segment, its
//     turning is right for every branch: again second order.
std::vector<Vec3> joint_flexibilities(const Plant& plant, const std::vector<Index>& next) {
  std::vector<bool> has_child(plant.segments.size(), false);
  for (const Segment& s : plant.segments) {
    if (s.parent != no_index) at(has_child, s.parent) = true;
  }
  std::vector<Vec3> flexibility(plant.segments.size());
  for (std::size_t i = 0; i < flexibility.size(); ++i) {
    const Segment& s = plant.segments[i];
    flexibility[i] += half_compliance(plant, s, false);
    if (next[i] != no_index) {
      at(flexibility, next[i]) += half_compliance(plant, s, true);
    } else if (has_child[i]) {
      flexibility[i] += half_compliance(plant, s, true);
    }
  }
  return flexibility;
}

namespace {

bool goes_straight_on(const Segment& parent, const Segment& child) {
  const Vec3 tip_of_parent{0, parent.length, 0};
  const bool at_tip = length(child.base_in_parent - tip_of_parent) < 1e-6 * parent.length;
  return at_tip && rotate(child.parent_from_segment, {0, 1, 0}).y > straight_cosine;
}

// The one child that continues a segment's beam, else -1.
Index continuation_of(const Plant& plant, const std::vector<Index>& subtree_sizes, Index segment) {
  const Index first = segment + 1, beyond = at(subtree_sizes, segment) - 1;
  if (beyond == 0 || at(subtree_sizes, first) != beyond) return no_index;
  return goes_straight_on(segment_at(plant, segment), segment_at(plant, first)) ? first : no_index;
}

}  // namespace

Vec3 joint_flexibility_at(const Plant& plant, const std::vector<Index>& subtree_sizes,
                          Index joint) {
  const Segment& s = segment_at(plant, joint);
  Vec3 flexibility = half_compliance(plant, s, false);
  if (at(subtree_sizes, joint) > 1 && continuation_of(plant, subtree_sizes, joint) == no_index) {
    flexibility += half_compliance(plant, s, true);
  }
  if (s.parent != no_index && continuation_of(plant, subtree_sizes, s.parent) == joint) {
    flexibility += half_compliance(plant, segment_at(plant, s.parent), true);
  }
  return flexibility;
}

std::vector<Index> beam_continuations(const Plant& plant) {
  std::vector<Index> child_count(plant.segments.size(), 0), next(plant.segments.size(), no_index);
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Segment& s = plant.segments[i];
    if (s.parent == no_index) continue;
    const auto p = as_size(s.parent);
    ++child_count[p];
    if (goes_straight_on(plant.segments[p], s)) next[p] = static_cast<Index>(i);
  }
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (child_count[i] != 1) next[i] = no_index;
  }
  return next;
}

// The deflection of a beam is ∫ f ds, f = M (L - s)/EI, and the chain's a sum of f at its joints.
//
// Where a beam begins, halves of segments are the trapezium rule's weights, ½, 1, 1, ..., which miss
// h²/12 f'(0) and h³/24 f''(0). Gregory's weights 3/8, 7/6, 23/24, 1, ... have both; for two segments
// they are 5/12, 13/12.
//
// Where a beam ends in a fork there is no joint for the last half, nor for the end correction: f is
// extrapolated to there from the last joints. Linearly that makes the last weights 1, 7/12, 23/12; by
// a parabola 11/8, -1/6, 55/24. A third of the way from one to the other is as far as flexibilities
// stay well above zero: 9/8, 1/3, 49/24. A beam of two segments has 2/9, 16/9, exact for a force at
// its end.
//
// What is moved is measured in the least half of the segments concerned. Every joint between them has two
// halves and loses at most 4/3 of the least: none runs out of flexibility.
std::vector<Vec3> flexibility_shifts(const Plant& plant, const std::vector<Index>& next) {
  const std::size_t n = plant.segments.size();
  const auto smaller = [](const Vec3& a, const Vec3& b) {
    return Vec3{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
  };
  const auto half = [&](Index i) {
    const Segment& s = at(plant.segments, i);
    return smaller(half_compliance(plant, s, false), half_compliance(plant, s, true));
  };
  const auto follower_of = [&](Index i) { return i == no_index ? no_index : at(next, i); };
  std::vector<Index> before(n, no_index);
  std::vector<bool> has_child(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    if (next[i] != no_index) at(before, next[i]) = static_cast<Index>(i);
    const Index parent = plant.segments[i].parent;
    if (parent != no_index) at(has_child, parent) = true;
  }
  std::vector<Vec3> shift(n);
  const auto move = [&](Index i, const Vec3& size, double part) { at(shift, i) += size * part; };
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = static_cast<Index>(k);
    if (before[k] == no_index && next[k] != no_index) {
      const Index second = next[k], third = follower_of(second);
      const Vec3 two = smaller(half(i), half(second));
      if (third != no_index) {
        const Vec3 three = smaller(two, half(third));
        move(i, three, -1.0 / 4);
        move(second, three, 1.0 / 3);
        move(third, three, -1.0 / 12);
      } else if (at(has_child, second)) {
        move(i, two, -5.0 / 9);
        move(second, two, 5.0 / 9);
      } else {
        move(i, two, -1.0 / 6);
        move(second, two, 1.0 / 6);
      }
    }
    const bool forks = has_child[k] && next[k] == no_index;
    const Index last_but_one = before[k];
    const Index last_but_two = last_but_one == no_index ? no_index : at(before, last_but_one);
    if (forks && last_but_two != no_index) {
      const Vec3 three = smaller(half(i), smaller(half(last_but_one), half(last_but_two)));
      move(last_but_two, three, 1.0 / 4);
      move(last_but_one, three, -4.0 / 3);
      move(i, three, 13.0 / 12);
    }
  }
  return shift;
}

Vec3 stretch_compliance(const Segment& segment, const Material& material, double from, double to) {
  const double stretch = segment.length * (to - from);
  if (is_flat(segment)) {
    // ∫ ds/I: with sides that halve within the stretch three points are right to 0.1 %.
    Vec3 compliance;
    for (const auto& [part, weight] : three_points) {
      const Section section = section_of(segment, sides_at(segment, from + (to - from) * part));
      compliance += Vec3{1 / (material.young * section.second_moment_x),
                         1 / (shear_modulus(material) * section.torsion_constant),
                         1 / (material.young * section.second_moment_z)} *
                    (stretch * weight);
    }
    return compliance;
  }
  // ∫ ds / r⁴ over a stretch whose radius runs from a to b: (a² + ab + b²) / (3 a³ b³) per length.
  const double a = radius_at(segment, from), b = radius_at(segment, to);
  const double h2 = segment.hollow * segment.hollow, stiff = 1 - h2 * h2;
  const double inverse_r4 =
      stretch * (a * a + a * b + b * b) / (3.0 * a * a * a * b * b * b * stiff);
  const double bend = 4.0 * inverse_r4 / (pi * material.young);
  const double twist = 2.0 * inverse_r4 / (pi * shear_modulus(material));
  return {bend, twist, bend};
}

}  // namespace thigmo
