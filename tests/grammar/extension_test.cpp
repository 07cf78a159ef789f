#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "grammar/grammar.h"
#include "grammar/helpers.h"
#include "grammar/rules/program.h"
#include "grammar/turtle/environment.h"
#include "material/species.h"
#include "support/structure.h"

namespace thigmo::extension_test {
namespace {

TEST(Extension, DeclaredModulesHaveLongNamesAndNamedParameters) {
  constexpr const char* text =
      "module Leaf(age, size)\nmodule Apex\nderivation length: 2\nAxiom: FApex\n"
      "Apex --> Leaf(size = 2, age = 0)FApex\n"
      "Leaf : age < 1 --> Leaf(age + 1, size * 2)\n";
  const auto grammar = parse_grammar("m.lsys", text);
  ASSERT_TRUE(grammar) << to_string(grammar.diagnostics());
  const auto string = derive(*grammar);
  EXPECT_EQ(full_text(*string), "FLeaf(1,4)FLeaf(0,2)FApex");
  EXPECT_EQ(plain_length(*string), 6);
  EXPECT_NE(first_error("module Leaf(age)\nAxiom: Leaf\n").find("has 1 parameter"),
            std::string::npos);
  EXPECT_NE(first_error("module Leaf(age)\nAxiom: Leaf(sise = 1)\n").find("no parameter 'sise'"),
            std::string::npos);
}

// A module that lives T and makes two: at time t, 2^floor(t/T) of them, however t is cut.
TEST(Extension, TimedDevelopmentDoesNotDependOnTheStep) {
  const auto count = [](double time_step, double time) {
    const std::string text = "module A(age) lives 0.3\ntime step: " + std::to_string(time_step) +
                             "\nAxiom: A(0)\nA(t) --> A(0)A(0)\n";
    const auto grammar = parse_grammar("m.lsys", text);
    const auto string = derive(*grammar, {.steps = time / time_step});
    EXPECT_TRUE(string) << to_string(string.diagnostics());
    double age = 0;
    for (const double a : string->parameters) age += a / static_cast<double>(string->kinds.size());
    return std::pair(module_count(*string), age);
  };
  for (const double time_step : {1.0, 0.5, 0.25, 0.1, 0.07}) {
    for (const double time : {0.1, 0.35, 1.0, 1.45}) {
      const auto [modules, age] = count(time_step, time);
      EXPECT_EQ(modules, std::lround(std::pow(2.0, std::floor(time / 0.3)))) << time_step;
      EXPECT_NEAR(age, std::fmod(time, 0.3), 1e-9) << time_step << ' ' << time;
    }
  }
}

// Modules age and are replaced in a step from the right too, at the time of their event; their own rules see
// what is already rewritten on the side that the step comes from.
TEST(Extension, TimedModulesLiveInStepsFromTheRight) {
  const std::string timed = "module A(age) lives 1\nderivation length: 2\ntime step: 0.75\n";
  EXPECT_EQ(derived(timed + "Axiom: aA(0)b\na >> b --> b\nA --> I(time)A(0)\n"), "aI(1)A(0.5)b");
  EXPECT_EQ(derived(timed + "Axiom: A(0)aab\na >> b --> b\nA >> b --> I\n"), "Ibbb");
  EXPECT_EQ(derived(timed + "Axiom: A(0)aab\na >> b --> b\nA >> a --> I\n"), "A(1.5)bbb");
  EXPECT_EQ(derived(timed + "Axiom: bA(0)\nb << A --> I\n"), "bI");
  EXPECT_EQ(derived(timed + "Axiom: bA(0)\nb << A --> IA(0)\n"), "bIA(0.5)");
}

TEST(Extension, FractionsNeedTime) {
  EXPECT_EQ(derived("Axiom: F(1)\nF(l) --> F(l + dt)\n", {.steps = 2.25}), "F(3.25)");
  EXPECT_NE(first_error("Axiom: F\nF --> FF\n", {.steps = 1.5}).find("is not whole"),
            std::string::npos);
}

TEST(Extension, NewLeftContextTravelsThroughTheWholeStringInOneStep) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: baaaa\nb << a --> b\n"), "bbbbb");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: baaaa\nb < a --> b\n"), "bbaaa");
  EXPECT_EQ(derived("derivation length: 1\nAxiom: b(1)a[a]a\nb(x) << a --> b(x+1)\n"),
            "b(1)b(2)[b(3)]b(3)");
}

TEST(Extension, NewRightContextTravelsToTheLeft) {
  EXPECT_EQ(derived("derivation length: 1\nAxiom: aa[c]ab(0)\na >> b(x) --> b(x+1)\n"),
            "b(3)b(2)[c]b(1)b(0)");
  EXPECT_NE(first_error("Axiom: a\na << b --> b\na >> b --> b\n").find("also has '<<'"),
            std::string::npos);
}

TEST(Extension, GroupsAreChosenByTheModel) {
  // Odd steps grow, even steps branch; rules before the first group always apply.
  EXPECT_EQ(derived("StartEach: { group = 1 + (step - 1) % 2; }\nAxiom: AC\nC --> CC\n"
                    "group: 1\nA --> FA\ngroup: 2\nA --> [B]A\n",
                    {.steps = 3}),
            "F[B]FACCCCCCCC");
}

