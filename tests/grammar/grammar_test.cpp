#include "grammar/grammar.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grammar/helpers.h"
#include "support/structure.h"

namespace thigmo::grammar_test {
namespace {

TEST(Grammar, AnErrorPointsAtItsColumn) {
  EXPECT_EQ(first_error("Axiom: A\nA(x) : x > --> B\n"),
            "m.lsys:2:12: error: an expression is missing here\n"
            "  A(x) : x > --> B\n"
            "             ^");
  EXPECT_EQ(first_error("Axiom: A(sise)\n#define size 2\n"),
            "m.lsys:1:10: error: 'sise' is not defined\n"
            "  Axiom: A(sise)\n"
            "           ^\n"
            "  hint: did you mean 'size'?");
}

TEST(Grammar, DefinesCanBeOverridden) {
  constexpr const char* text = "#define n 2\n#define twice(x) ((x)*2)\nAxiom: A(n)B(twice(n+1))\n";
  EXPECT_EQ(derived(text), "A(2)B(6)");
  EXPECT_EQ(derived(text, {.defines = {{"n", -3.5}}}), "A(-3.5)B(-5)");
  EXPECT_NE(first_error(text, {.defines = {{"m", 1}}}).find("no constant 'm'"), std::string::npos);
}

TEST(Grammar, SegmentsFormAxesAndOrders) {
  const Plant plant = grown("Axiom: !(2)F(1)[+!(1)F(2)F(2)]!(1.5)F(3)\n").plant;
  ASSERT_EQ(plant.segments.size(), 4u);
  EXPECT_EQ(support::structure_error(plant), "");
  const std::vector<Index> parents{-1, 0, 1, 0}, axes{0, 1, 1, 0}, orders{0, 1, 1, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(plant.segments[i].parent, parents[i]);
    EXPECT_EQ(plant.segments[i].axis, axes[i]);
    EXPECT_EQ(plant.segments[i].order, orders[i]);
  }
  EXPECT_EQ(plant.segments[0].radius_base, 1.0);
  EXPECT_EQ(plant.segments[0].radius_tip, 0.75);  // continues as the third, not as the branch
  EXPECT_EQ(plant.segments[3].radius_tip, 0.75);
  EXPECT_EQ(plant.segments[0].base_in_parent, Vec3{});
  EXPECT_EQ(plant.segments[1].base_in_parent, (Vec3{0, 1, 0}));
}

TEST(Grammar, MovesLeaveGapsAndZeroLengthsNoSegment) {
  const Growth growth = grown("Axiom: F(1)f(0.5)F(1)F(0)F(1)\n");
  ASSERT_EQ(growth.plant.segments.size(), 3u);
  EXPECT_EQ(growth.plant.segments[1].base_in_parent, (Vec3{0, 1.5, 0}));
  EXPECT_EQ(growth.plant.segments[2].base_in_parent, (Vec3{0, 1, 0}));
  EXPECT_EQ(growth.drawn_segments, 4);
  EXPECT_EQ(growth.drawn.max, (Vec3{0, 3.5, 0}));
}

TEST(Grammar, OrgansSitOnTheLastSegment) {
  const Growth growth = grown("Axiom: ~l F(1)[+(90)~l(0.2,0.1)]~r(0.02)\n");
  ASSERT_EQ(growth.plant.organs.size(), 2u);
  ASSERT_EQ(growth.warnings.size(), 1u);
  const Organ& leaf = growth.plant.organs[0];
  EXPECT_EQ(leaf.kind, OrganKind::leaf);
  EXPECT_EQ(base_in_segment(leaf), (Vec3{0, 1, 0}));
  EXPECT_NEAR(rotate(segment_from_organ(leaf), {0, 1, 0}).x, -1.0, 1e-15);  // left is -x
  const auto area = static_cast<float>(0.2 * 0.1 * std::acos(-1.0) / 4);
  EXPECT_FLOAT_EQ(leaf.drag_area, area);
  EXPECT_FLOAT_EQ(leaf.mass, 0.25f * area);
  EXPECT_EQ(growth.plant.organs[1].kind, OrganKind::fruit);
}

TEST(Grammar, SegmentsKnowModuleRuleAndStep) {
  const Plant plant = grown("derivation length: 2\nAxiom: FA\nB --> B\nA --> FA\n").plant;
  ASSERT_EQ(plant.segments.size(), 3u);
  EXPECT_EQ(plant.segments[0].origin.rule, -1);
  EXPECT_EQ(plant.segments[0].origin.step, 0);
  EXPECT_EQ(plant.segments[2].origin.module, 2);
  EXPECT_EQ(plant.segments[2].origin.rule, 1);
  EXPECT_EQ(plant.segments[2].origin.step, 2);
  EXPECT_EQ(plant.segments[2].origin.symbol, 'F');
}

TEST(Grammar, BadSizesNameTheModuleAndTheRule) {
  EXPECT_EQ(first_error("derivation length: 1\nAxiom: A(2)\nA(x) --> F(1-x)\n"),
            "m.lsys:3:1: error: F(-1): a length must be finite and not negative (module 0 of the "
            "string, written in step 1)\n"
            "  A(x) --> F(1-x)\n"
            "  ^");
  EXPECT_NE(first_error("Axiom: !(0-1)F\n").find("!(-1): a width"), std::string::npos);
  EXPECT_NE(first_error("Axiom: F(1/0)\n").find("F(inf): a length"), std::string::npos);
}

TEST(Grammar, UnbalancedBracketsAreRefused) {
  EXPECT_NE(first_error("Axiom: F]F\n").find("has a ']' without its partner, module 1"),
            std::string::npos);
  EXPECT_NE(first_error("derivation length: 1\nAxiom: F\nF --> F[\n")
                .find("after step 1 has a '[' without its partner, module 1"),
            std::string::npos);
  // A homomorphism can break them too, which only the turtle sees.
  EXPECT_NE(first_error("Axiom: A\nhomomorphism\nA --> ]\n").find("no '[' for this ']'"),
            std::string::npos);
}

TEST(Grammar, NumbersThatOverflowAreRefused) {
  EXPECT_NE(first_error("Axiom: F(1e308)F(1e308)\n").find("1e12 m away"), std::string::npos);
  EXPECT_NE(first_error("Axiom: F@M(1e308,0,0)F\n").find("1e12 m away"), std::string::npos);
  EXPECT_NE(first_error("tropism: 1e200,0,0,1e200\nAxiom: FFF\n").find("1000 radians"),
            std::string::npos);
  EXPECT_NE(first_error("Axiom: !(1e300)@D(1e300)F(1e-300)\n").find("width is not finite"),
            std::string::npos);
}

TEST(Grammar, DeepBracketsDoNotCrash) {
  const std::string open(100000, '['), close(100000, ']');
  EXPECT_EQ(grown("Axiom: F" + open + "F" + close + "\n").plant.segments.size(), 2u);
}

}  // namespace
}  // namespace thigmo::grammar_test
