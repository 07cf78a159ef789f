#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "math/vector.h"
#include "simulation/simulation.h"
#include "thigmo/thigmo.h"

namespace thigmo {

inline Failure failure_from(const Diagnostics& diagnostics) { return {to_string(diagnostics)}; }

inline Numbers3 numbers(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 vector(const Numbers3& v) { return {v[0], v[1], v[2]}; }

std::vector<ProbeReading> read_probes(const Simulation& simulation);

// Any file, for what names files by path; with a folder only what lies in it, links followed.
Result<std::string> read_any(std::string_view path, std::string_view folder = {});

// The numbers of "NAME=number", for constants of a grammar.
Result<std::map<std::string, double>> parameters_of(const std::vector<std::string>& overrides);

// A tree from elsewhere that a scenario names.
Result<Plant> read_tree(const TreeSource& source, std::vector<std::string>& notes);

// The material of a species; none for an empty name.
Result<std::optional<Material>> material_of(const std::string& species);

}  // namespace thigmo
