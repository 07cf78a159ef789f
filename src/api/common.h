#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/attribute.h"
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

// The columns of the trees' files that have no meaning here, and are given out again with them.
using TreeColumns = std::map<const TreeSource*, PlantColumns>;
// As read_tree, keeping the columns of each tree of a scenario.
ReadTree read_tree_keeping(TreeColumns& columns);
// Of each plant of a simulation, null where it is from no file: for the pieces that its segments were cut
// into, without the masses, which are those that it moved with. Equal plants share theirs.
std::vector<std::shared_ptr<const PlantColumns>> columns_of(const Scenario& scenario,
                                                            const Simulation& simulation,
                                                            TreeColumns columns);

// The trees, grammars, meshes and paths that a scenario names.
std::vector<std::string> files_named(const Scenario& scenario);

// The material of a species; none for an empty name.
Result<std::optional<Material>> material_of(const std::string& species);

}  // namespace thigmo
