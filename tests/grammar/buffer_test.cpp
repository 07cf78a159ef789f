#include "grammar/rewrite/buffer.h"

#include <gtest/gtest.h>

#include <utility>

namespace thigmo::buffer_test {
namespace {

// Blocks change from the heap to pages of their own at some megabytes, and are moved when they grow:
// the values must come along through all of it.
TEST(Buffer, KeepsItsValuesWhileItGrows) {
  Buffer<std::uint32_t> numbers;
  constexpr std::uint32_t count = 5'000'000;  // 20 MB
  for (std::uint32_t i = 0; i < count; ++i) numbers.push_back(i);
  numbers.reserve(2 * count);
  ASSERT_EQ(numbers.size(), count);
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < count; ++i) wrong += numbers[i] != i;
  EXPECT_EQ(wrong, 0u);
}

TEST(Buffer, CopiesAndMovesOwnTheirMemory) {
  Buffer<double> first;
  first.resize(1'000'000);
  first[999'999] = 7;
  Buffer<double> copy = first;
  first[999'999] = 8;
  const Buffer<double> moved = std::move(first);
  EXPECT_EQ(copy[999'999], 7);
  EXPECT_EQ(moved[999'999], 8);
  copy.resize_for_writing(10);
  copy[9] = 1;
  EXPECT_EQ(copy.size(), 10u);
  copy.resize_for_writing(2'000'000);
  copy[1'999'999] = 2;
  EXPECT_EQ(copy.size(), 2'000'000u);
}

}  // namespace
}  // namespace thigmo::buffer_test
