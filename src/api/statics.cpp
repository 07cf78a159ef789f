#include "api/statics.h"

#include <fmt/format.h>

#include <algorithm>

namespace thigmo {
namespace {

// What a scenario has beside gravity, forces and the ground.
Diagnostics left_out(const Scenario& scenario) {
  Diagnostics notes;
  if (scenario.wind.kind != WindKind::still) {
    notes.push_back(note("plants are looked at in still air; the wind is left out"));
  }
  if (!scenario.pulls.empty()) {
    notes.push_back(note("hands that pull are left out; a [[force]] is not"));
  }
  if (!scenario.motions.empty()) {
    notes.push_back(note("feet are held where they stand; [[motion]] is left out"));
  }
  return notes;
}

}  // namespace

Result<Simulation> standing_simulation(const std::string& file, const std::string& text,
                                       const std::vector<std::string>& overrides, Inputs& inputs) {
  std::string content = text;
  if (text.empty()) {
    inputs.add(file);
    Result<std::string> read = read_file(file);
    if (!read) return read.diagnostics();
    content = std::move(*read);
  }
  const Result<Scenario> scenario =
      parse_scenario(text.empty() ? file : "scenario text", content, overrides);
  if (!scenario) return scenario.diagnostics();
  for (const PlantSource& plant : scenario->plants) {
    if (plant.root.free) {
      return error(
          fmt::format("nothing holds the plant '{}', so it has no pose to rest in", plant.name),
          fmt::format("hold its foot: --set 'plant.{}.root=\"clamped\"'", plant.name));
    }
  }
  inputs.add(files_named(*scenario));
  Result<Simulation> simulation = make_simulation(*scenario, inputs.reader(), read_tree);
  if (!simulation) return simulation;
  Diagnostics notes = left_out(*scenario);
  simulation->notes.insert(simulation->notes.end(), notes.begin(), notes.end());
  return simulation;
}

}  // namespace thigmo
