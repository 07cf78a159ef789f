#include "render/bark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thigmo::bark_test {
namespace {

double shade(double radius, double turns, double along) {
  const double angle = 2 * std::numbers::pi * turns;
  return bark_at({.normal_world = {std::cos(angle), 0, std::sin(angle)},
                  .axis_world = {0, 1, 0},
                  .across_world = {1, 0, 0},
                  .radius = radius,
                  .along = along,
                  .tube = 3})
      .tint.x;
}

// The mean change of the shade on 4 mm around a stem and along it.
struct Change {
  double around = 0, along = 0;
};
Change changes(double radius) {
  constexpr int places = 4000;
  constexpr double way = 0.004;
  Change sum;
  for (int i = 0; i < places; ++i) {
    const double turns = 0.618034 * i, along = 0.0237 * i, here = shade(radius, turns, along);
    const double turn = way / (2 * std::numbers::pi * radius);
    sum.around += std::abs(shade(radius, turns + turn, along) - here) / places;
    sum.along += std::abs(shade(radius, turns, along + way) - here) / places;
  }
  return sum;
}

// A trunk of 40 cm has furrows that run along it: the shade changes faster on the way around. A
// twig is smooth.
TEST(Bark, OldStemsHaveFurrowsAlongThem) {
  const Change trunk = changes(0.2);
  EXPECT_GT(trunk.around, 0.05);
  EXPECT_GT(trunk.around, 1.5 * trunk.along);
  double darkest = 1;
  for (int i = 0; i < 1000; ++i) darkest = std::min(darkest, shade(0.006, 0.618 * i, 0.0237 * i));
  EXPECT_GT(darkest, 0.85);
}

// The pattern closes around the stem.
TEST(Bark, HasNoSeam) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_NEAR(shade(0.2, 0.5 - 1e-7, 0.013 * i), shade(0.2, 0.5 + 1e-7, 0.013 * i), 1e-3);
  }
}

}  // namespace
}  // namespace thigmo::bark_test
