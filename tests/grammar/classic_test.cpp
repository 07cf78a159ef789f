#include <gtest/gtest.h>

#include <cmath>

#include "grammar/grammar.h"
#include "grammar/helpers.h"
#include "grammar/turtle/turtle.h"
#include "support/structure.h"

namespace thigmo::classic_test {
namespace {

// The expected strings are worked out by hand from the rules in the comment of each test.

TEST(Classic, FirstMatchingRuleWins) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A(1)A(5)\nA(x) : x>3 --> B\nA(x) --> C\n"), "CB");
}

TEST(Classic, ArityIsPartOfTheMatch) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A A(1)A(1,2)\nA(x) --> B(x)\n"), "AB(1)A(1,2)");
}

TEST(Classic, ExpressionsHaveCPrecedence) {
  EXPECT_EQ(derived("Axiom: A(2+3*4)B(2^3^2)C(-2^2)D(7%4)E(1<2&&!(3>4)||0)F(1?2:3)G((1+1)*2)\n"),
            "A(14)B(512)C(-4)D(3)E(1)F(2)G(4)");
  EXPECT_EQ(derived("Axiom: A(sin(90))B(atan2(1,0))C(floor(2.7))D(min(3,max(1,2)))E(sign(0-3))\n"),
            "A(1)B(90)C(2)D(2)E(-1)");
}

TEST(Classic, LeftContextPassesBranches) {
  // From B the path to the root is A; the branch [C] is passed, the bracket before B too.
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A[C][B]B\nA < B --> D\n"), "A[C][D]D");
}

TEST(Classic, RightContextStaysInTheBranch) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A[B]C\nA > C --> X\n"), "X[B]C");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A[B]C\nA > B --> X\n"), "A[B]C");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: [A]C\nA > C --> X\n"), "[A]C");
}

TEST(Classic, RightContextWithAnExplicitBranch) {
  constexpr const char* rules = "\nA > [B]C --> X\n";
  EXPECT_EQ(derived(std::string("derivation length: 1\nAxiom: A[B]C") + rules), "X[B]C");
  // ] in the pattern asks for the end of the branch; = passes what is left of it.
  EXPECT_EQ(derived(std::string("derivation length: 1\nAxiom: A[BD]C") + rules), "A[BD]C");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A[BD[E]F]C\nA > [B=]C --> X\n"), "X[BD[E]F]C");
}

TEST(Classic, ContextParametersAreBound) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A(1)[+(3)]B(2)C(4)\n"
                    "A(x) < B(y) > C(z) --> D(x,y,z)\n"),
            "A(1)[+(3)]D(1,2,4)C(4)");
}

TEST(Classic, IgnoreAndConsiderApplyToTheRulesBelow) {
  constexpr const char* axiom = "derivation length: 1\nAxiom: A+B-C\n";
  EXPECT_EQ(derived(std::string(axiom) + "A < B --> X\n"), "A+B-C");
  EXPECT_EQ(derived(std::string(axiom) + "ignore: +-\nA < B --> X\nB > C --> Y\n"), "A+X-C");
  EXPECT_EQ(derived(std::string(axiom) + "consider: ABC\nA < B --> X\n"), "A+X-C");
  EXPECT_EQ(derived(std::string(axiom) + "ignore: +\nA < B --> X\nignore: -\nB < C --> Y\n"),
            "A+X-Y");
}

TEST(Classic, SeveralModulesAreReplacedTogether) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: ABABA\nAB --> C\n"), "CCA");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: A(1)B(2)A(3)\nA(x)B(y) --> C(x+y)\n"),
            "C(3)A(3)");
}

TEST(Classic, EverythingMayVanish) {
  EXPECT_EQ(derived("derivation length: 2\nAxiom: AA\nA --> *\n"), "");
  EXPECT_EQ(derived("derivation length: 2\nAxiom: A(1)\nA(x) --> *\n"), "");
  EXPECT_TRUE(grown("derivation length: 2\nAxiom: F\nF --> *\n").plant.segments.empty());
}

