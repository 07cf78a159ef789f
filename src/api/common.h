#pragma once

#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/attribute.h"
#include "io/file.h"
#include "math/vector.h"
#include "simulation/simulation.h"
#include "thigmo/thigmo.h"

namespace thigmo {

inline Failure failure_from(const Diagnostics& diagnostics) { return {.diagnostics = diagnostics}; }

// The border of the API: does the work, and turns its diagnostics and a lack of memory into a Failure. What
// was being written is discarded on the way out.
template <class Work>
auto attempt(Work&& work) -> Outcome<std::decay_t<decltype(*work())>> {
  try {
    auto result = work();
    if (!result) return failure_from(result.diagnostics());
    return std::move(*result);
  } catch (const std::bad_alloc&) {
    return failure_from({out_of_memory()});
  } catch (const std::length_error&) {  // more than any memory holds
    return failure_from({out_of_memory()});
  }
}

inline Numbers3 numbers(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 vector(const Numbers3& v) { return {v[0], v[1], v[2]}; }

std::vector<ProbeReading> read_probes(const Simulation& simulation);

// Any file, for what names files by path; with a folder only what lies in it, links followed.
Result<std::string> read_any(std::string_view path, std::string_view folder = {});

// The files that a command reads, included ones too, so that it writes over none of them.
class Inputs {
 public:
  void add(const std::string& path);
  void add(const std::vector<std::string>& paths);
  // read_any, for readers that find out on their way what they read. The inputs must outlive it.
  ReadFile reader();
  // Refuses to write over one of them, by whatever name; `writer` is what would do it.
  Result<Done> spare(const std::string& path, std::string_view writer, std::string_view hint) const;
  bool has(const std::string& path) const;

 private:
  std::set<FileIdentity> files_;
};

// The numbers of "NAME=number", for constants of a grammar.
Result<std::map<std::string, double>> parameters_of(const std::vector<std::string>& overrides);

// A tree from elsewhere that a scenario names.
Result<Plant> read_tree(const TreeSource& source, Diagnostics& notes);

// The columns of the trees' files that have no meaning here, and are given out again with them.
using TreeColumns = std::map<const TreeSource*, PlantColumns>;
// As read_tree, keeping the columns of each tree of a scenario.
ReadTree read_tree_keeping(TreeColumns& columns);
// Of each plant of a simulation, null where it is from no file: for the pieces that its segments were cut
// into, without the masses, which are those that it moved with. Equal plants share theirs.
std::vector<std::shared_ptr<const PlantColumns>> columns_of(const Scenario& scenario,
                                                            const Simulation& simulation,
                                                            TreeColumns columns);

// What is not to be trusted of a motion so far.
Diagnostics notes_on_motion(const Simulation& simulation);

// The trees, grammars, meshes and paths that a scenario names.
std::vector<std::string> files_named(const Scenario& scenario);

// The material of a species; none for an empty name.
Result<std::optional<Material>> material_of(const std::string& species);

}  // namespace thigmo
