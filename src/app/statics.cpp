#include "app/statics.h"

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
  if (!scenario.grabs.empty()) {
    notes.push_back(note("grabs are left out; a [[force]] is not"));
  }
  if (!scenario.edits.empty()) {
    notes.push_back(
        note("plants are looked at as they are at the start; cuts and other edits are left out"));
  }
  if (!scenario.motions.empty()) {
    notes.push_back(note("roots are held where they stand; [[motion]] is left out"));
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
          fmt::format("hold its root: --set 'plant.{}.root=\"clamped\"'", plant.name));
    }
  }
  inputs.add(files_named(*scenario));
  Result<Simulation> simulation = make_simulation(*scenario, inputs.reader(), read_tree);
  if (!simulation) return simulation;
  Diagnostics notes = left_out(*scenario);
  simulation->notes.insert(simulation->notes.end(), notes.begin(), notes.end());
  return simulation;
}

Diagnostic no_equilibrium(const Plant& plant, const EquilibriumReport& report) {
  const bool free =
      std::any_of(plant.given_bodies.begin(), plant.given_bodies.end(), [](const GivenBody& body) {
        const Vec3& k = body.joint_stiffness;
        return k.x == 0 || k.y == 0 || k.z == 0;
      });
  if (free) {
    return error(fmt::format("no equilibrium can be found for the plant '{}': a joint of it has a "
                             "spring of 0 and turns freely",
                             plant.name),
                 "give the joint a small spring, or run it until it hangs still");
  }
  return error(fmt::format("no equilibrium was found for the plant '{}': the loads could be "
                           "raised to {:.4g} of their full size in {} iterations",
                           plant.name, report.load_fraction, report.iterations),
               "the plant may have none near its rest pose; weaken the loads or stiffen it");
}

}  // namespace thigmo
