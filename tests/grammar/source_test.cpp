#include "grammar/text/source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "grammar/helpers.h"
#include "thigmo/thigmo.h"

namespace thigmo::source_test {
namespace {

bool taken(const std::string& condition) {
  const std::string error = first_error("#define K 2\n#define J K+1\n#define H (K*J)\n#if " +
                                        condition + "\nAxiom: F\n#else\nAxiom: FF\n#endif\n");
  EXPECT_EQ(error, "") << condition;
  return derived("#define K 2\n#define J K+1\n#define H (K*J)\n#if " + condition +
                 "\nAxiom: F\n#else\nAxiom: FF\n#endif\n") == "F";
}

TEST(Source, ConditionsAreExpressions) {
  EXPECT_TRUE(taken("K==2"));
  EXPECT_FALSE(taken("K == 3"));
  EXPECT_TRUE(taken("K != 3 && J >= 3"));
  EXPECT_TRUE(taken("0 || !(K < 2)"));
  EXPECT_TRUE(taken("1 + 2 * 3 == 7"));
  EXPECT_TRUE(taken("(1 + 2) * 3 == 9"));
  EXPECT_TRUE(taken("-K % 3 == -2"));
  EXPECT_TRUE(taken("defined(K) && !defined NONE"));
  EXPECT_TRUE(taken("J*K == 6"));  // a name is a value here, not a text
  EXPECT_TRUE(taken("K"));
}

TEST(Source, BadConditionsPointAtWhatIsWrong) {
  EXPECT_EQ(first_error("#define K 2\n#if K == L\nAxiom: F\n#endif\nAxiom: F\n"),
            "m.lsys:2:10: error: this #if is no condition: 'L' is not defined\n"
            "  #if K == L\n"
            "           ^\n"
            "  hint: numbers, constants, defined(NAME), ( ) ! + - * / % < <= > >= == != && ||");
  EXPECT_NE(first_error("#if 1 +\n#endif\nAxiom: F\n").find("expected a number"),
            std::string::npos);
  EXPECT_NE(first_error("#if (1\n#endif\nAxiom: F\n").find("expected ')'"), std::string::npos);
  EXPECT_NE(first_error("#if 1 / 0\n#endif\nAxiom: F\n").find("divides by 0"), std::string::npos);
  EXPECT_NE(first_error("#if 1 2\n#endif\nAxiom: F\n").find("not expected"), std::string::npos);
  EXPECT_NE(first_error("#define A B\n#define B A\n#if A\n#endif\nAxiom: F\n")
                .find("nests deeper than 200 levels"),
            std::string::npos);
}

// As in C: an argument's own macros are replaced before it is put in its place.
TEST(Source, MacrosNestInTheirOwnArguments) {
  EXPECT_EQ(derived("#define half(x) ((x)/2)\nAxiom: A(half(half(8)))\n"), "A(2)");
  EXPECT_EQ(derived("#define two 2\n#define f(a,b) B(a)C(b)\nAxiom: f(two,(two+1))\n"), "B(2)C(3)");
}

TEST(Source, ZeroBytesAreRefusedWhereTheyStand) {
  const std::string text("Axiom: F\nF --> \0F\n", 18);
  const auto grammar = parse_grammar("m.lsys", text);
  ASSERT_FALSE(grammar);
  ASSERT_EQ(grammar.diagnostics().size(), 1u);
  EXPECT_EQ(grammar.diagnostics()[0].line, 2);
  EXPECT_EQ(grammar.diagnostics()[0].column, 7);
  for (const char* file : {"m.abs", "m.sbt"}) {
    const auto other = parse_grammar(file, std::string("B\0", 2));
    ASSERT_FALSE(other) << file;
    EXPECT_EQ(other.diagnostics()[0].column, 2) << file;
  }
}

// Includes stay in the model's folder, whatever way they are written and wherever links lead.
TEST(Source, IncludesDoNotLeaveTheFolder) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(::testing::TempDir()) / "thigmo_includes";
  fs::remove_all(root);
  fs::create_directories(root / "model" / "inc");
  std::ofstream(root / "secret.h") << "#define size 7\n";
  std::ofstream(root / "model" / "sizes.h") << "#define size 3\n";
  fs::create_symlink(root / "secret.h", root / "model" / "link.h");
  fs::create_symlink(root / "model" / "sizes.h", root / "model" / "inc" / "own.h");
  fs::create_directory_symlink(root, root / "model" / "out");
  const auto derive_with = [&](const std::string& include) {
    std::ofstream(root / "model" / "m.lsys") << "#include \"" << include << "\"\nAxiom: A(size)\n";
    const auto found = derive(DeriveRequest{
        .file = (root / "model" / "m.lsys").string(), .want_text = true, .draw = false});
    return found ? found->text : found.error();
  };
  EXPECT_EQ(derive_with("sizes.h"), "A(3)");
  EXPECT_EQ(derive_with("inc/../sizes.h"), "A(3)");
  EXPECT_EQ(derive_with("./inc/own.h"), "A(3)");
  for (const char* outside : {"../secret.h", "inc/../../secret.h", "/etc/hostname"}) {
    EXPECT_NE(derive_with(outside).find("is outside the model's folder"), std::string::npos)
        << derive_with(outside);
  }
  for (const char* link : {"link.h", "out/secret.h"}) {
    EXPECT_NE(derive_with(link).find("a link leads out of the model's folder"), std::string::npos)
        << derive_with(link);
  }
  fs::remove_all(root);
}

// Length and counts are those of the plain string, character by character, as L-system literature
// and other programs print them: @v is two characters, a declared name is one.
TEST(Source, CountsAddUpToTheLength) {
  const std::string file = ::testing::TempDir() + "thigmo_counts.lsys";
  std::ofstream(file) << "module Leaf(a)\nAxiom: F@v[+F@vLeaf(1)]~l(0.1)v\n";
  const auto found = derive(DeriveRequest{.file = file});
  ASSERT_TRUE(found) << found.error();
  const std::map<std::string, std::uint64_t> expected{
      {"F", 2}, {"@", 2}, {"v", 3}, {"[", 1}, {"]", 1}, {"+", 1}, {"Leaf", 1}, {"~", 1}, {"l", 1}};
  EXPECT_EQ(found->counts, expected);
  std::uint64_t sum = 0;
  for (const auto& [symbol, count] : found->counts) sum += count;
  EXPECT_EQ(sum, found->length);
  std::filesystem::remove(file);
}

// `thigmo derive` does not keep births, but an error must name rule, module and step all the same.
TEST(Source, ErrorsOfADerivationNameRuleModuleAndStep) {
  const std::string file = ::testing::TempDir() + "thigmo_births.lsys";
  std::ofstream(file) << "derivation length: 3\nAxiom: A(1)\nA(x) --> F(x)A(x-1)\n";
  const auto failed = derive(DeriveRequest{.file = file});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error(), file +
                                ":3:1: error: F(-1): a length must be finite and not negative "
                                "(module 2 of the string, written in step 3)\n"
                                "  A(x) --> F(x)A(x-1)\n"
                                "  ^");
  std::filesystem::remove(file);
  // What fails while rewriting names the module that was being rewritten: of one successor each,
  // with conditions, and in statements.
  for (const char* rule : {"A(x) --> B(a[x])A(x+1)", "A(x) : x < 9 --> B(a[x])A(x+1)",
                           "A(x) : { y = a[x]; } 1 --> B(y)A(x+1)"}) {
    EXPECT_NE(
        first_error(std::string("define: { array a[2]; }\nderivation length: 5\nAxiom: A(0)\n") +
                    rule + "\n")
            .find("subscript 2 of 'a' is outside 0..1 (rewriting A(2) in step 3)"),
        std::string::npos)
        << rule;
  }
}

}  // namespace
}  // namespace thigmo::source_test
