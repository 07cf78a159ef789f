#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/random.h"

namespace thigmo::text_test {
namespace {

std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(Text, EveryFiniteNumberReadsBackWithItsBits) {
  const auto check = [](double value) {
    const std::string text = text_from_number(value);
    const std::optional<double> back = number_from_text(text);
    ASSERT_TRUE(back) << text;
    EXPECT_EQ(bits_of(*back), bits_of(value)) << text;
  };
  using Limits = std::numeric_limits<double>;
  for (double value : {0.0, -0.0, 0.1, -1e23, Limits::min(), Limits::max(), Limits::denorm_min()}) {
    check(value);
  }
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const std::uint64_t bits = mix_bits(1, i);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) check(value);
  }
}

TEST(Text, NumbersAreWrittenShort) {
  EXPECT_EQ(text_from_number(0.1), "0.1");
  EXPECT_LE(text_from_number(1e300).size(), 6u);
}

TEST(Text, ReadsTheUsualSpellings) {
  EXPECT_EQ(number_from_text("+1.5"), 1.5);
  EXPECT_EQ(number_from_text("-.5"), -0.5);
  EXPECT_EQ(number_from_text("2."), 2.0);
  EXPECT_EQ(number_from_text("1E-3"), 1e-3);
}

TEST(Text, RefusesWhatIsNoFiniteNumber) {
  for (const char* text : {"", " 1", "1 ", "1,5", "1.5.2", "0x10", "nan", "inf", "-infinity",
                           "1e999", "+-1", "-+1", "++1", "+", "-", ".", "e5", "one"}) {
    EXPECT_EQ(number_from_text(text), std::nullopt) << text;
  }
}

TEST(Text, FindsTheNumberAtTheStart) {
  const NumberPrefix prefix = number_prefix("12.5mm");
  EXPECT_EQ(prefix.value, 12.5);
  EXPECT_EQ(prefix.length, 4u);
  EXPECT_EQ(number_prefix("3e").length, 1u);  // an exponent needs digits
  EXPECT_EQ(number_prefix("mm").length, 0u);
  EXPECT_EQ(number_prefix("1e999").length, 0u);
}

}  // namespace
}  // namespace thigmo::text_test
