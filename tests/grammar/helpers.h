#pragma once

#include <gtest/gtest.h>

#include <string>

#include "grammar/grammar.h"

namespace thigmo {

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
