#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include "base/random.h"
#include "grammar/check.h"
#include "grammar/helpers.h"

namespace thigmo::meaning_test {
namespace {

std::string warnings_of(std::string_view text, const GrowOptions& options = {}) {
  return to_string(grown(text, options).warnings);
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Cut, InASubLSystemEndsWithIt) {
  const auto model = [](std::string_view axiom, std::string_view called) {
    return "Lsystem: 1\nderivation length: 2\nAxiom: " + std::string(axiom) +
           "\nendlsystem\nLsystem: 2\nAxiom: F\n" + std::string(called) + "\nendlsystem\n";
  };
  EXPECT_EQ(derived(model("F?(2,1)X$F[+F]F", "X --> %")), "F?(2,1)$F[+F]F");
  // Whole calls behind the cut go with it, and brackets end it as ever.
  EXPECT_EQ(derived(model("F?(2,1)XA?(2,1)B$C$F", "X --> %")), "F?(2,1)$F");
  EXPECT_EQ(derived(model("F?(2,1)[XA]B$F", "X --> %")), "F?(2,1)[]B$F");
  // In the calling L-system a call is cut whole.
  EXPECT_EQ(derived("Lsystem: 1\nderivation length: 2\nAxiom: [FXA?(2,1)B$C]D\nX --> %\n"
                    "endlsystem\nLsystem: 2\nAxiom: F\nB --> B\nendlsystem\n"),
            "[F]D");
}

TEST(Cut, ARuleForItWins) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A%B\n% --> C\n"), "ACB");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A%B[C%D]\nC < % --> E\n"), "A");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: [C%D][A%B]F\nC < % --> E\n"), "[CED][A]F");
}

TEST(Cut, WorksBesideContextFromTheRight) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A[B%CD]EF\nE >> F --> G\n"), "A[B]GF");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: AB%CF\nE >> F --> G\n"), "AB");
}

TEST(Cut, InASubLSystemEndsWithItFromTheRightAsWell) {
  EXPECT_EQ(derived("Lsystem: 1\nderivation length: 1\nAxiom: F?(2,1)X%Y$F[+F]AB\nA >> B --> C\n"
                    "endlsystem\nLsystem: 2\nAxiom: X\nX --> G\nendlsystem\n"),
            "F?(2,1)G$F[+F]CB");
  // With a rule for it that does not fit here.
  EXPECT_EQ(derived("Lsystem: 1\nderivation length: 1\nAxiom: ?(2,1)X%YZ%Y$A%B\nA >> B --> C\n"
                    "endlsystem\nLsystem: 2\nAxiom: X\nZ < % --> G\nendlsystem\n"),
            "?(2,1)X$A");
}

// A rule with >> that never fits turns the direction of the step, and nothing else: what comes out is
// the same as from the left, however brackets and calls lie in each other.
TEST(SubLSystems, MeanTheSameFromTheRight) {
  constexpr const char* pieces[] = {"X", "Y", "%", "[", "]", "?(2,1)", "?(1,1)", "?(3,1)", "$"};
  int cuts = 0;
  for (std::uint64_t model = 0; model < 2000; ++model) {
    std::string axiom;
    int open = 0;
    for (std::uint64_t m = 0; m < 16; ++m) {
      const std::string piece = pieces[mix_bits(model, m) % std::size(pieces)];
      if (piece == "]" && open == 0) continue;
      open += piece == "[" ? 1 : piece == "]" ? -1 : 0;
      axiom += piece;
    }
    axiom += std::string(static_cast<std::size_t>(open), ']');
    const auto outcome = [&](const std::string& extra) {
      return derived("Lsystem: 1\nderivation length: 2\nAxiom: " + axiom +
                     "\nX > Y --> F%\nY --> YX\n" + extra +
                     "endlsystem\nLsystem: 2\nAxiom: X\nX --> G\nY < X --> \nendlsystem\n"
                     "Lsystem: 3\nAxiom: X\nX --> %Y\nendlsystem\n");
    };
    const std::string from_left = outcome("");
    EXPECT_EQ(outcome("Q >> Q --> Q\n"), from_left) << axiom;
    cuts += axiom.find('%') != std::string::npos && from_left.size() < axiom.size();
  }
  EXPECT_GT(cuts, 500);
}

