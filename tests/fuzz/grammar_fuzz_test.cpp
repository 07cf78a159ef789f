#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "grammar/check.h"
#include "grammar/grammar.h"
#include "grammar/helpers.h"
#include "support/structure.h"

namespace thigmo::grammar_fuzz_test {
namespace {

// Random numbers in order, from one seed: a failing case is found again by its number.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : mix_bits(seed_, count_++) % n; }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

struct Model {
  std::string file, text;
};

std::vector<Model> seed_models() {
  std::ifstream file(THIGMO_SOURCE_DIR "/tests/data/lsystems.json");
  std::vector<Model> models;
  const nlohmann::json oracles = nlohmann::json::parse(file);
  for (const auto& entry : oracles["entries"]) {
    models.push_back({"fuzz.lsys", entry["cpfg_text"].get<std::string>()});
  }
  // What the published systems do not use.
  const auto add = [&models](const char* text) { models.push_back({"fuzz.lsys", text}); };
  add("define: { array a[2][2] = {1,2,3,4}; curve c = {0:1, 1:0}; n = 1; }\nStartEach: { n = n + "
      "a[0][1]; }\nderivation length: 4\nAxiom: A(1)?P(0,0,0)B\nA(x) : { i = 0; while (i < 3) { i "
      "= "
      "i + 1; } } x < 9 { n = n + 1; } --> A(x+i)[+(ran(30))F(c(0.5))]\nB > [C=]D --> %\n");
  add("module Leaf(age, size) lives 1.5\ntime step: 0.5\nderivation length: 7.5\nAxiom: "
      "FLeaf(0,1)\nLeaf --> F[+Leaf(age=0,size=size*0.5)]Leaf(0,1)\nhomomorphism\nmaximum depth: "
      "3\nLeaf(a,s) --> !(0.1)~l(a+0.1,s)\n");
  add("Lsystem: 1\nring lsystem\nderivation length: 5\nignore: +\nAxiom: A?(2,0.5)B$C\nA << B --> "
      "BA\nB < C --> AB : 2\nC --> CA : 1\ndecomposition\nmaximum depth: 2\nA --> "
      "@Gs F@Gc(3)+F@Ge\nendlsystem\nLsystem: 2\nAxiom: B\nB --> BF\nendlsystem\n");
  add("environment: light 0.3\nmaterial: oak\ntropism: 0,-1,0,0.2\nderivation length: 6\nAxiom: "
      "!(0.1)FA?E(1)\nA > ?E(x) : x > 0.2 --> F[@Ey(1e9)@Ej(2)&A?E(1)]{-f+f.f}@O(0.1)A\nexpect "
      "length 10\n");
  add("#define a(x,y) x+y\n#ifdef a\nAxiom: A(a(1,2))\n#else\nAxiom: B\n#endif\nA(x) >> B --> "
      "A(x)\n"
      "group: 1\nA(x) : x > 0 && !(x == 3) || x^2 < 1 ? 1 : 0 --> A(-x)\n");
  models.push_back({"fuzz.abs",
                    "B(1,0,.5,0,0,.5,0,.3,.1,.3)[J(0,0,1,0,0,0,5,5,5)B(1,0,.5,0,0,.5,0,.3,.1,.3)]"
                    "J(0,0,0,0,0,0,5,5,5)B(1,0,.5,0,0,.5,0,.3,.1,.3)\n"});
  models.push_back({"fuzz.sbt",
                    "n = 4\nstart -> F 0.9 0.5 N zero\nzero -> F 0.9 0.33 [T 30 N zero] F 0.9 0.33 "
                    "[T -30 N zero] T 30 N zero\n"});
  return models;
}

constexpr const char* pieces[] = {"[",
                                  "]",
                                  "(",
                                  ")",
                                  "-->",
                                  "<",
                                  ">",
                                  ":",
                                  "{",
                                  "}",
                                  "A",
                                  "B(x)",
                                  "F",
                                  "F(1)",
                                  "%",
                                  "*",
                                  "=",
                                  "\n",
                                  "\t",
                                  "1e308",
                                  "-1",
                                  "0/0",
                                  "A(x)",
                                  "#define A ",
                                  "#include \"x\"\n",
                                  "ran(1)",
                                  "homomorphism\n",
                                  "decomposition\n",
                                  "maximum depth: 3\n",
                                  "endlsystem\n",
                                  "Lsystem: 2\n",
                                  "ignore: F\n",
                                  ",",
                                  ";",
                                  "~l",
                                  "@",
                                  "?P(0,0,0)",
                                  "?E(1)",
                                  "$",
                                  "?(2,1)",
                                  "derivation length: 9\n",
                                  "while (1) { }",
                                  "module Long(a)\n",
                                  "Long(1)",
                                  "<<",
                                  ">>",
                                  "group: 1\n",
                                  "//",
                                  "/*",
                                  "\\",
                                  "\xff",
                                  "lives 0.1",
                                  "{ n = 1; }",
                                  "@Gs",
                                  "@Ge",
                                  "@Gt(2,1)",
                                  "#if K == (2\n",
                                  "#if defined(A) && 1\n",
                                  "#define A(x) x x\n",
                                  "maximum depth: 39\n",
                                  "A --> A A\n",
                                  "A(x) : x > 0 --> A(x) A(x-1)\n",
                                  "while (x > 0) { x = x + 1; }",
                                  "StartEach: { group = step; }\n",
                                  "x",
                                  "seed: ",
                                  "99999999999",
                                  "!(0)",
                                  "_(1)"};

Model mutated(const std::vector<Model>& models, Dice& dice) {
  Model model = models[dice.below(models.size())];
  std::string& text = model.text;
  // Mostly one edit, so that many models still reach the derivation.
  const std::size_t edits = dice.below(3) > 0 ? 1 : 1 + dice.below(8);
  for (std::size_t e = 0; e < edits; ++e) {
    const std::size_t at = dice.below(text.size() + 1);
    switch (dice.below(7)) {
      case 0:
        text.insert(at, 1, static_cast<char>(dice.below(256)));
        break;
      case 1:
        text.erase(at, 1 + dice.below(4));
        break;
      case 2:
        text.insert(at, pieces[dice.below(std::size(pieces))]);
        break;
      case 3: {  // a part of another model
        const std::string& other = models[dice.below(models.size())].text;
        text.insert(at, other.substr(dice.below(other.size()), dice.below(60)));
        break;
      }
      case 4:
        text.insert(at, text.substr(dice.below(text.size() + 1), dice.below(40)));
        break;
      case 5:
        if (at < text.size()) text[at] = static_cast<char>(32 + dice.below(95));
        break;
      default:
        text.erase(at, dice.below(30));
        break;
    }
  }
  return model;
}

// Every text is read, derived and drawn, or refused with a diagnostic that says something, within
// the limits and in bounded time. THIGMO_FUZZ_SECONDS and THIGMO_FUZZ_FIRST set a longer run.
TEST(GrammarFuzz, NoTextCrashesHangsOrEscapesTheLimits) {
  const char* const wanted = std::getenv("THIGMO_FUZZ_SECONDS");
  const char* const first = std::getenv("THIGMO_FUZZ_FIRST");
  const double seconds = wanted != nullptr ? std::atof(wanted) : 2.0;
  const std::vector<Model> models = seed_models();
  GrowOptions options;
  options.limits = {.symbols = 20000,
                    .steps = 1000,
                    .nesting = 1000,
                    .memory_bytes = 10'000'000,
                    .work = 2'000'000,
                    .recursion = 20};
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto begin = now();
  std::uint64_t number = first != nullptr ? std::strtoull(first, nullptr, 10) : 0;
  std::uint64_t cases = 0, read = 0, drawn = 0;
  const auto check = [&](const Diagnostics& diagnostics, const std::string& text) {
    ASSERT_FALSE(diagnostics.empty());
    for (const Diagnostic& diagnostic : diagnostics) {
      ASSERT_GE(diagnostic.message.size(), 8u) << "case " << number << "\n" << text;
      to_string(diagnostic);
    }
  };
  for (; std::chrono::duration<double>(now() - begin).count() < seconds; ++number, ++cases) {
    Dice dice(number);
    const Model model = mutated(models, dice);
    const std::string& text = model.text;
    const auto start = now();
    const auto grammar = parse_grammar(model.file, text);
    if (!grammar) {
      check(grammar.diagnostics(), text);
    } else {
      ++read;
      const auto string = derive(*grammar, options);
      if (!string) {
        check(string.diagnostics(), text);
      } else {
        EXPECT_LE(module_count(*string), options.limits.symbols);
      }
      if (dice.below(8) == 0) check_grammar(model.file, text, {}, options);
      const auto growth = grow(*grammar, options);
      if (!growth) {
        check(growth.diagnostics(), text);
      } else {
        ++drawn;
        ASSERT_EQ(support::structure_error(growth->plant), "") << "case " << number << "\n" << text;
      }
    }
    const double time = std::chrono::duration<double>(now() - start).count();
    ASSERT_LT(time, 5.0) << "case " << number << "\n" << text;
    if (HasFatalFailure()) return;
  }
  RecordProperty("cases", static_cast<int>(cases));
  std::printf("%llu cases, %llu read, %llu drawn\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(read), static_cast<unsigned long long>(drawn));
  if (seconds >= 2.0) {  // otherwise the mutations are too wild to test anything behind the parser
    EXPECT_GT(read, cases / 20);
    EXPECT_GT(drawn, cases / 50);
  }
}

}  // namespace
}  // namespace thigmo::grammar_fuzz_test
