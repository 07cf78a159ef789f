#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/nesting.h"
#include "grammar/check.h"
#include "grammar/helpers.h"

namespace thigmo::limits_test {
namespace {

std::string repeated(std::string_view piece, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += piece;
  return out;
}

// Whatever a text nests: it is refused in the same words, and the stack is not used up.
TEST(Nesting, HasOneLimitInAllThatIsReadByRecursion) {
  for (const int levels : {nesting_limit + 100, 50'000}) {
    const auto nested = [&](std::string_view before, std::string_view open, std::string_view middle,
                            std::string_view close) {
      return std::string(before) + repeated(open, levels) + std::string(middle) +
             repeated(close, levels);
    };
    for (const std::string& text :
         {nested("Axiom: F(", "-", "1)", ""), nested("Axiom: F(", "!", "1)", ""),
          nested("Axiom: F(", "(", "1)", ")"), nested("Axiom: F(", "2^", "1)", ""),
          nested("Axiom: F(", "1?", "1)", ""), nested("Axiom: F(", "1?1:", "1)", ""),
          nested("Axiom: F(", "sin(", "1)", ")"), nested("Axiom: F(", "1+(", "1)", ")"),
          nested("Axiom: F\nStart: {", "if (1) {", "", "}"),
          nested("Axiom: F\nStart: { x = 1;", "while (x) {", "", "}"),
          nested("#if ", "(", "1", ")"), nested("#if ", "!", "1", ""),
          nested("#define f(x) x\nAxiom: F(", "f(", "1)", ")")}) {
      EXPECT_NE(first_error(text).find(too_deep()), std::string::npos)
          << text.substr(0, 40) << "\n"
          << first_error(text).substr(0, 400);
    }
  }
}

TEST(Nesting, IsCountedAnewInEveryLine) {
  // A line that was refused must not leave the next ones more room, nor less.
  const std::string deep = "A --> F(" + repeated("(", 300) + "\n";
  EXPECT_NE(first_error("Axiom: F\n" + repeated(deep, 2000)).find(too_deep()), std::string::npos);
  const std::string fine = "Axiom: F(" + repeated("(", 150) + "1" + repeated(")", 150) + ")\n";
  const std::string both = to_string(check_grammar("m.lsys", deep + fine));
  EXPECT_EQ(both.find("m.lsys:2"), std::string::npos) << both;
}

TEST(Nesting, AChainOfElseIfIsNotDeep) {
  std::string chain = "Start: { x = 49999; y = 0; if (x == 0) { y = 1; }";
  for (int i = 1; i < 50'000; ++i) chain += fmt::format(" else if (x == {}) {{ y = {}; }}", i, i);
  EXPECT_EQ(derived(chain + " else { y = -1; } }\nAxiom: A(y)\n"), "A(49999)");
  for (const int x : {1, 2, 3, 4}) {
    EXPECT_EQ(
        derived(fmt::format("Start: {{ x = {}; y = 0; if (x == 1) {{ y = 1; }} else if (x == 2) "
                            "{{ y = 2; }} else if (x == 3) {{ if (x > 0) {{ y = 3; }} }} else "
                            "{{ y = 4; }} y = y + 10; }}\nAxiom: A(y)\n",
                            x)),
        fmt::format("A({})", x + 10));
  }
}

TEST(Macros, ChainsAreFollowedAsFarAsAnythingMayNest) {
  const auto chain = [](int length) {
    std::string text = "#define m0 7\n";
    for (int i = 1; i <= length; ++i) text += fmt::format("#define m{} m{}\n", i, i - 1);
    return text + fmt::format("Axiom: A(m{})\n", length);
  };
  EXPECT_EQ(derived(chain(100)), "A(7)");
  EXPECT_NE(first_error(chain(300)).find("m.lsys:302:10: error: " + too_deep()), std::string::npos)
      << first_error(chain(300));
}

TEST(Macros, WhatTheyWriteIsCountedBeforeItIsWritten) {
  const std::string copies = "#define f(x) " + repeated("x ", 100'000) + "\n";
  EXPECT_NE(first_error(copies + "Axiom: f(" + repeated("F", 100'000) + ")\n").find("macro"),
            std::string::npos);
  // Arguments that do not end are looked for in vain.
  EXPECT_NE(first_error("#define f(x) x\nAxiom: " + repeated("f(", 200'000) + "\n").find("macro"),
            std::string::npos);
  // Names that stand for two names each.
  std::string doubling = "#define a0 1\n";
  for (int i = 1; i < 45; ++i) doubling += fmt::format("#define a{0} a{1}+a{1}\n", i, i - 1);
  EXPECT_NE(first_error(doubling + "#if a44\n#endif\nAxiom: F\n").find("has too many parts"),
            std::string::npos);
}

TEST(Includes, FilesAndBytesAreCounted) {
  const auto read_with = [](const std::string& model, std::map<std::string, std::string> files) {
    const ReadFile read = [&](std::string_view path) -> Result<std::string> {
      return files[std::string(path)];
    };
    const auto grammar = parse_grammar("m.lsys", model, read);
    return grammar ? std::string() : to_string(grammar.diagnostics()[0]);
  };
  std::map<std::string, std::string> doubling{{"i20", ""}};
  for (int i = 1; i < 20; ++i) {
    doubling[fmt::format("i{}", i)] = fmt::format("#include \"i{0}\"\n#include \"i{0}\"\n", i + 1);
  }
  EXPECT_NE(read_with("#include \"i2\"\nAxiom: F\n", doubling).find("more than 1000 files"),
            std::string::npos);
  EXPECT_NE(read_with(repeated("#include \"big\"\n", 20) + "Axiom: F\n",
                      {{"big", repeated("// one million bytes\n", 50'000)}})
                .find("the included files have more than 16000000 bytes"),
            std::string::npos);
  EXPECT_EQ(read_with(repeated("#include \"leaf\"\n", 900) + "Axiom: F\n", {{"leaf", "\n"}}), "");
}

TEST(Arrays, TogetherHaveALimit) {
  std::string text = "define: {\n";
  for (int i = 0; i < 500; ++i) text += fmt::format("array a{}[100000];\n", i);
  EXPECT_NE(first_error(text + "}\nAxiom: F\n").find("all arrays together have at most"),
            std::string::npos);
  EXPECT_EQ(derived("define: { array a[3] = {1,2,3}; b = 5; array c[2] = {7,8}; }\n"
                    "Axiom: A(a[2],b,c[1])\n"),
            "A(3,5,8)");
}

}  // namespace
}  // namespace thigmo::limits_test
