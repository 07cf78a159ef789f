#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "grammar/check.h"
#include "grammar/grammar.h"
#include "grammar/helpers.h"
#include "support/structure.h"

namespace thigmo::language_doc_test {
namespace {

struct Example {
  std::string dialect, text;
  int line = 0;
  std::string string, error;  // what it must give
};

// The fenced blocks of the manual that hold models.
std::vector<Example> examples() {
  std::ifstream file(THIGMO_SOURCE_DIR "/docs/language.md");
  std::vector<Example> found;
  std::string line;
  bool inside = false, model = false;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.rfind("```", 0) == 0) {
      inside = !inside;
      const std::string dialect = line.substr(3);
      model = inside && (dialect == "lsys" || dialect == "abs" || dialect == "sbt");
      if (model) found.push_back({.dialect = dialect, .text = "", .line = number + 1});
    } else if (inside && model) {
      const auto note = [&line](const std::string& key) {
        return line.rfind(key, 0) == 0 ? line.substr(key.size()) : std::string();
      };
      if (const std::string text = note("// string: "); !text.empty()) found.back().string = text;
      if (const std::string text = note("// error: "); !text.empty()) found.back().error = text;
      found.back().text += line + "\n";
    }
  }
  return found;
}

TEST(LanguageManual, EveryExampleDoesWhatItSays) {
  const std::vector<Example> all = examples();
  EXPECT_GE(all.size(), 20u);
  for (const Example& example : all) {
    SCOPED_TRACE("docs/language.md:" + std::to_string(example.line));
    const std::string file = "example." + example.dialect;
    const Diagnostics found = check_grammar(file, example.text);
    if (!example.error.empty()) {
      EXPECT_NE(to_string(found).find(example.error), std::string::npos) << to_string(found);
      continue;
    }
    for (const Diagnostic& diagnostic : found) {
      EXPECT_EQ(diagnostic.severity, Severity::warning) << to_string(diagnostic);
    }
    const auto grammar = parse_grammar(file, example.text);
    if (!grammar) continue;
    const auto string = derive(*grammar);
    ASSERT_TRUE(string) << to_string(string.diagnostics());
    if (!example.string.empty()) {
      EXPECT_EQ(full_text(*string), example.string);
    }
    const auto plant = grow_plant(*grammar);
    ASSERT_TRUE(plant);
    EXPECT_EQ(support::structure_error(*plant), "");
  }
}

}  // namespace
}  // namespace thigmo::language_doc_test