TEST(Classic, CutRemovesTheRestOfItsBranchOneStepLater) {
  constexpr const char* text = "Axiom: AB[CX[D]E]F\nX --> %X\n";
  EXPECT_EQ(derived(text, {.steps = 1}), "AB[C%X[D]E]F");
  EXPECT_EQ(derived(text, {.steps = 2}), "AB[C]F");
}

TEST(Classic, DecompositionFollowsEveryStepButNotTheAxiom) {
  constexpr const char* text =
      "Axiom: DA\nA --> D\ndecomposition\nmaximum depth: 2\nD --> EE\nE --> FG\n";
  EXPECT_EQ(derived(text, {.steps = 0}), "DA");
  EXPECT_EQ(derived(text, {.steps = 1}), "FGFGFGFG");
  // With depth 1 the E wait for the next step, where they are decomposed untouched by productions.
  constexpr const char* shallow =
      "Axiom: A\nA --> D\ndecomposition\nmaximum depth: 1\nD --> EE\nE --> FG\n";
  EXPECT_EQ(derived(shallow, {.steps = 1}), "EE");
  EXPECT_EQ(derived(shallow, {.steps = 2}), "FGFG");
}

TEST(Classic, EndlessDecompositionIsRefused) {
  EXPECT_NE(first_error("derivation length: 1\nAxiom: A\nA --> D\ndecomposition\nD --> DD\n")
                .find("the expansion of 'D' goes deeper than 100"),
            std::string::npos);
}

TEST(Classic, HomomorphismIsForDrawingAndSeesTheOldContext) {
  const auto grammar = parse_grammar(
      "m.lsys", "derivation length: 1\nAxiom: AB\nA --> A\nhomomorphism\nA < B --> FC\nC --> F\n");
  const auto string = derive(*grammar);
  EXPECT_EQ(plain_text(*string), "AB");
  EXPECT_EQ(*drawn_text(*string), "AFF");
}

TEST(Classic, HomomorphismHasItsOwnSeed) {
  constexpr const char* text =
      "seed: 1\nAxiom: AAAAAAAAAAAAAAAAAAAA\nhomomorphism\nseed: 7\nA --> F : 1\nA --> G : 1\n";
  const auto grammar = parse_grammar("m.lsys", text);
  const auto drawn = [&](std::uint64_t seed) {
    return *drawn_text(*derive(*grammar, {.seed = seed}), {.seed = seed});
  };
  EXPECT_EQ(drawn(1), drawn(2));
  EXPECT_NE(drawn(1).find('F'), std::string::npos);
  EXPECT_NE(drawn(1).find('G'), std::string::npos);
}

TEST(Classic, StatementsArraysLoopsAndCurves) {
  constexpr const char* text =
      "define: {\n"
      "  array size[3] = {10, 20, 30};\n"
      "  curve taper = {0:1, 2:0};\n"
      "  n = 0;\n"
      "}\n"
      "StartEach: { n = n + 1; }\n"
      "Axiom: A(2)\n"
      "A(x) : { i = 0; s = 0; while (i <= x) { s = s + size[i]; i = i + 1; } } s > 50\n"
      "       { if (n == 1) { t = 5; } else { t = 6; } }\n"
      "       --> B(s, t, taper(0.5), func(taper, 1))\n";
  EXPECT_EQ(derived(text, {.steps = 1}), "B(60,5,0.75,0.5)");
}

TEST(Classic, BlocksRunInTheirOrder) {
  // Start: 100; each step adds 1 before and 10 after the rules see it; End is not seen by rules.
  constexpr const char* text =
      "Start: { n = 100; }\nStartEach: { n = n + 1; }\nEndEach: { n = n + 10; }\n"
      "Axiom: A\nA --> B(n)A\n";
  EXPECT_EQ(derived(text, {.steps = 3}), "B(101)B(112)B(123)A");
}

