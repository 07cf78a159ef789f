#include "grammar/derive/derivation.h"

#include <gtest/gtest.h>

#include <chrono>

#include "grammar/helpers.h"

namespace thigmo::derivation_test {
namespace {

// A watched derivation goes step by step; the other may derive each module to the end at once.
void expect_same_by_steps(const std::string& text, double steps) {
  const auto grammar = parse_grammar("m.lsys", text);
  ASSERT_TRUE(grammar) << to_string(grammar.diagnostics());
  for (const int threads : {1, 2}) {
    const GrowOptions options{.steps = steps, .threads = threads};
    const auto watch = [](const ModuleString&, std::span<const std::int64_t>) {};
    const auto stepped = derive_string(grammar->program, options, {.births = true, .watch = watch});
    const auto direct = derive_string(grammar->program, options, {.births = true});
    ASSERT_TRUE(stepped) << to_string(stepped.diagnostics());
    ASSERT_TRUE(direct) << to_string(direct.diagnostics());
    EXPECT_GT(module_count(*direct), 1000) << text;
    EXPECT_EQ(full_text(*direct), full_text(*stepped)) << text;
    ASSERT_EQ(direct->births.size(), stepped->births.size());
    for (std::size_t i = 0; i < direct->births.size(); ++i) {
      ASSERT_EQ(direct->births[i].rule, stepped->births[i].rule) << i << "\n" << text;
      ASSERT_EQ(direct->births[i].step, stepped->births[i].step) << i << "\n" << text;
    }
    EXPECT_EQ(direct->globals, stepped->globals);
  }
}

TEST(Derivation, ModuleByModuleGivesTheStringOfStepByStep) {
  // Weights, chance in parameters and conditions, rules that wait for a step, erased modules.
  expect_same_by_steps(
      "seed: 5\nAxiom: A(1)B\nA(x) : x < 40 --> F(x)[+(ran(30))A(x+1)]A(x*1.5) : 2\n"
      "A(x) : x < 40 --> [A(x+2)]C : 1\nC : step % 3 == 0 --> *\nB --> BA(1)\n",
      15);
  expect_same_by_steps(
      "Axiom: A(0)\nA(n) : n < step/2 --> A(n+1)B(n)\nA(n) --> A(n)\n"
      "B(n) : ran(1) < 0.3 --> B(n)B(n+time)\n",
      25);
  // One successor each, growing so slowly that the steps would copy much more than they write.
  expect_same_by_steps("Axiom: A\nA --> F[+B]A\nB --> FB\n", 300);
  expect_same_by_steps("Axiom: A(1)\nA(x) --> F(x)[A(x+1)]\n", 900);
  // The group stays as it is where no block changes it.
  expect_same_by_steps(
      "Start: { group = 2; }\nAxiom: A(0)\ngroup: 1\nA(x) --> F\ngroup: 2\n"
      "A(x) : x < 9 --> A(x+1)A(x+1)A(x+1)\n",
      12);
}

TEST(Derivation, StringsThatStandStillCostNothing) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(derived("derivation length: 1000000\nAxiom: AF\nA < F --> G\n"), "AG");
  EXPECT_EQ(derived("derivation length: 1000000\nAxiom: A(0)\nA(x) : x < 3 --> A(x+1)\n"), "A(3)");
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  EXPECT_LT(time.count(), 1.0);  // a million copies of the string would take that long
}

TEST(Derivation, DeepBranchesOfAMillionStepsAreDerived) {
  const auto grammar =
      parse_grammar("m.lsys", "derivation length: 1000000\nAxiom: A\nA --> F[A]\n");
  ASSERT_TRUE(grammar);
  const auto string = derive(*grammar);
  ASSERT_TRUE(string) << to_string(string.diagnostics());
  EXPECT_EQ(module_count(*string), 3000001);
  EXPECT_EQ(symbol_counts(*string)["F"], 1000000);
}

TEST(Derivation, LimitsHoldModuleByModule) {
  const char* const text =
      "derivation length: 60\nAxiom: A(0)\nA(x) : x < 50 --> A(x+1)A(x+1+ran(1))\n";
  for (const int threads : {1, 2}) {
    EXPECT_NE(first_error(text, {.limits = {.symbols = 100000}, .threads = threads})
                  .find("beyond the limit of 100000 modules"),
              std::string::npos);
    EXPECT_NE(first_error(text, {.limits = {.memory_bytes = 1000000}, .threads = threads})
                  .find("limit of memory"),
              std::string::npos);
    EXPECT_NE(first_error(text, {.limits = {.work = 10000}, .threads = threads}).find("more work"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace thigmo::derivation_test
