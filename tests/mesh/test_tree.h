#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "plant/motion.h"
#include "plant/plant.h"

namespace thigmo::testing {

struct TreeForm {
  int orders = 3;  // of branching below the trunk
  int trunk_segments = 14;
  double height = 2.2;  // of the trunk [m]
  double trunk_radius = 0.03;
  std::uint64_t seed = 1;
  bool leaves = true;
};

// A young broad-leaved tree grown by a small recursion: branches at the golden angle, each order
// shorter and thinner, leaves on the last two orders. It stands in for a grammar in tests of what
// comes after grammars.
class TreeMaker {
 public:
  explicit TreeMaker(const TreeForm& form) : form_(form) {
    plant_.name = "test tree";
    plant_.materials.push_back({.name = "wood",
                                .density = 800,
                                .young = 6e9,
                                .poisson = 0.3,
                                .damping_ratio = 0.05,
                                .strength = 5e7});
  }

  Plant make() {
    grow_axis(no_index, Quat{}, form_.height, form_.trunk_radius, 0, 1);
    return std::move(plant_);
  }

 private:
  double random(std::uint64_t key, std::uint64_t purpose, double low, double high) const {
    return low + (high - low) * unit_from_bits(mix_bits(form_.seed, key, purpose));
  }

  void grow_axis(Index parent, Quat turn, double axis_length, double radius, int order,
                 std::uint64_t key) {
    const int count = std::max(3, static_cast<int>(form_.trunk_segments / (1.0 + 0.75 * order)));
    const Index axis = axes_++;
    const double step = axis_length / count;
    double roll = random(key, 0, 0.0, 6.28);
    for (int i = 0; i < count; ++i) {
      const double part = static_cast<double>(i) / count;
      const double r0 = radius * std::pow(1.0 - part, 0.75) + 0.0007;
      const double r1 = radius * std::pow(1.0 - part - 1.0 / count + 1e-12, 0.75) + 0.0007;
      const auto index = static_cast<Index>(plant_.segments.size());
      const std::uint64_t here = mix_bits(key, static_cast<std::uint64_t>(i));
      Segment segment;
      segment.parent = parent;
      if (parent != no_index) {
        segment.base_in_parent = {0, plant_.segments[static_cast<std::size_t>(parent)].length, 0};
      }
      // Wobble, and side branches that curve up towards the light.
      const Vec3 wobble{random(here, 1, -0.09, 0.09) - (order > 0 && i > 0 ? 0.05 : 0.0), 0,
                        random(here, 2, -0.09, 0.09)};
      segment.parent_from_segment = i == 0 ? turn : exp_rotation(wobble);
      segment.length = step;
      segment.radius_base = r0;
      segment.radius_tip = r1;
      segment.axis = axis;
      segment.order = order;
      plant_.segments.push_back(segment);
      parent = index;
      roll += 2.39996;  // the golden angle
      if (form_.leaves && order + 1 >= form_.orders) add_leaves(index, roll, here);
      const bool bears = order < form_.orders && i + 1 < count && part >= (order == 0 ? 0.22 : 0.1);
      if (bears) {
        const double lean = random(here, 3, 0.75, 1.05) - 0.25 * part;
        const Quat out = rotation_about({0, 1, 0}, roll) * rotation_about({1, 0, 0}, lean) *
                         rotation_about({0, 1, 0}, std::numbers::pi);
        const double share = order == 0 ? 0.58 * (1.05 - part) : 0.48 * (1.1 - part);
        grow_axis(index, out, axis_length * share * random(here, 4, 0.8, 1.15), 0.55 * r1,
                  order + 1, mix_bits(here, 99));
      }
    }
  }

  void add_leaves(Index segment, double roll, std::uint64_t key) {
    const Segment& s = plant_.segments[static_cast<std::size_t>(segment)];
    for (int side = 0; side < 2; ++side) {
      Organ leaf;
      leaf.segment = segment;
      const double around = roll + side * 2.2 + random(key, 7, -0.4, 0.4);
      set_place({0, s.length * (side == 0 ? 0.45 : 1.0), 0},
                rotation_about({0, 1, 0}, around) *
                    rotation_about({1, 0, 0}, random(key, 8, 0.7, 1.3)) *
                    rotation_about({0, 1, 0}, random(key, 9, -0.5, 0.5)),
                leaf);
      leaf.length = static_cast<float>(random(key, 10, 0.06, 0.10));
      leaf.width = 0.52f * leaf.length;
      leaf.mass = 0.0004f;
      leaf.drag_area = 0.5f * leaf.length * leaf.width;
      plant_.organs.push_back(leaf);
    }
  }

  TreeForm form_;
  Plant plant_;
  Index axes_ = 0;
};

inline Plant make_test_tree(const TreeForm& form = {}) {
  Plant plant = TreeMaker(form).make();
  std::stable_sort(plant.organs.begin(), plant.organs.end(),
                   [](const Organ& a, const Organ& b) { return a.segment < b.segment; });
  return plant;
}

// The pose in which every joint has turned from rest by `turn_in_segment(i)` (a rotation vector).
template <class Turn>
Pose bent_pose(const Plant& plant, const Turn& turn_in_segment) {
  Plant bent = plant;
  for (Index i = 0; i < segment_count(plant); ++i) {
    Segment& s = bent.segments[static_cast<std::size_t>(i)];
    s.parent_from_segment = s.parent_from_segment * exp_rotation(turn_in_segment(i));
  }
  return rest_pose(bent);
}

// A gentle sway: every joint turns by a sine of its own phase.
inline Motion make_sway(const Plant& plant, int frames, double rate, double angle_rad = 0.03) {
  Motion motion;
  for (int f = 0; f < frames; ++f) {
    const double t = f / rate;
    motion.times.push_back(t);
    motion.poses.push_back(bent_pose(plant, [&](Index i) {
      const double phase = 2 * std::numbers::pi * (0.7 * t + 0.05 * (i % 13));
      return Vec3{angle_rad * std::sin(phase), 0, angle_rad * std::cos(1.3 * phase)};
    }));
  }
  return motion;
}

}  // namespace thigmo::testing
