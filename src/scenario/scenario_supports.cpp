#include "scenario/scenario_supports.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "scenario/scenario_points.h"

namespace thigmo {
namespace {

// [[time, x, y, z], ...] or with a rotation vector in degrees after it.
void read_keys(TomlReader& reader, std::size_t most_columns, PathSource& path) {
  const toml::node* node = reader.node("keys");
  if (!node) return;
  const std::string shape = most_columns == 4
                                ? "keys = [[time, x, y, z], …]"
                                : "keys = [[time, x, y, z], …] or [[time, x, y, z, rx, ry, rz], …]";
  const toml::array* rows = node->as_array();
  if (!rows || rows->size() < 2) {
    reader.complain(node, "'keys' must be an array of at least two rows", shape);
    return;
  }
  for (const toml::node& row_node : *rows) {
    const toml::array* row = row_node.as_array();
    if (!row || (row->size() != 4 && row->size() != most_columns)) {
      reader.complain(&row_node, "a row of 'keys' has the wrong number of numbers", shape);
      return;
    }
    std::array<double, 7> key{};
    for (std::size_t i = 0; i < row->size(); ++i) {
      const std::optional<double> number = row->get(i)->value<double>();
      if (!number || !std::isfinite(*number)) {
        reader.complain(row->get(i), "'keys' holds numbers", shape);
        return;
      }
      key[i] = *number;
    }
    if (!path.keys.empty() && key[0] <= path.keys.back()[0]) {
      reader.complain(&row_node, "the times of 'keys' must ascend");
      return;
    }
    path.keys.push_back(key);
  }
}

WaveSource read_wave(const toml::table& table, bool may_turn, TomlSource& source) {
  TomlReader reader(table, "a wave", source);
  WaveSource wave;
  if (auto value = reader.vector("amplitude")) wave.amplitude = *value;
  if (may_turn) {
    if (auto value = reader.vector("turn")) wave.turn_degrees = *value;
  }
  if (auto value = reader.number("frequency", Range::positive)) {
    wave.frequency = *value;
  } else if (!table.contains("frequency")) {
    reader.complain_missing("frequency", "how often a second [Hz]");
  }
  if (auto value = reader.number("phase")) wave.phase_degrees = *value;
  if (auto value = reader.number("start")) wave.start = *value;
  wave.end = reader.number("end");
  if (wave.end && *wave.end <= wave.start) {
    reader.complain_at_key("end", "'end' must come after 'start'");
  }
  wave.ramp = reader.number("ramp", Range::not_negative);
  reader.finish();
  return wave;
}

PathSource read_path(TomlReader& reader, bool may_turn, TomlSource& source) {
  PathSource path;
  read_keys(reader, may_turn ? 7 : 4, path);
  if (auto value = reader.text("file")) {
    path.file = value->starts_with("/") ? *value : folder_of(source.file) + *value;
  }
  for (const toml::table* wave : reader.tables("wave")) {
    path.waves.push_back(read_wave(*wave, may_turn, source));
  }
  const int ways =
      (reader.has("keys") ? 1 : 0) + (path.file.empty() ? 0 : 1) + (path.waves.empty() ? 0 : 1);
  if (ways != 1) {
    reader.complain(nullptr, "a motion is given in one of three ways",
                    "keys = [[time, x, y, z], …], file = \"motion.csv\", or wave = [{ amplitude = "
                    "[0.1, 0, 0], frequency = 1 }]");
  }
  return path;
}

}  // namespace

RootSource read_root(TomlReader& reader) {
  RootSource root;
  if (auto value = reader.choice("root", {"clamped", "free"})) root.free = *value == 1;
  root.release = reader.number("release", Range::not_negative);
  if (root.free && root.release) {
    reader.complain_at_key("release", "a plant that is free from the start cannot be released");
  }
  if (auto value = reader.vector("velocity")) root.velocity_world = *value;
  if (auto value = reader.vector("spin")) root.spin_world = *value;
  if (auto value = reader.number("pot_mass", Range::not_negative)) root.pot_mass = *value;
  if (auto value = reader.number("pot_radius", Range::not_negative)) root.pot_radius = *value;
  const bool held = !root.free && !root.release;
  for (const char* key : {"velocity", "spin"}) {
    if (reader.has(key) && !root.free) {
      reader.complain_at_key(key, fmt::format("'{}' is for plants with root = \"free\"", key));
    }
  }
  for (const char* key : {"pot_mass", "pot_radius"}) {
    if (reader.has(key) && held) {
      reader.complain_at_key(
          key, fmt::format("'{}' is for plants with root = \"free\" or a 'release'", key));
    }
  }
  return root;
}

MotionSource read_motion(const toml::table& table, const Scenario& scenario, TomlSource& source) {
  TomlReader reader(table, "[[motion]]", source);
  MotionSource motion;
  motion.plant = read_plant_name(reader, scenario, "motion");
  motion.path = read_path(reader, true, source);
  for (const MotionSource& other : scenario.motions) {
    if (other.plant == motion.plant) {
      reader.complain(nullptr, fmt::format("two motions move the plant '{}'", motion.plant));
    }
  }
  for (const PlantSource& plant : scenario.plants) {
    if (plant.name == motion.plant && plant.root.free) {
      reader.complain(nullptr,
                      fmt::format("the plant '{}' is free: nothing moves its root", motion.plant));
    }
  }
  reader.finish();
  return motion;
}

GrabSource read_grab(const toml::table& table, std::string_view name, const Scenario& scenario,
                     TomlSource& source) {
  TomlReader reader(table, fmt::format("[[{}]]", name), source);
  GrabSource grab;
  grab.plant = read_plant_name(reader, scenario, name);
  grab.at = read_place(reader, source);
  grab.path = read_path(reader, false, source);
  if (auto value = reader.number("stiffness", Range::positive)) {
    grab.stiffness = *value;
  } else if (!table.contains("stiffness")) {
    reader.complain_missing("stiffness", "of the grab's spring [N/m]");
  }
  if (auto value = reader.number("damping", Range::not_negative)) grab.damping = *value;
  grab.release = reader.number("release");
  reader.finish();
  return grab;
}

GroundForm read_ground(const toml::table& table, TomlSource& source) {
  TomlReader reader(table, "[ground]", source);
  GroundForm ground;
  if (auto value = reader.number("height")) ground.height = *value;
  ground.stiffness = reader.number("stiffness", Range::positive);
  ground.damping = reader.number("damping", Range::not_negative);
  if (auto value = reader.number("friction", Range::not_negative)) ground.friction = *value;
  reader.finish();
  return ground;
}

}  // namespace thigmo
