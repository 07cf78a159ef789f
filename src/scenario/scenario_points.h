#pragma once

// What several tables of a scenario have in common: a plant's name, and a point on it.

#include <string>
#include <string_view>

#include "scenario/scenario.h"
#include "scenario/toml_reader.h"

namespace thigmo {

// Of a plant.
inline constexpr std::int64_t most_segments = 10'000'000;

// "a/b/" of "a/b/c.toml"; empty for a bare name.
std::string folder_of(const std::string& file);

// A number of a segment alone means its far end, or where it is cut its base.
enum class BareSegment { far_end, base };

// "tip" | segment number | fraction 0..1 | { segment, along } | { axis, along }
PointOnPlant read_place(TomlReader& reader, TomlSource& source,
                        BareSegment bare = BareSegment::far_end);

// The plant a force, probe or grab is on: by name, or the only one there is.
std::string read_plant_name(TomlReader& reader, const Scenario& scenario, std::string_view what);

}  // namespace thigmo
