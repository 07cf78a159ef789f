#include "grammar/check.h"

#include <gtest/gtest.h>

#include "grammar/explain.h"

namespace thigmo {
namespace {

std::string checked(std::string_view text) { return to_string(check_grammar("m.lsys", text)); }

bool warns(std::string_view text, std::string_view what) {
  return checked(text).find(what) != std::string::npos;
}

TEST(Check, ASoundModelHasNothingToReport) {
  EXPECT_EQ(checked("derivation length: 3\nAxiom: A(1)\nA(x) : x < 9 --> F(x)[+A(x*2)]A(x)\n"
                    "expect count A 8\n"),
            "");
}

TEST(Check, FindsRulesThatCannotApply) {
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A\nA --> F\nB --> F\n",
                    "m.lsys:4:1: warning: this rule can never apply: nothing makes 'B'"));
  EXPECT_TRUE(
      warns("derivation length: 1\nAxiom: A(1)\nA --> F\n", "there is 'A' with 1 parameter"));
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A\nA --> F\nA --> G\n",
                    "m.lsys:4:1: warning: this rule is never tried"));
}

TEST(Check, FindsUnusedParametersAndBrackets) {
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A(1,2)\nA(x,y) --> F(x)\n",
                    "m.lsys:3:5: warning: the parameter 'y' is not used"));
  EXPECT_FALSE(warns("derivation length: 1\nAxiom: A(1,2)\nA(x,_y) --> F(x)\n", "is not used"));
  EXPECT_TRUE(
      warns("derivation length: 1\nAxiom: A\nA --> F]\n", "brackets that are not balanced"));
}

TEST(Check, FindsExpansionsWithoutEnd) {
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A\nA --> D\ndecomposition\nD --> E\nE --> FD\n",
                    "the decomposition of 'D' does not end"));
  EXPECT_FALSE(
      warns("derivation length: 1\nAxiom: A\nA --> D\ndecomposition\nmaximum depth: 3\n"
            "D --> E\nE --> FD\n",
            "does not end"));
}

TEST(Check, ReportsAllAtOnce) {
  const Diagnostics found =
      check_grammar("m.lsys", "Axiom: A(1)]\nA(x) --> F\nB --> A(1)\nexpect length 7\n");
  // Error: unbalanced string. Warnings: brackets, no derivation length, unused x, unreachable B.
  ASSERT_GE(found.size(), 5u) << to_string(found);
  EXPECT_EQ(found[0].severity, Severity::error);
}

TEST(Check, ExpectationsAreTests) {
  constexpr const char* model =
      "derivation length: 2\nAxiom: F\nF --> F[+F]F\nexpect length 21\nexpect count F 9\n"
      "expect segments 9\nexpect count F 10\n";
  EXPECT_EQ(checked(model),
            "m.lsys:7:1: error: expected 10, found 9\n"
            "  expect count F 10\n"
            "  ^");
}

TEST(Explain, EveryModuleKnowsItsRuleAndParent) {
  const auto grammar =
      parse_grammar("m.lsys", "derivation length: 2\nAxiom: A(1)\nA(x) --> F[+B]A(x+1)\nB --> F\n");
  const auto stories = explain(*grammar);
  ASSERT_TRUE(stories) << to_string(stories.diagnostics());
  // Step 1: F[+B]A(2); step 2: F[+F]F[+B]A(3).
  ASSERT_EQ(stories->size(), 11u);
  EXPECT_EQ((*stories)[0].text, "F");
  EXPECT_EQ((*stories)[0].step, 1);
  EXPECT_EQ((*stories)[0].parent_text, "A(1)");
  EXPECT_EQ((*stories)[3].text, "F");
  EXPECT_EQ((*stories)[3].step, 2);
  EXPECT_EQ((*stories)[3].rule, 1);
  EXPECT_EQ((*stories)[3].line, 4);
  EXPECT_EQ((*stories)[3].parent, 3);
  EXPECT_EQ((*stories)[3].parent_text, "B");
  EXPECT_EQ((*stories)[10].text, "A(3)");
  EXPECT_EQ((*stories)[10].parent_text, "A(2)");
  EXPECT_EQ((*stories)[10].parent, 5);
}

TEST(Explain, TheLineOfDescentEndsInTheAxiom) {
  const auto grammar = parse_grammar(
      "m.lsys", "derivation length: 3\nAxiom: XA(1)\nA(x) --> F[+B]A(x+1)\nB --> F\n");
  const auto line = explain_lineage(*grammar, 9);  // XF[+F]F[+F]F[+B]A(4): the F of the second B
  ASSERT_TRUE(line) << to_string(line.diagnostics());
  std::string texts;
  for (const ModuleStory& story : *line) texts += story.text + " ";
  EXPECT_EQ(texts, "A(1) A(2) B F ");
  EXPECT_EQ((*line)[3].step, 3);
  ASSERT_FALSE(explain_lineage(*grammar, 99));
}

TEST(Explain, WorksThroughDecompositionAndTime) {
  const auto decomposed = parse_grammar(
      "m.lsys",
      "derivation length: 2\nAxiom: A\nA --> DA\ndecomposition\nmaximum depth: 1\nD --> EE\n");
  const auto stories = explain(*decomposed);
  ASSERT_TRUE(stories);
  ASSERT_EQ(stories->size(), 5u);
  EXPECT_EQ((*stories)[2].parent_text, "A");
  const auto timed = parse_grammar(
      "m.lsys", "module A(t) lives 0.4\nderivation length: 1\nAxiom: A(0)\nA --> FA(0)\n");
  const auto lives = explain(*timed);
  ASSERT_TRUE(lives);
  EXPECT_EQ(lives->size(), 3u);
  EXPECT_EQ((*lives)[1].parent_text, "A(0)");
}

}  // namespace
}  // namespace thigmo
