#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace thigmo::support {

// Numbers of classical mechanics, computed outside this project; tests/data/physics.json gives the
// setup, source and tolerance of each.
inline nlohmann::json physics_oracle(const std::string& id, const std::string& part = "") {
  std::ifstream file(std::string(THIGMO_SOURCE_DIR) + "/tests/data/physics.json");
  const nlohmann::json all = nlohmann::json::parse(file);
  for (const nlohmann::json& entry : all["oracles"]) {
    if (entry["id"] == id) return part.empty() ? entry["oracle"] : entry["oracle"].at(part);
  }
  throw std::runtime_error("no oracle " + id);
}

}  // namespace thigmo::support
