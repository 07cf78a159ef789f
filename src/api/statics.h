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

// The forces on a plant that act when the simulation starts and stay as they are.
inline std::vector<PointLoad> standing_loads(const Simulation& simulation, std::size_t plant) {
  std::vector<PointLoad> loads;
  for (const AppliedForce& force : simulation.forces) {
    const bool acts = force.start <= simulation.time && simulation.time < force.end;
    if (force.plant == plant && acts && force.omega == 0) loads.push_back(force.load);
  }
  return loads;
}

}  // namespace thigmo
