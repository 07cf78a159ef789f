#include "plant/subdivide.h"

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "support/structure.h"

namespace thigmo::subdivide_test {
namespace {

// A trunk of two segments, an arm from the middle of the second, and a fork of two at its end, of
// which one goes on for six segments.
Plant forked() {
  Plant plant{.name = "forked", .materials = {{}}};
  const auto add = [&](Index parent, double y, double length, double tilt) {
    Segment s{.parent = parent, .length = length, .radius_base = 0.02, .radius_tip = 0.01};
    s.base_in_parent = {0, y, 0};
    s.parent_from_segment = rotation_about({0, 0, 1}, tilt);
    plant.segments.push_back(s);
    return segment_count(plant) - 1;
  };
  add(no_index, 0, 1.0, 0);
  const Index trunk = add(0, 1.0, 0.8, 0.1);
  add(trunk, 0.3, 0.5, 1.0);
  Index last = add(trunk, 0.8, 0.2, -0.5);
  for (int i = 0; i < 5; ++i) last = add(last, 0.2, 0.2, 0.1);
  add(trunk, 0.8, 0.4, 0.7);
  plant.organs.push_back({.segment = 2});
  set_place({0, 0.45, 0}, {}, plant.organs.back());
  return plant;
}

TEST(Subdivide, CutsAsFarAsStretchesNeed) {
  // The trunk is one stretch of two; the arm and the short fork have one segment each, the long fork
  // six.
  EXPECT_EQ(pieces_between_forks(forked(), 5), (std::vector<int>{3, 3, 5, 1, 1, 1, 1, 1, 1, 5}));
  EXPECT_EQ(pieces_between_forks(forked(), 1), std::vector<int>(10, 1));
}

// Whatever is cut, everything stays where it was.
TEST(Subdivide, LeavesThePlantInItsPlace) {
  const Plant whole = forked();
  for (const std::optional<int> pieces :
       {std::optional<int>{}, std::optional<int>{1}, std::optional<int>{4}}) {
    const Plant cut = subdivided(whole, pieces);
    ASSERT_EQ(support::structure_error(cut), "");
    const Pose before = rest_pose(whole), after = rest_pose(cut);
    ASSERT_EQ(cut.whole_ends.size(), whole.segments.size());
    for (Index i = 0; i < segment_count(whole); ++i) {
      const Index end = cut.whole_ends[static_cast<std::size_t>(i)];
      EXPECT_LT(
          length(point_on_segment(whole, before, i, 1) - point_on_segment(cut, after, end, 1)),
          1e-14)
          << i;
      EXPECT_DOUBLE_EQ(cut.segments[static_cast<std::size_t>(end)].radius_tip,
                       whole.segments[static_cast<std::size_t>(i)].radius_tip);
    }
    const auto total = [](const Plant& plant) {
      double sum = 0;
      for (const Segment& s : plant.segments) sum += s.length;
      return sum;
    };
    EXPECT_NEAR(total(cut), total(whole), 1e-14);
    // The organ hangs at 0.45 of an arm of 0.5: on the last of five or four pieces.
    ASSERT_EQ(cut.organs.size(), 1U);
    EXPECT_EQ(cut.organs[0].segment, cut.whole_ends[2]);
  }
}

}  // namespace
}  // namespace thigmo::subdivide_test
