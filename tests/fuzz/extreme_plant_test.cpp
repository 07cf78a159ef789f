#include "fuzz/extreme_plant.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/random.h"
#include "support/gallery.h"

// Plants of extreme sizes are written in finite numbers, or refused with a reason.

namespace thigmo::extreme_plant_test {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t cases = 400;
#else
constexpr std::uint64_t cases = 3000;
#endif

TEST(ExtremePlant, RandomOnesAreWrittenOrRefused) {
  for (std::uint64_t number = 0; number < cases; ++number) {
    std::string bytes;
    const std::uint64_t length = 8 + mix_bits(number, 1) % 120;
    for (std::uint64_t i = 0; i < length; ++i) {
      // Most bytes are moderate, so that some plants have but one odd size.
      const std::uint64_t draw = mix_bits(number, 100 + i);
      const bool odd = draw % 16 == 0;
      bytes.push_back(static_cast<char>(odd ? draw >> 32 : (draw >> 32) % 192));
    }
    EXPECT_EQ(testing::extreme_plant_error(bytes), "") << "case " << number;
  }
}

// What tools/fuzz found, and the stems that once had one ring.
TEST(ExtremePlant, FindsStayMended) {
  const auto folder = std::filesystem::path(THIGMO_SOURCE_DIR) / "tests/data/extreme";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    EXPECT_EQ(testing::extreme_plant_error(support::text_of(entry.path()), true), "")
        << entry.path();
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace thigmo::extreme_plant_test
