#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/common.h"
#include "io/disk/file.h"
#include "io/tables/attribute.h"
#include "scenario/make_simulation.h"

namespace thigmo {

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

}  // namespace thigmo
