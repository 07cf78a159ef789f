#pragma once

// How a plant's wood is damped: the keys damping, damping_frequencies, damping_ratios and mass_damping of
// a [[plant]].

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"

namespace thigmo {

// How its wood is damped: the keys damping, damping_frequencies, damping_ratios and mass_damping.
Damping read_damping(TomlReader& reader);

}  // namespace thigmo
