#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "grammar/grammar.h"
#include "grammar/helpers.h"
#include "support/structure.h"
#include "thigmo/thigmo.h"

namespace thigmo::dialect_test {
namespace {

using std::numbers::pi;

std::string body(double mass, double half) {
  const double i = mass * half * half * 4 / 3;  // a thin rod about its end
  const auto number = [](double x) { return std::to_string(x); };
  return "B(" + number(mass) + ",0," + number(half) + ",0,0," + number(half) + ",0," + number(i) +
         ",0.0005," + number(i) + ")";
}
const std::string joint = "J(0,0,0,0,0,0,5,6,7)";

std::string error_of(const std::string& file, const std::string& text) {
  const auto grammar = parse_grammar(file, text);
  if (!grammar) return to_string(grammar.diagnostics()[0]);
  const auto growth = grow(*grammar);
  return growth ? "" : to_string(growth.diagnostics()[0]);
}

TEST(ArticulatedBody, BodiesAndJointsBecomeSegmentsWithTheirMassesAndSprings) {
  const std::string text = body(2, 0.5) + "[J(0,0,0.5,0.1,0,0,5,6,7)" + body(1, 0.25) + "]" +
                           "J(0,0,0,0,0,0,8,9,10)" + body(1.5, 0.4);
  const auto grammar = parse_grammar("herb.abs", text);
  ASSERT_TRUE(grammar) << to_string(grammar.diagnostics());
  const auto plant = grow_plant(*grammar);
  ASSERT_TRUE(plant) << to_string(plant.diagnostics());
  EXPECT_EQ(support::structure_error(*plant), "");
  ASSERT_EQ(plant->segments.size(), 2u);  // the first body is the base
  const Segment& branch = plant->segments[0];
  EXPECT_EQ(branch.parent, no_index);
  EXPECT_EQ(branch.base_in_parent, (Vec3{0, 1, 0}));
  EXPECT_DOUBLE_EQ(branch.length, 0.5);
  // A rest angle of 0.5 about z leans the body to -x.
  const Vec3 along = rotate(branch.parent_from_segment, {0, 1, 0});
  EXPECT_NEAR(along.x, -std::sin(0.5), 1e-12);
  EXPECT_NEAR(along.y, std::cos(0.5), 1e-12);
  const GivenBody& given = plant->given_bodies[static_cast<std::size_t>(branch.given)];
  EXPECT_DOUBLE_EQ(given.mass, 1.0);
  EXPECT_NEAR(given.center.y, 0.25, 1e-12);
  EXPECT_EQ(given.joint_stiffness, (Vec3{5, 6, 7}));
  EXPECT_NEAR(given.inertia.yy, 0.0005, 1e-12);
  EXPECT_GT(std::abs(given.start_angles.x), 0.05);
  // Angular inertia m r² / 2 about the axis gives the radius.
  EXPECT_NEAR(branch.radius_base, std::sqrt(2 * 0.0005 / 1.0), 1e-12);
}

// Twelve numbers: springs that bend and twist together.
TEST(ArticulatedBody, JointsMayCoupleTheirSprings) {
  const auto grammar =
      parse_grammar("wing.abs", body(2, 0.5) + "J(0,0,0,0,0,0,5,6,7,1,-2,0.5)" + body(1, 0.25));
  ASSERT_TRUE(grammar);
  const auto plant = grow_plant(*grammar);
  ASSERT_TRUE(plant) << to_string(plant.diagnostics());
  EXPECT_EQ(plant->given_bodies[0].joint_stiffness, (Vec3{5, 6, 7}));
  EXPECT_EQ(plant->given_bodies[0].joint_coupling, (Vec3{1, -2, 0.5}));
  const std::string b = body(1, 0.5);
  EXPECT_NE(error_of("x.abs", b + "J(0,0,0,0,0,0,5,6,7,6,0,0)" + b).find("positive definite"),
            std::string::npos);
  EXPECT_NE(error_of("x.abs", b + "J(0,0,0,0,0,0,5,5,5,-4,-4,-4)" + b).find("positive definite"),
            std::string::npos);
  EXPECT_NE(
      error_of("x.abs", b + "J(0,0,0,0,0,0,5,5,5,1,1)" + b).find("11 parameters instead of 9"),
      std::string::npos);
}

TEST(ArticulatedBody, TheStructureRulesNameTheModule) {
  const std::string b = body(1, 0.5);
  EXPECT_NE(error_of("x.abs", b + joint + joint + b).find("J (module 2): two joints follow"),
            std::string::npos);
  EXPECT_NE(error_of("x.abs", b + b).find("B (module 1): two bodies follow"), std::string::npos);
  EXPECT_NE(error_of("x.abs", b + "[" + b + "]").find("B (module 2): two bodies follow"),
            std::string::npos);
  EXPECT_NE(error_of("x.abs", b + joint + "[" + b + "]").find("[ (module 2): a branch may not"),
            std::string::npos);
  EXPECT_NE(error_of("x.abs", b + "[" + joint + "]" + joint + b).find("has no body behind it"),
            std::string::npos);
  EXPECT_NE(error_of("x.abs", joint + b).find("before the first body"), std::string::npos);
  EXPECT_NE(error_of("x.abs", b + joint).find("ends with a joint"), std::string::npos);
  EXPECT_NE(error_of("x.abs", "B(1,2)").find("it has 2 parameters instead of 10"),
            std::string::npos);
  EXPECT_NE(error_of("x.abs", b + "J(1e308,0,0,0,0,0,5,5,5)" + b).find("beyond 1000 radians"),
            std::string::npos);
  EXPECT_EQ(error_of("x.abs", b + "F(2)+" + joint + "A" + b + "\n"), "");  // others mean nothing
}

// A pendulum that starts 0.3 rad beside its rest swings as far to the other side: without gravity
// the spring alone moves it, and the energy stays.
TEST(ArticulatedBody, JointsStartAtTheirStartAngles) {
  const std::string file = ::testing::TempDir() + "thigmo_start.abs";
  std::ofstream(file) << body(2, 0.5) << "J(0,0,0,0,0,0.3,50,50,50)" << body(1, 0.5);
  Outcome<World> world =
      parse_world("gravity = [0, 0, 0]\n[[plant]]\ngrammar = \"" + file + "\"\nstart = \"rest\"\n");
  ASSERT_TRUE(world) << world.error();
  World swinging = std::move(*world);
  const auto lean = [&] { return swinging.transforms(swinging.plant(0))[0].rotation; };
  // A rotation by 0.3 about z.
  EXPECT_NEAR(lean()[0], std::cos(0.15), 1e-12);
  EXPECT_NEAR(std::abs(lean()[3]), std::sin(0.15), 1e-12);
  double least = 1;
  for (int i = 0; i < 200; ++i) {
    swinging.step(1.0 / 240);
    least = std::min(least, lean()[3]);
  }
  EXPECT_LT(least, -0.1);
  std::filesystem::remove(file);
}

// A body of mass m whose centre hangs l below a joint without a spring and which turns about it with I swings
// with T = 4 sqrt(I/(m g l)) K(sin θ/2), K the complete elliptic integral. Also where the outboard joints
// lie on the inboard one, so that the body has no length.
TEST(ArticulatedBody, AJointWithoutASpringIsAPendulum) {
  constexpr double m = 2, l = 0.4, inertia = 0.5, theta = 1.2, g = 9.81;
  for (const char* outboard : {"0,0.4,0", "0,-0.4,0"}) {
    World world;
    const auto added =
        world.add({.file = "pendulum.abs",
                   .text = "B J(0,0,3.141592653589793, 0,0,1.2, 0,0,0) B(2, 0,0.4,0, " +
                           std::string(outboard) + ", 0.5,0.01,0.5)"});
    ASSERT_TRUE(added) << added.error();
    const auto angle = [&] {  // from hanging straight down
      const Numbers4 q = world.transforms(world.plant(0))[0].rotation;
      return std::remainder(2 * std::atan2(q[3], q[0]) - pi, 2 * pi);
    };
    ASSERT_NEAR(angle(), theta, 1e-9);
    // Falling through the middle to one side and the other: half a period between.
    constexpr double dt = 1e-3;
    std::vector<double> crossings;
    for (double before = angle(); crossings.size() < 5 && world.time() < 20;) {
      ASSERT_TRUE(world.step(dt));
      const double now = angle();
      if (before * now < 0) crossings.push_back(world.time() - dt * now / (now - before));
      before = now;
    }
    ASSERT_EQ(crossings.size(), 5u);
    const double period = (crossings[4] - crossings[0]) / 2;
    const double expected =
        4 * std::sqrt(inertia / (m * g * l)) * std::comp_ellint_1(std::sin(theta / 2));
    EXPECT_NEAR(period, expected, 1e-3 * expected) << outboard;
  }
}

// A spring k and a damper c = β k on a moment of inertia I, without gravity: the swing falls by
// exp(-π c / (2 sqrt(kI - c²/4))) from one side to the other.
TEST(ArticulatedBody, ADamperOfAJointDampsItAsMuch) {
  constexpr double k = 50, inertia = 0.5, beta = 0.004, c = beta * k;
  const std::string file = ::testing::TempDir() + "thigmo_damped.abs";
  std::ofstream(file)
      << "B J(0,0,0, 0,0,0.1, 50,50,50, 0.004) B(2, 0,0.4,0, 0,0.4,0, 0.5,0.01,0.5)";
  Outcome<World> parsed =
      parse_world("gravity = [0, 0, 0]\n[[plant]]\ngrammar = \"" + file + "\"\n");
  ASSERT_TRUE(parsed) << parsed.error();
  World world = std::move(*parsed);
  double least = 0;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_TRUE(world.step(1e-4));
    const Numbers4 q = world.transforms(world.plant(0))[0].rotation;
    least = std::min(least, 2 * std::atan2(q[3], q[0]));
  }
  const double expected = 0.1 * std::exp(-pi * c / (2 * std::sqrt(k * inertia - c * c / 4)));
  EXPECT_NEAR(-least, expected, 5e-3 * expected);
  std::filesystem::remove(file);
}

TEST(ArticulatedBody, BareModulesHaveTheirDefaults) {
  const auto plant = grow_plant(*parse_grammar("x.abs", "BJB[JB]"));
  ASSERT_TRUE(plant) << to_string(plant.diagnostics());
  ASSERT_EQ(plant->segments.size(), 2u);
  EXPECT_EQ(plant->segments[0].length, 1);
  EXPECT_EQ(plant->segments[0].base_in_parent, (Vec3{0, 1, 0}));
  EXPECT_EQ(plant->given_bodies[0].mass, 1);
  EXPECT_EQ(plant->given_bodies[0].joint_stiffness, (Vec3{100, 100, 100}));
  EXPECT_FALSE(plant->given_bodies[0].joint_damping);
}

// A joint that rests at 0.3 rad rests there, though its weight bends it: nothing is changed so that it would
// stand as it was written.
TEST(ArticulatedBody, RestAnglesAreTheRestByDefault) {
  const std::string text = "BJ(0,0,0.3,0,0,0,20,20,20)B";
  const std::string file = ::testing::TempDir() + "thigmo_rest.abs";
  std::ofstream(file) << text;
  World added;
  ASSERT_TRUE(added.add({.file = "rest.abs", .text = text}));
  Outcome<World> parsed = parse_world("[[plant]]\ngrammar = \"" + file + "\"\n");
  ASSERT_TRUE(parsed) << parsed.error();
  for (World* world : {&added, &*parsed}) {
    EXPECT_NEAR(world->energies().elastic, 0, 1e-12);
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(world->step(0.01));
    EXPECT_GT(world->energies().elastic, 1e-3);
  }
  std::filesystem::remove(file);
}

TEST(ArticulatedBody, TheThresholdOfLightBodiesCanBeSet) {
  World world;
  const auto segments = [&](std::optional<double> smallest) {
    const auto number = world.add({.file = "x.abs", .text = "BJB[JB]", .smallest_body = smallest});
    return number ? world.transforms(*number).size() : 0;
  };
  EXPECT_EQ(segments({}), 2u);
  EXPECT_EQ(segments(1.5), 1u);
}

TEST(ArticulatedBody, AnErrorHasLineAndColumn) {
  const std::string b = body(1, 0.5);
  const std::string text = b + "\n" + joint + "\n  " + joint + b;
  EXPECT_EQ(error_of("x.abs", text).substr(0, 11), "x.abs:3:3: ");
}

TEST(ArticulatedBody, TinyEndsArePrunedTinyCarriersAreNot) {
  const std::string b = body(1, 0.5);
  const std::string tiny = "B(1e-12,0,0.1,0,0,0.1,0,2e-14,1e-15,2e-14)";
  const auto segments = [](const std::string& text) {
    return grow_plant(*parse_grammar("x.abs", text))->segments.size();
  };
  EXPECT_EQ(segments(b + joint + b + joint + tiny), 1u);
  EXPECT_EQ(segments(b + joint + tiny + joint + b), 2u);
  const auto growth = grow(*parse_grammar("x.abs", b + joint + tiny));
  ASSERT_EQ(growth->warnings.size(), 1u);
}

TEST(ArticulatedBody, AGrammarMayDeriveTheString) {
  const auto plant = grow_plant(
      *parse_grammar("x.lsys",
                     "interpretation: articulated\nderivation length: 5\n"
                     "Axiom: B(1,0,.5,0,0,.5,0,.3,.001,.3)A(1)\n"
                     "A(m) --> J(0.1,0,0,0,0,0,m,m,m)B(m,0,.5,0,0,.5,0,m/3,m/100,m/3)A(m/2)\n"));
  ASSERT_TRUE(plant) << to_string(plant.diagnostics());
  EXPECT_EQ(plant->segments.size(), 5u);
  EXPECT_DOUBLE_EQ(plant->given_bodies[4].mass, 1.0 / 16);
}

constexpr const char* branching_tree =
    "n = 3\nmass = 8\nlength = 2\n"
    "start -> F 0.9 0.5 N zero\n"
    "zero -> F 0.9 0.33 [T 30 N zero] F 0.9 0.33 [T -30 N zero] T 30 N zero\n";

// As everywhere, the ending of a file's name says its format in capitals too.
TEST(Dialects, AreKnownByEndingsInCapitals) {
  const auto herb = parse_grammar("HERB.ABS", body(1, 0.5) + "[" + joint + body(1, 0.25) + "]");
  ASSERT_TRUE(herb) << to_string(herb.diagnostics());
  EXPECT_TRUE(herb->program->articulated);
  const auto tree = parse_grammar("TREE.Sbt", branching_tree);
  ASSERT_TRUE(tree) << to_string(tree.diagnostics());
  EXPECT_GT(grow_plant(*tree)->segments.size(), 1u);
}

TEST(SoftBody, FactorsMultiplyAlongEveryWay) {
  const auto plant = grow_plant(*parse_grammar("tree.sbt", branching_tree));
  ASSERT_TRUE(plant) << to_string(plant.diagnostics());
  EXPECT_EQ(support::structure_error(*plant), "");
  // start, then zero twice: 1 + 2 + 3·2 segments.
  ASSERT_EQ(plant->segments.size(), 9u);
  const auto mass = [&](std::size_t i) {
    const Segment& s = plant->segments[i];
    return 900 * pi * s.radius_base * s.radius_base * s.length;
  };
  EXPECT_DOUBLE_EQ(plant->segments[0].length, 2 * 0.9);
  EXPECT_NEAR(mass(0), 8 * 0.5, 1e-9);
  EXPECT_DOUBLE_EQ(plant->segments[1].length, 2 * 0.9 * 0.9);
  EXPECT_NEAR(mass(1), 8 * 0.5 * 0.33, 1e-9);
  for (std::size_t i = 0; i < plant->segments.size(); ++i) {
    const Index parent = plant->segments[i].parent;
    if (parent == no_index) continue;
    EXPECT_NEAR(mass(i) / mass(static_cast<std::size_t>(parent)), 0.33, 1e-9);
    EXPECT_NEAR(
        plant->segments[i].length / plant->segments[static_cast<std::size_t>(parent)].length, 0.9,
        1e-9);
  }
}

// Figure 4 of Li 2012: the text of figure 3 as it is printed grows a tree whose segments are a little
// shorter than those they stand on, while masses fall fast; it is about as wide as high.
TEST(SoftBody, ThePrintedTextGrowsThePrintedTree) {
  const std::string printed =
      "start → F 0.9 0.5 N zero\n"
      "zero → F 0.9 0.33 [T 30 N zero] F 0.9 0.33 [T -30 N zero] T 30 N zero\n";
  const auto plant = grow_plant(*parse_grammar("printed.sbt", printed));
  ASSERT_TRUE(plant) << to_string(plant.diagnostics());
  EXPECT_EQ(plant->segments.size(), 729u);
  const Box box = bounding_box(*plant, rest_pose(*plant));
  const Vec3 size = box.max - box.min;
  EXPECT_GT(size.x, 0.5 * size.y);
  for (const Segment& s : plant->segments) {
    if (s.parent == no_index) continue;
    EXPECT_NEAR(s.length / plant->segments[static_cast<std::size_t>(s.parent)].length, 0.9, 1e-9);
  }
}

TEST(SoftBody, ErrorsHaveTheirPlace) {
  EXPECT_EQ(error_of("t.sbt", "start -> F 0.9 N x\n"),
            "t.sbt:1:16: error: the factor of the mass must be a number\n"
            "  start -> F 0.9 N x\n"
            "                 ^");
  EXPECT_NE(error_of("t.sbt", "start -> F 1 1 N zeor\nzero -> T 3\n").find("no rule for the node"),
            std::string::npos);
  EXPECT_NE(error_of("t.sbt", "start -> [F 1 1\n").find("no ']' for this '['"), std::string::npos);
  EXPECT_NE(error_of("t.sbt", "a -> F 1 1\n").find("no rule 'start'"), std::string::npos);
  EXPECT_NE(error_of("t.sbt", "start -> Q\n").find("'Q' is none of"), std::string::npos);
  // What only shows in the derivation points at the original too.
  const std::string bomb = "n = 60\nstart -> N start N start N start\n";
  EXPECT_NE(error_of("t.sbt", bomb).find("the limit is 100000000"), std::string::npos);
}

}  // namespace
}  // namespace thigmo::dialect_test
