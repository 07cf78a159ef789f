#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>

#include "grammar/grammar.h"
#include "grammar/helpers.h"

namespace thigmo::bomb_test {
namespace {

struct Bomb {
  const char* name;
  const char* text;
  const char* message;  // a part of the refusal
};

std::ostream& operator<<(std::ostream& out, const Bomb& bomb) { return out << bomb.name; }

class RefusedBomb : public ::testing::TestWithParam<Bomb> {};

// A bomb is refused from what the rules must come to, not from what they have come to: within 10 ms
// of processor time, with the memory of the model itself.
TEST_P(RefusedBomb, InLessThanTenMilliseconds) {
  double best = std::numeric_limits<double>::infinity();
  std::string said;
  for (int run = 0; run < 5; ++run) {  // neighbours on the machine only ever add time
    const std::clock_t start = std::clock();
    said = first_error(GetParam().text);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  EXPECT_NE(said.find(GetParam().message), std::string::npos) << said;
#ifdef __SANITIZE_ADDRESS__
  constexpr double slower = 20;  // what the sanitizers cost
#else
  constexpr double slower = 1;
#endif
  EXPECT_LT(best, 0.010 * slower) << said;
}

const std::string doubling_macros = [] {
  std::string text = "#define a0 F F\n";
  for (int i = 1; i < 39; ++i) text += fmt::format("#define a{0} a{1} a{1}\n", i, i - 1);
  return text + "Axiom: a38\n";
}();

const std::string many_steps =
    "derivation length: 1000000\nAxiom: b" + std::string(2499, 'a') + "\nb < a --> b\nb --> a\n";

const std::string empty_macros = [] {
  std::string text = "#define e0()\n";
  for (int i = 1; i < 39; ++i) text += fmt::format("#define e{0}() e{1}()e{1}()\n", i, i - 1);
  return text + "Axiom: F e38()\n";
}();

const Bomb bombs[] = {
    {"plain", "derivation length: 100\nAxiom: A\nA --> AAAAAAAAAA\n",
     "after step 9 the string would have 1e+09 modules"},
    {"weights", "derivation length: 100\nAxiom: A\nA --> AAA : 1\nA --> AABA : 2\n",
     "after step 17 the string would have at least"},
    {"quadratic", "derivation length: 1000000\nAxiom: A\nA --> AB\nB --> BC\n",
     "after step 14142 the string would have 1e+08 modules"},
    {"condition", "derivation length: 100\nAxiom: A(1)\nA(x) : x>0 --> A(x)A(x)\n",
     "after step 27 the string would have 1.342e+08 modules"},
    {"arithmetic", "derivation length: 60\nAxiom: A(0)\nA(n) : n < 50 --> A(n+1)A(n+1)\n",
     "after step 27 the string would have 1.342e+08 modules"},
    {"chance that does not matter",
     "derivation length: 60\nAxiom: A(0)\nA(n) : n < 50 --> F[+(ran(30))A(n+1)][-A(n+1)]\n",
     "after step 24 the string would have 1.342e+08 modules"},
    {"decomposition",
     "derivation length: 1\nAxiom: B\nB --> D\ndecomposition\nmaximum depth: 39\nD --> DD\n",
     "after step 1 the string would have at least 5.498e+11 modules"},
    {"decomposition with a condition",
     "derivation length: 1\nAxiom: B\nB --> D(0)\ndecomposition\nmaximum depth: 39\nD(x) : x < 100 "
     "--> D(x+1)D(x+1)\n",
     "after step 1 the string would have 5.498e+11 modules"},
    {"homomorphism", "Axiom: D\nhomomorphism\nmaximum depth: 39\nD --> DD\n",
     "the homomorphism would draw at least 5.498e+11 modules"},
    {"groups",
     "derivation length: 100\nStartEach: { group = 1 + step % 2; }\nAxiom: A\ngroup: 1\nA --> "
     "AA\ngroup: 2\nA --> AAA\n",
     "the string would have"},
    {"sub-L-systems",
     "Lsystem: 1\nderivation length: 100\nAxiom: A?(2,1)B$\nA --> A\nendlsystem\nLsystem: "
     "2\nAxiom: B\nB --> BB\nendlsystem\n",
     "after step 27 the string would have"},
    {"lifetimes", "module A(age) lives 1e-9\nderivation length: 1\nAxiom: A(0)\nA --> A(0)A(0)\n",
     "within step 1"},
    {"lifetimes without doubling",
     "module A(age) lives 1e-9\nderivation length: 1\nAxiom: A(0)\nA --> F A(0)\n",
     "within step 1"},
    {"a life that is over at birth",
     "module A(age) lives 1\nderivation length: 1\nAxiom: A(0)\nA --> A(5)\n", "within step 1"},
    {"many steps", many_steps.c_str(), "would rewrite at least 2.5e+09 modules"},
    {"a loop", "Axiom: A\nStart: { n = 0; while (1) { n = n + 1; } }\n", "never ends"},
    {"a loop that runs away", "Axiom: A\nStart: { n = 1; while (n > 0) { n = n + 1; } }\n",
     "instructions"},
    {"macros", doubling_macros.c_str(), "macro"},
    {"macros of nothing", empty_macros.c_str(), "macro"},
};

INSTANTIATE_TEST_SUITE_P(Grammar, RefusedBomb, ::testing::ValuesIn(bombs), [](const auto& test) {
  std::string name = test.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
});

// What looks like a bomb at first but is none must be grown.
TEST(Bomb, GrowthThatEndsIsNotRefused) {
  EXPECT_EQ(module_count(*derive(*parse_grammar(
                "m.lsys", "derivation length: 60\nAxiom: A(0)\nA(n) : n < 20 --> A(n+1)A(n+1)\n"))),
            1 << 20);
  // 30 doublings of an A that is gone before the next: the string stays short.
  EXPECT_EQ(derived("derivation length: 60\nAxiom: A(0)\nA(n) : n < 30 --> A(n+1)B\nB --> *\n"),
            "A(30)");
  EXPECT_EQ(derived("module A(age) lives 0.001\nderivation length: 1\nAxiom: A(0)\nA --> A(0)\n")
                .substr(0, 2),
            "A(");
}

}  // namespace
}  // namespace thigmo::bomb_test
