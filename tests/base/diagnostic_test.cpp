#include "base/diagnostic.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace thigmo::diagnostic_test {
namespace {

TEST(Diagnostic, PointsAtTheColumnUnderTheSourceLine) {
  const std::string text = "first\n  secnd = 1\n";
  const Diagnostic diagnostic = diagnostic_at("a.toml", text, 8, "unknown key", "use 'second'");
  EXPECT_EQ(to_string(diagnostic),
            "a.toml:2:3: error: unknown key\n"
            "    secnd = 1\n"
            "    ^\n"
            "  hint: use 'second'");
}

TEST(Diagnostic, OffsetPastTheEndIsTheEnd) {
  const TextPosition position = text_position("ab\nc", 99);
  EXPECT_EQ(position.line, 2);
  EXPECT_EQ(position.column, 2);
}

TEST(Diagnostic, ALongLineIsShownAroundTheCaret) {
  const std::string text(100000, 'x');
  const std::string shown = to_string(diagnostic_at("f", text, 50000, "m"));
  EXPECT_LT(shown.size(), 400u);
}

TEST(Diagnostic, OfVeryManyTheFirstAreShown) {
  const std::string text = to_string(Diagnostics(100, Diagnostic{.message = "wrong"}));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 12);
  EXPECT_TRUE(text.ends_with("\nand 88 more"));
  EXPECT_EQ(to_string(Diagnostics(12, Diagnostic{.message = "wrong"})).find("more"),
            std::string::npos);
}

TEST(Diagnostic, SuggestsOnlyWhatIsNear) {
  EXPECT_EQ(closest_word("durration", {"duration", "step"}), "duration");
  EXPECT_EQ(closest_word("lenght", {"height", "length"}), "length");
  EXPECT_EQ(closest_word("zebra", {"duration", "step"}), "");
}

// Bytes that are no text do not reach a terminal, and columns stay.
TEST(Diagnostic, ShowsOnlyText) {
  Diagnostic said{.column = 3};
  show_line("a\x1b[2J\xff\tgr\xc3\xbcn\xc3", said);
  EXPECT_EQ(said.source_line, "a?[2J?\tgr\xc3\xbcn?");
}

}  // namespace
}  // namespace thigmo::diagnostic_test