TEST(SubLSystems, MaySeeWhatIsAlreadyRewritten) {
  const auto model = [](std::string_view first, std::string_view second) {
    return "Lsystem: 1\nderivation length: 1\nAxiom: a?(2,1)aab$aa\n" + std::string(first) +
           "endlsystem\nLsystem: 2\nAxiom: a\n" + std::string(second) + "endlsystem\n";
  };
  EXPECT_EQ(derived(model("", "a >> b --> b\n")), "a?(2,1)bbb$aa");
  // One step cannot go both ways.
  EXPECT_TRUE(has(first_error(model("b << a --> b\n", "a >> b --> b\n")), "also has '<<'"));
}

TEST(Context, FromTheRightLeavesOutWhatIsCutOrEmpty) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A[CDD%D]DDB\nA >> B --> E\nD --> \n"), "E[C]B");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A[CF%D]B\nA >> [CF]B --> E\n"), "E[CF]B");
}

// Every set that is passed over has its own table: each rule must find its own neighbour.
TEST(Context, HasATableForEverySetOfIgnoredModules) {
  const std::string letters = "GHIJKLMN";
  for (const int n : {5, 60, 4000}) {  // the last in threads
    std::string axiom = "A", rules, branches, after;
    for (const char letter : letters) {
      axiom += std::string(static_cast<std::size_t>(n), letter);
    }
    for (std::size_t i = 0; i < letters.size(); ++i) {
      rules += fmt::format("ignore: Z{}\n{} < B(x) : x == {} --> D({})\n", letters.substr(i + 1),
                           letters[i], i, i);
      branches += fmt::format("[B({})][B({})]", i, i + 1);
      after += fmt::format(
          "[D({})]{}", i,
          i + 1 < letters.size() ? fmt::format("[D({})]", i + 1) : fmt::format("[B({})]", i + 1));
    }
    const std::string text = "derivation length: 1\nAxiom: " + axiom + branches + "\n" + rules;
    EXPECT_EQ(derived(text, {.threads = 1}), axiom + after) << n;
    EXPECT_EQ(derived(text, {.threads = 3}), axiom + after) << n;
  }
}

TEST(Consider, PassesOverBracketsThatAreNotListed) {
  const std::string axiom = "derivation length: 1\nAxiom: [xB]yA\n";
  EXPECT_EQ(derived(axiom + "consider: ABS\nB > A --> C\n"), "[xC]yA");
  EXPECT_EQ(derived(axiom + "consider: ABS\nB < A --> C\n"), "[xB]yC");
  EXPECT_EQ(derived(axiom + "consider: AB[]\nB > A --> C\n"), "[xB]yA");
  EXPECT_EQ(derived(axiom + "consider: AB[]\nB < A --> C\n"), "[xB]yA");
  // ignore: passes over them only where they are listed.
  EXPECT_EQ(derived(axiom + "ignore: xy\nB > A --> C\n"), "[xB]yA");
  EXPECT_EQ(derived(axiom + "ignore: xy[]\nB > A --> C\n"), "[xC]yA");
  // What has been rewritten already is looked at in the same way.
  EXPECT_EQ(derived(axiom + "consider: ABC\nB << A --> C\n"), "[xB]yC");
  EXPECT_EQ(derived(axiom + "consider: ABC\nB >> A --> C\n"), "[xC]yA");
}

// The nearest module that is not passed over, found by looking at one after the other.
TEST(Context, IsTheSameAcrossManyBranchesAsAcrossFew) {
  for (const int n : {3, 10, 40, 100, 500}) {
    std::string axiom = "A", after = "A";
    for (int i = 0; i < n; ++i) {
      axiom += "[+B(1)[C]]+";
      after += "[+D[C]]+";
    }
    const std::string header = "derivation length: 1\nignore: +\nAxiom: " + axiom + "EC\n";
    EXPECT_EQ(derived(header + "A < B(x) > C --> X\n"), axiom + "EC") << n;
    EXPECT_EQ(derived(header + "A < B(x) > [C] --> D\n"), after + "EC") << n;
    EXPECT_EQ(derived(header + "A > EC --> D\n"), fmt::format("D{}EC", axiom.substr(1))) << n;
    EXPECT_EQ(derived(header + "A < E > C --> D\n"), axiom + "DC") << n;
    // A module that is passed over itself, in a long row.
    const std::string row(static_cast<std::size_t>(n), 'B');
    const std::string rewritten(static_cast<std::size_t>(n), 'D');
    EXPECT_EQ(derived(fmt::format("derivation length: 1\nignore: B\nAxiom: A{}C\nA < B > C --> D\n",
                                  row)),
              fmt::format("A{}C", rewritten));
  }
}

