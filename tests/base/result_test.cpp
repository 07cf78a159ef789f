#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace thigmo::result_test {
namespace {

TEST(Result, HoldsAValue) {
  Result<std::string> result = std::string("leaf");
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "leaf");
  EXPECT_EQ(result->size(), 4u);
  *result += "let";
  EXPECT_EQ(*result, "leaflet");
}

TEST(Result, HoldsTheReasonsForNone) {
  const Result<int> one = error("no such plant", "plant one");
  ASSERT_FALSE(one);
  ASSERT_EQ(one.diagnostics().size(), 1u);
  EXPECT_EQ(to_string(one.diagnostics()), "error: no such plant\n  hint: plant one");

  const Result<int> two = Diagnostics{error("first"), error("second")};
  EXPECT_EQ(to_string(two.diagnostics()), "error: first\nerror: second");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(*result);
  EXPECT_EQ(*taken, 7);
}

// Asking a failure for its value is our bug, never a wrong number.
TEST(ResultDeathTest, AsksForWhatIsThere) {
  Result<int> failed = error("no");
  Result<int> good = 1;
  EXPECT_DEATH(static_cast<void>(*failed), "internal error");
  EXPECT_DEATH(static_cast<void>(good.diagnostics()), "internal error");
  EXPECT_DEATH(Result<int>(Diagnostics{}), "internal error");
}

}  // namespace
}  // namespace thigmo::result_test
