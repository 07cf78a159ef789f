#include "grammar/check.h"

#include <gtest/gtest.h>

#include "grammar/explain.h"

namespace thigmo::check_test {
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
                    "m.lsys:3:5: warning: no rule uses the parameter 'y' of 'A'"));
  EXPECT_FALSE(warns("derivation length: 1\nAxiom: A(1,2)\nA(x,_y) --> F(x)\n", "no rule uses"));
  // A rule must name what it does not need, when another one does.
  EXPECT_EQ(checked("derivation length: 1\nAxiom: A(1,2)B\nA(x,y) : y > 2 --> F(x)\n"
                    "A(x,y) --> G\nA(x,y) < B --> F\n"),
            "");
  // The turtle reads the parameters of its own symbols.
  EXPECT_EQ(checked("derivation length: 1\nAxiom: F(2)!(3)+(4)\nF(x) --> F(2)\n!(w) --> !(1)\n"
                    "+(a) --> +(2)\n"),
            "");
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A\nA --> F[[]\nB --> ]\n",
                    "m.lsys:4:7: warning: the successor has a ']' without its '['"));
}

TEST(Check, ALoneBracketIsOneErrorAtItsPlace) {
  EXPECT_EQ(checked("derivation length: 1\nAxiom: A\nA --> F[+F\n"),
            "m.lsys:3:8: error: the string after step 1 has a '[' without its partner, module 1\n"
            "  A --> F[+F\n"
            "         ^\n"
            "  hint: check the brackets of the axiom and of every successor");
  EXPECT_EQ(checked("Axiom: F]F\n"),
            "m.lsys:1:9: error: the string after step 0 has a ']' without its partner, module 1\n"
            "  Axiom: F]F\n"
            "          ^\n"
            "  hint: check the brackets of the axiom and of every successor");
}

TEST(Check, FindsRulesThatAreNeverUsed) {
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A\nA : 0 --> F\n",
                    "m.lsys:3:1: warning: this rule never applies: its condition is always false"));
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A(1)\nA(x) : x > 0 --> F\nA(y) : y > 0 --> G\n",
                    "m.lsys:4:1: warning: this rule is never tried"));
  EXPECT_FALSE(warns("derivation length: 1\nAxiom: A(1)\nA(x) : x > 0 --> F\nA(y) : y > 1 --> G\n",
                     "never tried"));
  EXPECT_FALSE(
      warns("derivation length: 1\nAxiom: BA(1)\nB < A(x) : x > 0 --> F\n"
            "A(y) : y > 0 --> G\n",
            "never tried"));
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A\nA --> F : 1\nA --> G : 0\n",
                    "m.lsys:4:1: warning: this rule is never chosen: its weight is 0"));
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A\nA --> F : -1\n",
                    "m.lsys:3:11: error: a weight cannot be negative"));
}

TEST(Check, SaysEverythingAtOnce) {
  // An expression that is wrong hides neither the other errors nor what is suspicious elsewhere.
  EXPECT_EQ(checked("derivation length: 2\nAxiom: A(1)\nA(x) : x > --> F\nA(x) --> F[(\n"
                    "B --> [G\nB : 0 --> F\nA(x) --> C(u)\n"),
            "m.lsys:3:12: error: an expression is missing here\n"
            "  A(x) : x > --> F\n"
            "             ^\n"
            "m.lsys:4:13: error: an expression is missing here\n"
            "  A(x) --> F[(\n"
            "              ^\n"
            "m.lsys:7:12: error: 'u' is not defined\n"
            "  A(x) --> C(u)\n"
            "             ^\n"
            "  hint: define it with #define, or name it as a parameter of the rule\n"
            "m.lsys:5:7: warning: the successor has a '[' without its ']'\n"
            "  B --> [G\n"
            "        ^\n"
            "m.lsys:6:1: warning: this rule never applies: its condition is always false\n"
            "  B : 0 --> F\n"
            "  ^");
}

TEST(Check, FindsWhatIsBegunAndNotEnded) {
  EXPECT_TRUE(warns("Axiom: F{F+F+F\n", "m.lsys:1:9: error: {: there is no '}' for it"));
  EXPECT_TRUE(warns("Axiom: F@GsF\n", "m.lsys:1:9: error: @Gs: there is no @Ge for it"));
  EXPECT_TRUE(warns("Axiom: F[@GsF]F\n", "@Gs: there is no @Ge for it in its branch"));
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A\nA --> F?(7,1)A$\n",
                    "m.lsys:3:8: error: there is no L-system with label 7"));
  EXPECT_TRUE(warns("derivation length: 1\nAxiom: A(7)\nA(n) --> ?(n,1)F$B\nB --> B\n",
                    "there is no L-system with label 7"));
}

TEST(Check, ABadDerivationLengthIsShownWhereItStands) {
  EXPECT_TRUE(warns("derivation length: 2.5\nAxiom: A\nA --> B\n",
                    "m.lsys:1:20: error: the derivation length 2.5 is not whole"));
  EXPECT_TRUE(warns("derivation length:  -1\nAxiom: A\n", "m.lsys:1:21: error: the derivation"));
}

TEST(Check, AllErrorsOfAnArticulatedBodyAreReported) {
  const std::string body = "B(1,0,.5,0,0,.5,0,.3,.1,.3)", joint = "J(0,0,0,0,0,0,5,5,5)";
  const Diagnostics found =
      check_grammar("x.abs", body + joint + joint + "\nB(1,2)\n" + body + "[" + joint + "]\n" +
                                 joint + "B(1,0,.5,0,0,.5,0,.2,.1,.3)\n[" + joint + body + "\n");
  std::vector<std::pair<int, std::string>> said;
  for (const Diagnostic& d : found) said.push_back({d.line, d.message});
  ASSERT_EQ(said.size(), 6u) << to_string(found);
  EXPECT_NE(said[0].second.find("two joints follow each other"), std::string::npos);
  EXPECT_NE(said[1].second.find("2 parameters instead of 10"), std::string::npos);
  EXPECT_NE(said[2].second.find("two bodies follow"), std::string::npos);
  EXPECT_NE(said[3].second.find("no body behind it"), std::string::npos);
  EXPECT_NE(said[4].second.find("the moment of inertia 0.2 about x is below 0.25"),
            std::string::npos);
  EXPECT_NE(said[5].second.find("[ (module 10): there is no ']' for it"), std::string::npos)
      << said[5].second;
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
  // Error: the lone bracket. Warnings: no derivation length, unused x, unreachable B.
  ASSERT_EQ(found.size(), 4u) << to_string(found);
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
}  // namespace thigmo::check_test
