#pragma once

#include "api/common.h"
#include "io/file.h"

namespace thigmo {

// The simulation of a scenario file, or of a text where one is given.
inline Result<Simulation> simulation_of(const std::string& file, const std::string& text,
                                        const std::vector<std::string>& overrides) {
  std::string content = text;
  if (text.empty()) {
    Result<std::string> read = read_file(file);
    if (!read) return read.diagnostics();
    content = std::move(*read);
  }
  const Result<Scenario> scenario =
      parse_scenario(text.empty() ? file : "scenario text", content, overrides);
  if (!scenario) return scenario.diagnostics();
  return make_simulation(*scenario, read_any, read_tree);
}

}  // namespace thigmo
