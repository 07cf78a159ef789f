#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace thigmo::random_test {
namespace {

constexpr int sample_count = 1 << 18;

// The first outputs of the reference SplitMix64 generator (Vigna's splitmix64.c): for seed 0, and
// the second for seed 0, whose state is one golden-ratio increment on.
TEST(Random, MixerIsSplitMix64) {
  EXPECT_EQ(mix_bits(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(mix_bits(0x9e3779b97f4a7c15u), 0x6e789e6aa1b965f4u);
}

TEST(Random, UnitStaysBelowOne) {
  EXPECT_EQ(unit_from_bits(0), 0.0);
  EXPECT_EQ(unit_from_bits(~std::uint64_t{0}), 1.0 - 0x1.0p-53);
}

// Chi-squared over 256 equal bins: mean 255, standard deviation sqrt(510); six of them are allowed.
TEST(Random, ConsecutiveKeysFillTheUnitIntervalEvenly) {
  for (std::uint64_t seed : {1u, 2u, 77u}) {
    std::array<int, 256> bins{};
    for (std::uint64_t i = 0; i < sample_count; ++i) {
      ++bins[static_cast<std::size_t>(256 * unit_from_bits(mix_bits(seed, i)))];
    }
    const double expected = sample_count / 256.0;
    double chi_squared = 0;
    for (int count : bins) chi_squared += (count - expected) * (count - expected) / expected;
    EXPECT_NEAR(chi_squared, 255, 6 * std::sqrt(510.0)) << "seed " << seed;
  }
}

// Neighbouring seeds give unrelated streams: the sample correlation of n pairs scatters by
// 1/sqrt(n); six of them are allowed.
TEST(Random, NeighbouringSeedsAreUncorrelated) {
  double sum = 0;
  for (std::uint64_t i = 0; i < sample_count; ++i) {
    sum += (unit_from_bits(mix_bits(5, i)) - 0.5) * (unit_from_bits(mix_bits(6, i)) - 0.5);
  }
  EXPECT_NEAR(12 * sum / sample_count, 0, 6 / std::sqrt(double{sample_count}));
}

// The first four moments of a standard normal are 0, 1, 0, 3; their sample means scatter by
// sqrt(1, 2, 15, 96 / n).
TEST(Random, NormalHasTheMomentsOfANormal) {
  std::array<double, 4> moments{};
  for (std::uint64_t i = 0; i < sample_count; ++i) {
    const double x = normal_from_bits(mix_bits(9, i));
    ASSERT_TRUE(std::isfinite(x));
    moments[0] += x / sample_count;
    moments[1] += x * x / sample_count;
    moments[2] += x * x * x / sample_count;
    moments[3] += x * x * x * x / sample_count;
  }
  const auto allowed = [](double variance) { return 6 * std::sqrt(variance / sample_count); };
  EXPECT_NEAR(moments[0], 0, allowed(1));
  EXPECT_NEAR(moments[1], 1, allowed(2));
  EXPECT_NEAR(moments[2], 0, allowed(15));
  EXPECT_NEAR(moments[3], 3, allowed(96));
}

TEST(Random, KeysAreOrderedAndDoNotCollide) {
  EXPECT_NE(mix_bits(1, 2), mix_bits(2, 1));
  EXPECT_NE(mix_bits(1, 2, 3), mix_bits(1, 3, 2));
  std::set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 100; ++a) {
    for (std::uint64_t b = 0; b < 100; ++b) seen.insert(mix_bits(a, b));
  }
  EXPECT_EQ(seen.size(), 10000u);
}

}  // namespace
}  // namespace thigmo::random_test