TEST(Extension, MechanicsInTheGrammar) {
  const Plant plant = grown(
                          "material: oak\nmaterial: young 1e9, density 500\n"
                          "Axiom: F[@Em(2)F][@Ey(2e9)@Ej(0.5)@Ek(5)F]F\n")
                          .plant;
  ASSERT_EQ(plant.segments.size(), 4u);
  const auto material = [&](std::size_t i) {
    return plant.materials[static_cast<std::size_t>(plant.segments[i].material)];
  };
  const Species* oak = find_species("oak");
  ASSERT_NE(oak, nullptr);
  EXPECT_EQ(material(0).young, oak->young);
  EXPECT_EQ(material(1).young, 1e9);
  EXPECT_EQ(material(1).density, 500);
  EXPECT_EQ(material(2).young, 2e9);
  EXPECT_EQ(material(2).density, oak->density);
  EXPECT_EQ(plant.segments[2].joint_factor, 0.5);
  EXPECT_EQ(plant.segments[2].kind, OrganKind::root);
  EXPECT_EQ(material(3).young, oak->young);  // ] takes it back
  EXPECT_EQ(plant.segments[3].joint_factor, 1.0);
}

// A shear modulus of its own: as a number of pascals, as a part of Young's, or by Poisson's ratio.
TEST(Extension, ShearModuli) {
  const Plant plant = grown(
                          "angle: 90\nwidth: 0.02\nstep: 1\n"
                          "material: shear 4e8, young 5e9\nmaterial: oak, poisson 0.25\n"
                          "material: birch, shear_ratio 0.1\n"
                          "Axiom: F[@Em(2)F][@Em(3)@Ey(2e9)F][@Eg(1e8)F]F\n")
                          .plant;
  ASSERT_EQ(plant.segments.size(), 5u);
  const auto shear = [&](std::size_t i) {
    return shear_modulus(plant.materials[static_cast<std::size_t>(plant.segments[i].material)]);
  };
  EXPECT_DOUBLE_EQ(shear(0), 4e8);
  EXPECT_DOUBLE_EQ(shear(1), 8.3e9 / 2.5);
  EXPECT_DOUBLE_EQ(shear(2), 2e8);  // the ratio stays
  EXPECT_DOUBLE_EQ(shear(3), 1e8);
  EXPECT_DOUBLE_EQ(shear(4), 4e8);
  EXPECT_NE(first_error("material: shear 1e9, poisson 0.3\nAxiom: F\n").find("m.lsys:1:22"),
            std::string::npos)
      << first_error("material: shear 1e9, poisson 0.3\nAxiom: F\n");
  EXPECT_NE(first_error("material: shear_ration 0.1\nAxiom: F\n").find("'shear_ratio'"),
            std::string::npos);
}

// @Ef and @Eh: elliptic and hollow stems, until the branch ends; the flatness stays where they taper.
TEST(Extension, EllipticAndHollowStems) {
  const Plant plant = grown("width: 0.02\nAxiom: F[+@Ef(0.5)@Eh(0.8)F(1)!(0.01)F(1)]F\n").plant;
  ASSERT_EQ(plant.segments.size(), 4u);
  const Segment& petiole = plant.segments[1];
  EXPECT_TRUE(is_flat(petiole));
  EXPECT_FALSE(is_rectangle(petiole));
  EXPECT_EQ(petiole.hollow, 0.8);
  EXPECT_DOUBLE_EQ(petiole.height_base, 0.01);
  EXPECT_DOUBLE_EQ(petiole.height_tip, 0.005);
  EXPECT_DOUBLE_EQ(petiole.radius_tip, 0.005);
  EXPECT_FALSE(is_flat(plant.segments[3]));
  EXPECT_EQ(plant.segments[3].hollow, 0);
  EXPECT_EQ(support::structure_error(plant), "");
  // Or said with the material, which @Em changes to.
  const Plant culm = grown(
                         "material: oak, hollow 0.7\nmaterial: birch, flatness 0.5\n"
                         "Axiom: F[@Em(2)F]F\n")
                         .plant;
  EXPECT_EQ(culm.segments[0].hollow, 0.7);
  EXPECT_EQ(culm.segments[1].hollow, 0);
  EXPECT_TRUE(is_flat(culm.segments[1]));
  EXPECT_FALSE(is_flat(culm.segments[2]));
  EXPECT_NE(first_error("material: oak, hollow 1\nAxiom: F\n").find("m.lsys:1:16"),
            std::string::npos);
  EXPECT_NE(first_error("Axiom: @Eh(1)F\n").find("hollow"), std::string::npos);
  EXPECT_NE(first_error("Axiom: @Ef(0)F\n").find("positive"), std::string::npos);
  EXPECT_NE(first_error("Axiom: @Ef(0.001)F\n").find("0.01 to 100"), std::string::npos);
}