TEST(Classic, RulesMayWriteVariablesInStringOrder) {
  EXPECT_EQ(derived("define: { n = 0; }\nderivation length: 1\nAxiom: AAA\n"
                    "A : * { n = n + 1; } --> B(n)\n"),
            "B(1)B(2)B(3)");
}

TEST(Classic, ASubscriptOutsideIsReported) {
  EXPECT_EQ(first_error("define: { array a[2]; }\nAxiom: B(a[2])\n"),
            "m.lsys:2:10: error: subscript 2 of 'a' is outside 0..1\n"
            "  Axiom: B(a[2])\n"
            "           ^");
}

TEST(Classic, AnEndlessLoopIsStopped) {
  GrowOptions options;
  options.limits.work = 1000000;
  constexpr const char* runs_away =
      "derivation length: 1\nAxiom: A\nA : { i = 1; while (i) { i = i + 1; } } 1 --> B\n";
  EXPECT_NE(first_error(runs_away, options).find("more work than its limit"), std::string::npos);
  EXPECT_NE(first_error(runs_away).find("this block takes more than 1000000 instructions"),
            std::string::npos);
}

// Statements have no other way out of a loop than its condition.
TEST(Classic, ALoopWhoseConditionCannotChangeIsRefused) {
  const auto error_of = [](const std::string& loop) {
    return first_error("define: { array a[2]; n = 0; }\nAxiom: A(1)\nA(x) : { i = 0; " + loop +
                       " } 1 --> B\n");
  };
  EXPECT_EQ(error_of("while (1) { i = i + 1; }"),
            "m.lsys:3:17: error: this loop never ends\n"
            "  A(x) : { i = 0; while (1) { i = i + 1; } } 1 --> B\n"
            "                  ^\n"
            "  hint: nothing in it changes its condition");
  EXPECT_NE(error_of("while (x > 0) { i = i + 1; }").find("never ends once"), std::string::npos);
  EXPECT_NE(error_of("do { i = i + 1; } while (a[0] == 0);").find("never ends"), std::string::npos);
  EXPECT_EQ(error_of("while (0) { i = i + 1; }"), "");
  EXPECT_EQ(error_of("do { i = i + 1; } while (i < 3);"), "");
  EXPECT_EQ(error_of("while (ran(1) < 0.5) { }"), "");
  EXPECT_EQ(error_of("while (a[0] < 2) { a[0] = a[0] + 1; }"), "");
  EXPECT_EQ(error_of("while (n < 2 && x) { n = n + 1; }"), "");
}

TEST(Classic, RingsHaveNoEnds) {
  constexpr const char* rules = "derivation length: 2\nAxiom: baaa\nb < a --> b\nb --> a\n";
  EXPECT_EQ(derived(rules), "aaba");
  EXPECT_EQ(derived(std::string("ring lsystem\n") + rules, {.steps = 4}), "baaa");
  EXPECT_EQ(derived(rules, {.steps = 4}), "aaaa");
}

TEST(Classic, SubLSystemsRewriteTheirPart) {
  constexpr const char* text =
      "Lsystem: 1\nderivation length: 2\nAxiom: A?(2,0.5)A$A\nA --> AB\nendlsystem\n"
      "Lsystem: 2\nAxiom: A\nA --> AC\nendlsystem\n";
  EXPECT_EQ(derived(text), "ABB?(2,0.5)ACC$ABB");
  const Growth growth = grown(
      "Lsystem: 1\nAxiom: F?(2,0.5)F$F\nendlsystem\n"
      "Lsystem: 2\nAxiom: F\nendlsystem\n");
  EXPECT_EQ(growth.end_position, (Vec3{0, 2.5, 0}));
}

TEST(Classic, ADollarWithoutSubLSystemRollsAsInAbop) {
  EXPECT_EQ(grown("Axiom: &(40)/(30)$F[+F]\n").end_position,
            grown("Axiom: &(40)/(30)@vF[+F]\n").end_position);
}

