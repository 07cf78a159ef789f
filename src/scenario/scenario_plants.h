#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"

namespace thigmo {

// The plant of a [[plant]], or the plants where it says that there are several: NAME.0, NAME.1, …
std::vector<PlantSource> read_plants(const toml::table& table, std::size_t table_number,
                                     std::size_t plant_number, TomlSource& source);

}  // namespace thigmo
