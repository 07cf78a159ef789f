#include "base/budget.h"

#include <gtest/gtest.h>

#include <limits>

namespace thigmo::budget_test {
namespace {

TEST(Budget, IsSpentAndThenRefuses) {
  Budget budget{.bytes = 100};
  EXPECT_TRUE(spend(budget, 3, 20, "things"));
  EXPECT_EQ(budget.bytes, 40);
  const auto refused = spend(budget, 3, 20, "things");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.diagnostics().front().message.find("3 things"), std::string::npos);
  EXPECT_EQ(budget.bytes, 40) << "what is refused costs nothing";
  EXPECT_TRUE(spend(budget, 2, 20, "things"));
}

TEST(Budget, RefusesWhatCannotBeCounted) {
  Budget budget;
  EXPECT_FALSE(spend(budget, std::numeric_limits<double>::infinity(), 1, "things"));
  EXPECT_FALSE(spend(budget, std::numeric_limits<double>::quiet_NaN(), 1, "things"));
}

}  // namespace
}  // namespace thigmo::budget_test
