#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace thigmo::parallel_test {
namespace {

TEST(Parallel, CallsEveryIndexOnce) {
  for (int threads : {0, 1, 2, 4}) {
    for (std::size_t count : {0u, 1u, 2u, 10000u}) {
      std::vector<std::atomic<int>> calls(count);
      parallel_for(count, threads, [&](std::size_t i) { ++calls.at(i); });
      for (const std::atomic<int>& c : calls) ASSERT_EQ(c, 1) << threads << " threads";
    }
  }
}

TEST(Parallel, AnExceptionReachesTheCaller) {
  for (int threads : {1, 2}) {
    EXPECT_THROW(parallel_for(1000, threads,
                              [](std::size_t i) {
                                if (i == 500) throw std::runtime_error("out of work");
                              }),
                 std::runtime_error);
  }
}

TEST(Parallel, TheMachineHasAThread) { EXPECT_GE(hardware_threads(), 1); }

}  // namespace
}  // namespace thigmo::parallel_test
