#include "base/aligned.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace thigmo::aligned_test {
namespace {

// Around the size of a large page, too, and as a vector grows.
TEST(Aligned, MemoryBeginsWithACacheLine) {
  const std::size_t page = std::size_t{2} << 20;
  for (const std::size_t bytes : {std::size_t{1}, page - 1, page, page + 1, 3 * page + 5}) {
    AlignedVector<char> memory(bytes, 'a');
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0U) << bytes;
#ifdef __linux__
    if (bytes >= page) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % page, 0U);
    }
#endif
    memory.resize(2 * bytes, 'b');
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0U) << bytes;
    EXPECT_EQ(memory.front(), 'a');
    EXPECT_EQ(memory[bytes - 1], 'a');
    EXPECT_EQ(memory.back(), 'b');
  }
}

}  // namespace
}  // namespace thigmo::aligned_test
