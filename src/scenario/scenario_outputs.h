#pragma once

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"

namespace thigmo {

// An [[organ]] and an [[output]]; an output may ask for plants and probes that the scenario has.
OrganMesh read_organ(const toml::table& table, TomlSource& source);
OutputSource read_output(const toml::table& table, const Scenario& scenario, TomlSource& source);

}  // namespace thigmo
