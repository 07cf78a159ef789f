#include "math/lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/lanes_laws.h"

namespace thigmo::lanes_test {
namespace {

struct Here {};
using Four = Lanes<double, 4, Here>;

TEST(Lanes, OfEveryKindAndNumberDoAsPlainLoops) {
  const lanes_laws::Wrong wrong = lanes_laws::broken_laws();
  for (const std::string& law : wrong) ADD_FAILURE() << law;
}

TEST(Lanes, LargestKeepsWhatIsNotANumber) {
  for (int lane = 0; lane < 4; ++lane) {
    Four numbers(1.0);
    numbers.set(3 - lane, 7.0);
    EXPECT_EQ(largest(numbers), 7.0);
    numbers.set(lane, std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(std::isnan(largest(numbers))) << lane;
    EXPECT_FALSE(all_below(numbers, 100.0)) << lane;
  }
}

TEST(Lanes, InversesHaveAlmostAllDigits) {
  for (double x = 1e-30; x < 1e30; x *= 1.7) {
    const Four numbers(x);
    for (int lane = 0; lane < 4; ++lane) {
      EXPECT_NEAR(lane_inverse(numbers)[lane] * x, 1, 1e-13) << x;
      EXPECT_NEAR(lane_inverse_sqrt(numbers)[lane] * std::sqrt(x), 1, 1e-13) << x;
    }
  }
}

TEST(Lanes, KeepTheSignOfZero) {
  const Four zero(-0.0);
  for (int lane = 0; lane < 4; ++lane) EXPECT_TRUE(std::signbit(zero[lane]));
}

}  // namespace
}  // namespace thigmo::lanes_test
