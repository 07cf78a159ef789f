#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "grammar/grammar.h"

namespace thigmo {

inline Result<Plant> grow_plant(const Grammar& grammar, const GrowOptions& options = {}) {
  const Result<Growth> growth = grow(grammar, options);
  if (!growth) return growth.diagnostics();
  return growth->plant;
}

inline std::int64_t module_count(const ModuleString& string) {
  return static_cast<std::int64_t>(string.kinds.size());
}

// How often each symbol occurs, by name, whatever the number of its parameters.
inline std::map<std::string, std::int64_t> symbol_counts(const ModuleString& string) {
  return count_symbols(string).by_symbol;
}

// The string without parameters: "F[+F]F".
inline std::string plain_text(const ModuleString& string) {
  std::string out;
  for (const Kind kind : string.kinds) out += string.program->kinds[kind].name;
  return out;
}

inline std::string first_error(std::string_view text, const GrowOptions& options = {}) {
  const auto grammar = parse_grammar("m.lsys", text);
  if (!grammar) return to_string(grammar.diagnostics()[0]);
  const auto growth = grow(*grammar, options);
  return growth ? "" : to_string(growth.diagnostics()[0]);
}

inline Growth grown(std::string_view text, const GrowOptions& options = {}) {
  const auto grammar = parse_grammar("m.lsys", text);
  EXPECT_TRUE(grammar) << (grammar ? "" : to_string(grammar.diagnostics()));
  if (!grammar) return {};
  const auto growth = grow(*grammar, options);
  EXPECT_TRUE(growth) << (growth ? "" : to_string(growth.diagnostics()));
  return growth ? *growth : Growth{};
}

inline std::string derived(std::string_view text, const GrowOptions& options = {}) {
  const auto grammar = parse_grammar("m.lsys", text);
  EXPECT_TRUE(grammar) << (grammar ? "" : to_string(grammar.diagnostics()));
  if (!grammar) return "";
  const auto string = derive(*grammar, options);
  EXPECT_TRUE(string) << (string ? "" : to_string(string.diagnostics()));
  return string ? full_text(*string) : "";
}

}  // namespace thigmo
