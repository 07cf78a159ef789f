#pragma once

// Values that change in the course of time: key = { keys = [[time, value], …] } instead of key = value.

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"
#include "simulation/keyed_value.h"

namespace thigmo {

// Whether a key is given by keys; if not, its own reader reads it.
bool is_keyed(TomlReader& reader, std::string_view key);

// Those of a vector that is; none where they are wrong, which is said.
std::optional<KeyedValue<Vec3>> read_keyed_vector(TomlReader& reader, std::string_view key);

// A number that may be keyed: what it is at the start, and over that what it is by its keys. Where the key is
// not there, nothing changes.
std::optional<double> read_number_or_keys(TomlReader& reader, std::string_view key, Range range,
                                          KeyedValue<double>& over_start);

}  // namespace thigmo