TEST(Classic, IncludesAndConditions) {
  const ReadFile files = [](std::string_view path) -> Result<std::string> {
    if (path == "leaf.inc") return std::string("#define LEAF L(2)\n");
    return error("no such file");
  };
  const auto grammar = parse_grammar("m.lsys",
                                     "#include \"leaf.inc\"\n#ifdef LEAF\nAxiom: A LEAF\n#else\n"
                                     "Axiom: B\n#endif\n",
                                     files);
  ASSERT_TRUE(grammar);
  EXPECT_EQ(full_text(*derive(*grammar)), "AL(2)");
  EXPECT_NE(first_error("#include \"../x\"\nAxiom: A\n").find("outside the model's folder"),
            std::string::npos);
  EXPECT_NE(first_error("#include \"/etc/passwd\"\nAxiom: A\n").find("outside the model's folder"),
            std::string::npos);
}

TEST(Classic, IncludesAreLookedUpInTheModelsFolder) {
  std::string asked;
  const ReadFile files = [&asked](std::string_view path) -> Result<std::string> {
    asked = path;
    return std::string("#define n 2\n");
  };
  const auto grammar =
      parse_grammar("plants/oak/m.lsys", "#include \"a/b.inc\"\nAxiom: A(n)\n", files);
  ASSERT_TRUE(grammar);
  EXPECT_EQ(asked, "plants/oak/a/b.inc");
  EXPECT_EQ(full_text(*derive(*grammar, {.defines = {{"n", 5}}})), "A(5)");
}

TEST(Classic, AnErrorInAnIncludeNamesThatFile) {
  const ReadFile files = [](std::string_view) -> Result<std::string> {
    return std::string("Axiom: A\nA --> B)\n");
  };
  const auto grammar = parse_grammar("m.lsys", "#include \"r.inc\"\n", files);
  ASSERT_FALSE(grammar);
  EXPECT_EQ(to_string(grammar.diagnostics()[0]).substr(0, 11), "r.inc:2:8: ");
}

TEST(Classic, QueriesAreFilledAfterEveryStep) {
  // ?P after two F of length 1 and a left turn of 90° with one more: (-1, 2, 0).
  constexpr const char* text =
      "angle: 90\nAxiom: FF+F?P(0,0,0)?H(0,0,0)A\n?P(x,y,z) --> P(x,y,z)\n";
  EXPECT_EQ(derived(text, {.steps = 0}), "FF+F?P(-1,2,0)?H(-1,0,0)A");
  EXPECT_EQ(derived(text, {.steps = 1}), "FF+FP(-1,2,0)?H(-1,0,0)A");
}

TEST(Classic, TropismTurnsTheHeadingByItsTorque) {
  // Heading -x after +(90), T = -y: |H × T| = 1, so that one F turns it by e = 0.1 rad down.
  const Growth growth = grown("tropism: 0, -1, 0, 0.1\nAxiom: +(90)F(1)F(1)\n");
  EXPECT_NEAR(growth.end_position.x, -1 - std::cos(0.1), 1e-12);
  EXPECT_NEAR(growth.end_position.y, -std::sin(0.1), 1e-12);
  const Growth none = grown("tropism: 0, -1, 0, 0.1\nAxiom: _(0)+(90)F(1)F(1)\n");
  EXPECT_NEAR(none.end_position.y, 0, 1e-12);
}

