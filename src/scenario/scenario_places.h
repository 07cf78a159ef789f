#pragma once

// Where plants stand: the keys position, positions, turns and scatter of a [[plant]].

#include <vector>

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"

namespace thigmo {

// Where the plants of a [[plant]] stand. Empty where it does not say.
std::vector<Placement> read_places(TomlReader& reader, TomlSource& source);

}  // namespace thigmo
