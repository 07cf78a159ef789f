#include "base/hash.h"

#include <gtest/gtest.h>

#include <array>

namespace thigmo::hash_test {
namespace {

template <class... Values>
std::uint64_t hash_of(const Values&... values) {
  Hasher hasher;
  (hasher.add(values), ...);
  return hasher.value();
}

TEST(Hash, DependsOnOrderAndCount) {
  EXPECT_EQ(hash_of(1.0, 2.0), hash_of(1.0, 2.0));
  EXPECT_NE(hash_of(1.0, 2.0), hash_of(2.0, 1.0));
  EXPECT_NE(hash_of(0.0), hash_of(0.0, 0.0));
}

// It compares bits, so it tells apart what == does not, and finds NaN equal to itself.
TEST(Hash, SeesBits) {
  EXPECT_NE(hash_of(0.0), hash_of(-0.0));
  EXPECT_NE(hash_of(1.0), hash_of(std::nextafter(1.0, 2.0)));
  EXPECT_EQ(hash_of(std::nan("")), hash_of(std::nan("")));
}

TEST(Hash, TextsDoNotRunTogether) {
  EXPECT_NE(hash_of(std::string_view("ab"), std::string_view("c")),
            hash_of(std::string_view("a"), std::string_view("bc")));
}

TEST(Hash, ASpanIsItsValuesInOrder) {
  const std::array<double, 3> values{1, 2, 3};
  EXPECT_EQ(hash_of(std::span<const double>(values)), hash_of(1.0, 2.0, 3.0));
}

// One flipped bit of the input turns about half of the 64 output bits. The mean over 64 inputs
// scatters by 4/sqrt(64) = 0.5 bits; six of them are allowed.
TEST(Hash, OneBitChangesHalfOfTheHash) {
  double changed = 0;
  for (int bit = 0; bit < 64; ++bit) {
    std::uint64_t difference = hash_of(std::uint64_t{0}) ^ hash_of(std::uint64_t{1} << bit);
    for (; difference != 0; difference &= difference - 1) changed += 1.0 / 64;
  }
  EXPECT_NEAR(changed, 32, 3);
}

}  // namespace
}  // namespace thigmo::hash_test