TEST(Classic, AGeneralizedCylinderIsASmoothCurve) {
  // From (0,0) heading up to (-1,1) heading left: the curve meets both and stays between.
  const Growth growth = grown("Axiom: !(0.2)@Gs F(1)+(90)F(1)!(0.1)@Ge(20)\n");
  const Plant& plant = growth.plant;
  ASSERT_EQ(plant.segments.size(), 20u);
  const Pose pose = rest_pose(plant);
  const Vec3 end = point_on_segment(plant, pose, 19, 1.0);
  EXPECT_NEAR(end.x, -1, 1e-12);
  EXPECT_NEAR(end.y, 1, 1e-12);
  for (std::size_t i = 1; i < 20; ++i) {
    const double turn = length(log_rotation(plant.segments[i].parent_from_segment));
    EXPECT_LT(turn, 0.2);  // 90° in 19 joints is 0.083 each
    EXPECT_LT(plant.segments[i].radius_base, plant.segments[i - 1].radius_base);
  }
  EXPECT_EQ(support::structure_error(plant), "");
}

// The tangents are the headings times the chord times 1.2, or what @Gt says. The middle of a cubic
// Hermite curve is (p0 + p1) / 2 + (t0 - t1) / 8.
TEST(Classic, TangentsOfGeneralizedCylindersFollowTheChord) {
  const auto middle = [](const char* tangents) {
    const Plant plant =
        grown(std::string("Axiom: @Gs f(1)+(90)f(1)") + tangents + "@Ge(2)\n").plant;
    return point_on_segment(plant, rest_pose(plant), 0, 1.0);
  };
  const double chord = std::sqrt(2.0);
  const auto expected = [chord](double start, double end) {
    return Vec3{-0.5 + end * chord / 8, 0.5 + start * chord / 8, 0};
  };
  EXPECT_NEAR(length(middle("") - expected(1.2, 1.2)), 0, 1e-12);
  EXPECT_NEAR(length(middle("@Gt(3,2)") - expected(3, 2)), 0, 1e-12);
  EXPECT_NEAR(length(middle("@Gt(0.5)") - expected(0.5, 0.5)), 0, 1e-12);
}

TEST(Classic, ContinuedLinesAndCapitals) {
  EXPECT_EQ(derived("Derivation Length: 1\nAxiom: A\nA\n\t--> B\n\tC\n"), "BC");
  EXPECT_EQ(derived("  derivation length: 1\n  Axiom: AB\n  A --> X\n  B --> Y\n"), "XY");
}

TEST(Classic, AllErrorsOfAFileAreReportedTogether) {
  const auto grammar = parse_grammar("m.lsys", "Axiom: A(\nA --> B(x)\nC --> D\nE -> F\n");
  ASSERT_FALSE(grammar);
  ASSERT_EQ(grammar.diagnostics().size(), 3u);
  EXPECT_EQ(grammar.diagnostics()[0].line, 1);
  EXPECT_EQ(grammar.diagnostics()[1].line, 2);
  EXPECT_EQ(grammar.diagnostics()[2].line, 4);
}

TEST(Classic, WeightsAreProportions) {
  // 10,000 independent draws of p = 0.25: within five standard deviations of 0.0043.
  std::string axiom(10000, 'A');
  const auto grammar = parse_grammar(
      "m.lsys", "derivation length: 1\nAxiom: " + axiom + "\nA --> B : 1\nA --> C : 3\n");
  const auto counts = symbol_counts(*derive(*grammar, {.seed = 3}));
  EXPECT_NEAR(static_cast<double>(counts.at("B")) / 10000, 0.25, 5 * 0.0043);
  EXPECT_EQ(counts.at("B") + counts.at("C"), 10000);
}

TEST(Classic, ChanceElsewhereInTheStringDoesNotMatter) {
  // The branch of X draws the same numbers whether or not something else stands in front of it
  // later: its identity is its line of descent.
  constexpr const char* rules = "\nX --> F[+X]X : 1\nX --> FX : 1\nY --> YYY\n";
  const auto with = [&](const char* axiom) {
    return derived(std::string("derivation length: 6\nAxiom: ") + axiom + rules, {.seed = 5});
  };
  const std::string alone = with("XZ"), beside = with("XY");
  EXPECT_EQ(alone.substr(0, alone.size() - 1), beside.substr(0, alone.size() - 1));
}

}  // namespace
}  // namespace thigmo::classic_test
