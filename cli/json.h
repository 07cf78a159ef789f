#pragma once

#include <nlohmann/json.hpp>

#include "cli/output.h"

namespace thigmo::cli {

// Prints what a command has found, with the three lists that every JSON has, all empty.
inline void print_json(nlohmann::ordered_json json) {
  for (const char* list : {"errors", "warnings", "notes"}) {
    json[list] = nlohmann::ordered_json::array();
  }
  print("{}\n", json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace thigmo::cli
