#pragma once

#include "grammar/grammar.h"

namespace thigmo {

// How a module of the derived string came to be.
struct ModuleStory {
  std::string text;          // "F(0.5)"
  Index step = 0;            // that wrote it; 0: the axiom
  Index rule = no_index;     // in file order; -1: the axiom
  int line = 0;              // of the rule
  std::int64_t parent = -1;  // the module replaced, in the string before that step
  std::string parent_text;   // cut where it is long: a module may have many children
};

// The story of every module of the string, in order; of at most a million modules.
Result<std::vector<ModuleStory>> explain(const Grammar& grammar, const GrowOptions& options = {});

// A module of the final string and its ancestors, from the axiom on, one entry per step in which
// the line of descent was rewritten.
Result<std::vector<ModuleStory>> explain_lineage(const Grammar& grammar, std::int64_t module,
                                                 const GrowOptions& options = {});

// One line per module, ready to print. A rule is shown where it is met first, and then named by its
// line.
std::string to_string(const Grammar& grammar, const std::vector<ModuleStory>& stories);

}  // namespace thigmo
