#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "plant/motion.h"
#include "scenario/make_simulation.h"
#include "simulation/advance.h"

namespace thigmo::support {

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Result<std::string> read_text(std::string_view path) { return text_of(path); }

inline std::filesystem::path gallery_folder() {
  return std::filesystem::path(THIGMO_SOURCE_DIR) / "gallery";
}

// "oak.lsys", … : all plants of the gallery, sorted.
inline std::vector<std::string> gallery_plants() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(gallery_folder() / "plants")) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".lsys" || ending == ".sbt") names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// For names of parameterised tests.
inline std::string plain_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

// The constants that the comment "Sizes: small NAME=number …, large …" of a plant's file gives.
inline std::map<std::string, double> small_settings(const std::string& plant) {
  const std::string text = text_of(gallery_folder() / "plants" / plant);
  std::map<std::string, double> settings;
  std::smatch found;
  if (!std::regex_search(text, found, std::regex("Sizes: small ([^,]*),"))) return settings;
  std::istringstream words(found[1].str());
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    settings[word.substr(0, equals)] = std::stod(word.substr(equals + 1));
  }
  return settings;
}

// A plant of the gallery in a storm that has blown for a while.
struct Storm {
  Plant plant;
  Motion motion;  // from the start on
};

struct StormForm {
  bool small = true;
  double wind_speed = 20;  // [m/s]
  double duration = 1.5;   // [s]
  int frames = 2;          // that are kept, at equal steps of time, the first at the start
};

inline Storm gallery_storm(const std::string& name, const StormForm& form = {}) {
  std::ostringstream text;
  text << "duration = 10\n[wind]\nkind = \"gusty\"\nmean = [" << form.wind_speed
       << ", 0, 0]\nintensity = 0.3\nseed = 3\n[[plant]]\ngrammar = \"" << name << "\"\n";
  if (form.small) {
    text << "parameters = {";
    const char* comma = "";
    for (const auto& [key, value] : small_settings(name)) {
      text << comma << key << " = " << value;
      comma = ", ";
    }
    text << "}\n";
  }
  const std::string file = (gallery_folder() / "plants" / "storm.toml").string();
  const Result<Scenario> scenario = parse_scenario(file, text.str());
  EXPECT_TRUE(scenario) << to_string(scenario.diagnostics());
  if (!scenario) return {};
  Result<Simulation> simulation = make_simulation(*scenario, read_text);
  EXPECT_TRUE(simulation) << to_string(simulation.diagnostics());
  if (!simulation) return {};
  Storm storm;
  SimulatedPlant& moved = simulation->plants[0];
  const std::int64_t steps = step_count(form.duration, scenario->step);
  for (std::int64_t i = 0, kept = 0; i <= steps; ++i) {
    if (i > 0) step(*simulation, scenario->step, 1);
    if (i * (form.frames - 1) < kept * steps) continue;
    storm.motion.times.push_back(simulation->time);
    storm.motion.poses.push_back(pose_of(moved.model->mechanism, moved.state));
    ++kept;
  }
  EXPECT_TRUE(simulation->finite);
  storm.plant = moved.model->plant;
  return storm;
}

}  // namespace thigmo::support
