#include "scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "scenario/scenario_edits.h"
#include "scenario/scenario_keys.h"
#include "scenario/scenario_outputs.h"
#include "scenario/scenario_places.h"
#include "scenario/scenario_plants.h"
#include "scenario/scenario_points.h"
#include "scenario/scenario_supports.h"
#include "scenario/toml_reader.h"
#include "thigmo/formats.h"

namespace thigmo {
namespace {

// mean = [x, y, z] or { keys = [[time, x, y, z], …] }; of a wind by keys the fastest.
void read_mean(TomlReader& reader, Scenario& scenario) {
  Vec3& mean = scenario.wind.mean_world;
  if (!is_keyed(reader, "mean")) {
    if (auto value = reader.vector("mean")) mean = *value;
  } else if (auto keyed = read_keyed_vector(reader, "mean")) {
    mean = *std::max_element(keyed->values.begin(), keyed->values.end(),
                             [](const Vec3& a, const Vec3& b) { return length(a) < length(b); });
    const bool turns =
        std::any_of(keyed->values.begin(), keyed->values.end(), [&](const Vec3& value) {
          return dot(value, mean) < (1 - 1e-12) * length(value) * length(mean);
        });
    if (turns && scenario.wind.kind == WindKind::gusty) {
      reader.complain_at_key("mean", "the gusts of a wind that turns are not known",
                             "give all keys one direction, or kind = \"uniform\"");
    }
    scenario.keyed_wind = std::move(*keyed);
  }
  if (!(length(mean) <= fastest_wind)) {
    reader.complain_at_key(
        "mean", fmt::format("'mean' is faster than {:g} m/s, which is no wind", fastest_wind));
  }
}

// Still air is no air unless its density is given: closed forms are for a vacuum.
void read_wind(const toml::table& table, TomlSource& source, Scenario& scenario) {
  TomlReader reader(table, "[wind]", source);
  WindModel& wind = scenario.wind;
  if (auto kind = reader.choice("kind", {"still", "uniform", "gusty"})) {
    wind.kind = static_cast<WindKind>(*kind);
  } else if (!table.contains("kind")) {
    reader.complain_missing("kind", "kind = \"still\", \"uniform\" or \"gusty\"");
  }
  read_mean(reader, scenario);
  if (auto value = reader.number("intensity", Range::not_negative)) wind.intensity = *value;
  if (auto value = reader.number("length_scale", Range::positive)) wind.length_scale = *value;
  if (auto value = reader.number("decay", Range::not_negative)) wind.decay = *value;
  if (auto value = reader.integer("seed", 0, INT64_MAX))
    wind.seed = static_cast<std::uint64_t>(*value);
  if (wind.kind != WindKind::still && !table.contains("mean")) {
    reader.complain_missing("mean", "the mean wind in m/s, for example mean = [6, 0, 0]");
  }
  const auto has_no_effect = [&](const char* key, std::string_view why) {
    if (reader.has(key))
      scenario.notes.push_back(warning(fmt::format("[wind]: '{}' has no effect {}", key, why)));
  };
  for (const char* key : {"intensity", "length_scale", "decay", "seed"}) {
    if (wind.kind != WindKind::gusty) {
      has_no_effect(key, "unless kind = \"gusty\"");
    } else if (length(wind.mean_world) == 0) {
      has_no_effect(key, "where the mean wind is zero: gusts are a part of it");
    }
  }
  if (wind.kind == WindKind::still) has_no_effect("mean", "where kind = \"still\"");
  if (wind.kind != WindKind::still) scenario.drag = DragModel{};
  if (auto value = reader.number("air_density", Range::not_negative))
    scenario.drag.air_density = *value;
  if (auto value = reader.number("stem_drag", Range::not_negative))
    scenario.drag.stem_coefficient = *value;
  if (auto value = reader.number("organ_drag", Range::not_negative))
    scenario.drag.organ_coefficient = *value;
  if (auto value = reader.number("streamlining_speed", Range::not_negative))
    scenario.drag.streamlining_speed = *value;
  reader.finish();
}

ForceSource read_force(const toml::table& table, const Scenario& scenario, TomlSource& source) {
  TomlReader reader(table, "[[force]]", source);
  ForceSource force;
  force.plant = read_plant_name(reader, scenario, "force");
  force.at = read_place(reader, source);
  if (auto value = reader.vector("vector")) force.force = *value;
  if (auto value = reader.vector("moment")) force.moment = *value;
  if (auto value = reader.truth("follower")) force.follower = *value;
  if (auto value = reader.number("start")) force.start = *value;
  if (auto value = reader.number("end")) {
    force.end = *value;
    if (*value <= force.start) reader.complain_at_key("end", "'end' must come after 'start'");
  }
  if (auto value = reader.number("frequency", Range::positive)) force.frequency = *value;
  if (auto value = reader.number("phase")) {
    force.phase_degrees = *value;
    if (!reader.has("frequency")) {
      reader.complain_at_key("phase", "a force with a 'phase' needs its 'frequency'");
    }
  }
  if (!reader.has("vector") && !reader.has("moment")) {
    reader.complain_missing("vector", "vector = [N, N, N] or moment = [N m, N m, N m]");
  }
  reader.finish();
  return force;
}

ProbeSource read_probe(const toml::table& table, const Scenario& scenario, TomlSource& source) {
  TomlReader reader(table, "[[probe]]", source);
  ProbeSource probe;
  probe.name = reader.text("name").value_or("");
  if (probe.name.empty()) reader.complain_missing("name", "name = \"tip\"");
  if (probe.name.find_first_of(",\"\n\r") != std::string::npos) {
    reader.complain_at_key("name", "a probe's name must not hold commas, quotes or line ends");
  }
  for (const ProbeSource& other : scenario.probes) {
    if (other.name == probe.name) {
      reader.complain_at_key("name", fmt::format("two probes are named '{}'", probe.name));
    }
  }
  probe.plant = read_plant_name(reader, scenario, "probe");
  probe.at = read_place(reader, source);
  reader.finish();
  return probe;
}

// Without a [[probe]], every plant has one at its tip, of several equal ones the first.
void add_default_probes(Scenario& scenario) {
  for (const PlantSource& plant : scenario.plants) {
    if (plant.like) continue;
    const bool alone = scenario.plants.size() == 1;
    scenario.probes.push_back({.name = alone ? "tip" : plant.name + ".tip", .plant = plant.name});
  }
}

// Files from before grabs had their name say [[pull]].
void read_grabs(TomlReader& reader, TomlSource& source, Scenario& scenario) {
  for (const char* name : {"grab", "pull"}) {
    for (const toml::table* grab : reader.tables(name)) {
      scenario.grabs.push_back(read_grab(*grab, name, scenario, source));
    }
  }
}

void read_gravity(TomlReader& reader, Scenario& scenario) {
  if (!is_keyed(reader, "gravity")) {
    if (auto value = reader.vector("gravity")) scenario.gravity = *value;
  } else if (auto keyed = read_keyed_vector(reader, "gravity")) {
    scenario.gravity = value_at(*keyed, 0);
    scenario.keyed_gravity = std::move(*keyed);
  }
}

// Whether account is kept of energy.
void read_energy(TomlReader& reader, Scenario& scenario) {
  if (auto value = reader.truth("energy")) scenario.energy = *value;
  const bool particles =
      std::any_of(scenario.plants.begin(), scenario.plants.end(),
                  [](const PlantSource& plant) { return plant.method == Method::particles; });
  if (!scenario.energy || !particles) return;
  reader.complain_at_key("energy", "no account of energy can be kept of particles",
                         "their constraints store none: leave out energy = true");
}

Scenario read_scenario(const toml::table& table, TomlSource& source) {
  TomlReader reader(table, "the scenario", source);
  Scenario scenario;
  if (auto value = reader.text("title")) scenario.title = *value;
  if (auto value = reader.number("duration", Range::positive)) scenario.duration = *value;
  if (auto value = reader.number("step", Range::positive)) scenario.step = *value;
  if (auto value = reader.number("numerical_damping", Range::not_negative)) {
    scenario.options.numerical_damping = *value;
    if (*value > 1)
      reader.complain_at_key("numerical_damping", "'numerical_damping' lies between 0 and 1");
  }
  if (auto value = reader.integer("most_passes", 1, 100'000'000))
    scenario.options.most_passes = static_cast<int>(*value);
  if (auto value = reader.choice("too_violent", {"coarser", "stop"}))
    scenario.options.stop_when_violent = *value == 1;
  read_gravity(reader, scenario);
  std::set<std::string> names;
  std::size_t number = 0;
  std::map<std::string, std::size_t> first;                // plants of tables that say the same
  std::vector<std::pair<std::size_t, std::size_t>> equal;  // a plant, and the first one like it
  for (const toml::table* table_of_plant : reader.tables("plant")) {
    std::vector<PlantSource> plants =
        read_plants(*table_of_plant, number, scenario.plants.size(), source);
    constexpr std::string_view own[] = {"name", "position"};
    const auto [found, is_first] =
        first.try_emplace(text_without(*table_of_plant, own), scenario.plants.size());
    if (!is_first && plants.size() == 1) equal.emplace_back(scenario.plants.size(), found->second);
    for (PlantSource& plant : plants) {
      if (!names.insert(plant.name).second) {
        reader.complain(table_of_plant, fmt::format("two plants are named '{}'", plant.name));
      }
      scenario.plants.push_back(std::move(plant));
    }
    ++number;
  }
  if (scenario.plants.empty()) {
    reader.complain(nullptr, "the scenario has no plant",
                    "add a [[plant]] with grammar = \"file.lsys\" or kind = \"rod\"");
  }
  if (const toml::table* wind = reader.table("wind")) read_wind(*wind, source, scenario);
  for (const toml::table* force : reader.tables("force")) {
    scenario.forces.push_back(read_force(*force, scenario, source));
  }
  for (const toml::table* motion : reader.tables("motion")) {
    scenario.motions.push_back(read_motion(*motion, scenario, source));
  }
  read_grabs(reader, source, scenario);
  read_edits(reader, source, scenario);
  if (const toml::table* ground = reader.table("ground")) {
    scenario.ground = read_ground(*ground, source);
  }
  read_energy(reader, scenario);
  for (const toml::table* probe : reader.tables("probe")) {
    scenario.probes.push_back(read_probe(*probe, scenario, source));
  }
  if (scenario.probes.empty()) add_default_probes(scenario);
  for (const auto& [plant, like] : equal) scenario.plants[plant].like = like;
  for (const toml::table* organ : reader.tables("organ")) {
    scenario.organs.push_back(read_organ(*organ, source));
  }
  for (const toml::table* output : reader.tables("output")) {
    scenario.outputs.push_back(read_output(*output, scenario, source));
  }
  // One written with few digits is no longer than the whole.
  if (reader.has("step") && scenario.step > 1.001 * scenario.duration) {
    reader.complain_at_key("step",
                           fmt::format("a step of {} s is longer than the whole of {} s",
                                       scenario.step, scenario.duration),
                           "give a longer 'duration' or a shorter 'step'");
  }
  const double steps = scenario.duration / scenario.step;
  if (steps > 1e9) {
    reader.complain_at_key("step",
                           fmt::format("{:.3g} steps are more than a run may have (1e9)", steps));
  }
  reader.finish();
  return scenario;
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view file, std::string_view text,
                                const std::vector<std::string>& overrides) {
  TomlSource source{.file = std::string(file), .text = std::string(text), .diagnostics = {}};
  Result<toml::table> table = parse_toml(source);
  if (!table) return table.diagnostics();
  for (const std::string& assignment : overrides) {
    const Result<Done> done = override_toml(*table, assignment);
    if (!done) return done.diagnostics();
  }
  Scenario scenario = read_scenario(*table, source);
  if (!source.diagnostics.empty()) return source.diagnostics;
  // Every other key may make another motion, those of later versions too.
  for (const char* key :
       {"title", "duration", "energy", "most_passes", "too_violent", "probe", "organ", "output"})
    table->erase(key);
  Hasher hasher;
  add_to_hash(*table, hasher);
  scenario.fingerprint = hasher.value();
  return scenario;
}

}  // namespace thigmo