TEST(Time, InARuleIsThatOfItsEvent) {
  EXPECT_EQ(derived("module A(age,g) lives 1\ntime step: 0.3\nderivation length: 8\n"
                    "Axiom: A(0,2)\nA : g>0 --> I(time)A(0,g-1)\n")
                .substr(0, 8),
            "I(1)I(2)");
  // Whatever the step, and in conditions as well.
  for (const char* step : {"0.1", "0.25", "0.7", "1.9", "10"}) {
    const std::string text = std::string("module A(age) lives 0.4\ntime step: ") + step +
                             "\nderivation length: 100\nAxiom: A(0)\nA : time < 1.5 --> "
                             "I(time)A(0)\n";
    EXPECT_EQ(derived(text).substr(0, 19), "I(0.4)I(0.8)I(1.2)A") << step;
  }
  // Behind the event the clock is that of the step again.
  EXPECT_EQ(derived("module A(age) lives 0.4\nderivation length: 1\nAxiom: A(0)B\nA --> C(time)\n"
                    "B --> D(time)\n"),
            "C(0.4)D(1)");
}

TEST(Warnings, TwoSlashesThatMayBeRollsAreNamed) {
  const std::string said = warnings_of("derivation length: 1\nAxiom: A\nA --> F//(90)B\n");
  EXPECT_TRUE(has(said, "m.lsys:3:8: warning: '//' begins a comment")) << said;
  EXPECT_TRUE(has(said, "to roll twice write '/ /'")) << said;
  EXPECT_TRUE(has(warnings_of("Axiom: F//F\n"), "'//' begins a comment"));
  EXPECT_TRUE(has(warnings_of("Axiom: F //(90)F\n"), "'//' begins a comment"));
  EXPECT_TRUE(has(warnings_of("derivation length: 1\nAxiom: A\nA --> F\n   [+F]//F\n"),
                  "m.lsys:4:8: warning"));
  EXPECT_TRUE(has(to_string(check_grammar("m.lsys", "Axiom: F//F\n")), "1:9: warning: '//'"));
  for (const char* text :
       {"Axiom: F // F\n", "Axiom: F/ /(90)F\n", "// Axiom: F\nAxiom: F\n", "Axiom: F\n//(90)\n",
        "angle: 30//degrees\nAxiom: F\n", "derivation length: 1\nAxiom: A\nA --> F : 2//(x)\n",
        "Axiom: F\nStart: { x = 1;//one\n  y = 2;//two\n}\n"}) {
    EXPECT_EQ(warnings_of(text), "") << text;
  }
}

TEST(Warnings, QuestionsThatNobodyAnswersAreNamed) {
  const std::string text = "derivation length: 1\nAxiom: F A\nA --> F?E(1)\n";
  const std::string said = warnings_of(text);
  EXPECT_TRUE(has(said, "m.lsys:3:8: warning: nobody answers '?E'")) << said;
  EXPECT_TRUE(has(said, "environment: light")) << said;
  EXPECT_EQ(warnings_of("environment: light\n" + text), "");
  EXPECT_EQ(warnings_of(text, {.environment = light_from_above()}), "");
}

TEST(Warnings, AnOpenSubLSystemIsNamed) {
  const std::string end = "\nF --> F\nendlsystem\nLsystem: 2\nAxiom: F\nendlsystem\n";
  const std::string said = warnings_of("Lsystem: 1\nderivation length: 1\nAxiom: F?(2,1)F" + end);
  EXPECT_TRUE(has(said, "m.lsys:3:1: warning: there is no '$' for the '?(n,s)' that is module 1"))
      << said;
  EXPECT_EQ(warnings_of("Lsystem: 1\nderivation length: 1\nAxiom: F?(2,1)F$" + end), "");
}

TEST(Environment, TooManyDrawingsAreForeseen) {
  EXPECT_TRUE(has(first_error("derivation length: 1000000\nenvironment: light\n"
                              "Axiom: F(0.1)A?E(1)\nA > ?E(x) : x > 2 --> A\n"),
                  "the strings of 1000000 steps would be drawn"));
  EXPECT_TRUE(has(first_error("derivation length: 50000\nenvironment: light\n"
                              "Axiom: A?E(1)\nA --> F(0.1)A\n"),
                  "would be drawn"));
  EXPECT_EQ(first_error("derivation length: 100\nenvironment: light\nAxiom: A?E(1)\n"
                        "A --> F(0.1)A\n"),
            "");
}

}  // namespace
}  // namespace thigmo::meaning_test