TEST(Extension, LightFallsWithTheLeafAreaAbove) {
  // One level leaf of area a (ellipse 0.2 × 0.1) above the query in a column of 1 m²: exp(-a).
  const std::string text =
      "environment: light 1\nAxiom: ?E(0)!(0.001)F(1)[+(90)/(90)f(0.2)~l(0.2,0.1)]?E(0)\n";
  const auto grammar = parse_grammar("m.lsys", text);
  const auto string = derive(*grammar);
  ASSERT_TRUE(string) << to_string(string.diagnostics());
  // The leaf lies at x = -0.3: the column of the stem is that of x >= 0, so move the origin.
  const auto under = [](const std::string& roll) {
    const auto moved = parse_grammar("m.lsys",
                                     "environment: light 1\nAxiom: @M(0.5,0,0.5)?E(0)!(0.001)F(1)"
                                     "[+(90)/(" +
                                         roll + ")f(0.2)~l(0.2,0.1)]?E(0)\n");
    return derive(*moved);
  };
  const auto below = under("90");
  ASSERT_TRUE(below);
  const double area = 0.2 * 0.1 * std::acos(-1.0) / 4;
  // Areas of organs are held in single precision.
  EXPECT_NEAR(below->parameters[3], std::exp(-area), 1e-7 * area);
  // A leaf on edge casts no shadow, one that leans by 60° half of one.
  EXPECT_NEAR(under("0")->parameters[3], 1.0, 1e-12);
  EXPECT_NEAR(under("30")->parameters[3], std::exp(-0.5 * area), 1e-7 * area);
  EXPECT_EQ(below->parameters[below->parameters.size() - 1], 1.0);  // beside it, at its height
  EXPECT_EQ(string->parameters[0], 1.0);  // the leaf is in the next column
}

TEST(Extension, FreeSpaceIsTheDistanceToOthers) {
  // A second stem 0.3 m beside: the tip of the first sees it at 0.3, capped by the reach.
  const auto ask = [](const char* reach) {
    const std::string text =
        std::string("environment: space ") + reach + "\nAxiom: F(1)?E(0)@M(0.3,0,0)F(2)\n";
    return derive(*parse_grammar("m.lsys", text))->parameters[1];
  };
  EXPECT_NEAR(ask("0.5"), 0.3, 1e-12);
  EXPECT_NEAR(ask("0.1"), 0.1, 1e-12);
}

TEST(Extension, AnEnvironmentOfTheCallerAnswers) {
  class Height : public Environment {
    void answer(const Plant&, std::span<EnvironmentQuery> queries) override {
      for (EnvironmentQuery& q : queries) q.values[0] = q.position_world.y;
    }
  };
  // Growth stops where the environment says that 2.5 m are reached.
  EXPECT_EQ(derived("derivation length: 9\nAxiom: A?E(0)\nA > ?E(h) : h < 2.5 --> FA\n",
                    {.environment = std::make_shared<Height>()}),
            "FFFA?E(3)");
}

TEST(Extension, ThreadsGiveTheSameString) {
  const char* const texts[] = {
      "derivation length: 7\nAxiom: F\nF --> FF-[-F+F+F]+[+F-F-F]\n",
      "derivation length: 17\nAxiom: A(1,10)\nA(l,w) --> "
      "!(w)F(l)[&(45)A(l*0.6,w*0.7)]/(137)A(l*0.9,w)\n",
      "seed: 3\nderivation length: 9\nAxiom: F\nF --> F[+F]F[-F]F : 0.33\nF --> F[+(ran(30))F]F : "
      "0.67\n",
      "derivation length: 18\nAxiom: A(1)\nA(x) : x > 2 --> A(x*0.5)A(x*0.7)\nA(x) --> "
      "A(x*1.5)[+A(x)]\n",
      "derivation length: 18\nignore: +\nAxiom: AB\nA < B --> A+BB\nB --> BB\n",
  };
  for (const char* text : texts) {
    const auto grammar = parse_grammar("m.lsys", text);
    ASSERT_TRUE(grammar) << to_string(grammar.diagnostics());
    const auto one = derive(*grammar);
    ASSERT_TRUE(one) << to_string(one.diagnostics());
    EXPECT_GT(module_count(*one), 200000);
    for (const int threads : {2, 3}) {
      const auto many = derive(*grammar, {.threads = threads});
      ASSERT_TRUE(many);
      ASSERT_EQ(many->kinds.size(), one->kinds.size());
      EXPECT_TRUE(std::equal(one->kinds.begin(), one->kinds.end(), many->kinds.begin()));
      ASSERT_EQ(many->parameters.size(), one->parameters.size());
      EXPECT_TRUE(
          std::equal(one->parameters.begin(), one->parameters.end(), many->parameters.begin()));
    }
    // What the derivation knows without looking must be what is there.
    std::map<std::string, std::int64_t> counted;
    for (const std::uint8_t kind : one->kinds) ++counted[one->program->kinds[kind].name];
    EXPECT_EQ(symbol_counts(*one), counted);
  }
}

}  // namespace
}  // namespace thigmo::extension_test
