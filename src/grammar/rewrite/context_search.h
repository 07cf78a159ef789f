#pragma once

#include <vector>

#include "grammar/rewrite/context_tables.h"

namespace thigmo {

// What a step from the right has written so far: the successors of the last modules, last first.
struct WrittenFromRight {
  struct Piece {
    std::size_t module, parameter;  // where it begins
    std::size_t parent;             // the module it replaces
  };
  ModuleString modules;
  std::vector<Piece> pieces;  // none is empty
};
// What came of the modules before `parent` is cut away again.
void drop_until(WrittenFromRight& written, std::size_t parent);

// Where rules look for their contexts.
struct Surroundings {
  StringView string = {};                       // as it was before this step
  const ModuleString* new_left = nullptr;       // for <<: what the step has written from the left
  const WrittenFromRight* new_right = nullptr;  // for >>: and from the right
  std::int32_t group = 0;                       // rules of this group and of group 0 apply
};

// Does the nearest module already say that a rule for the module `index` has no context here?
inline bool refused_at_sight(const Rule& rule, std::size_t index, const StringView& string) {
  if (!rule.left.empty() && !rule.left_new && index > 0 &&
      rule.left_says[string.kinds[index - 1]] == 0) {
    return true;
  }
  return !rule.right.empty() && !rule.right_new && rule.strict.size() == 1 &&
         index + 1 < string.size && rule.right_says[string.kinds[index + 1]] == 0;
}

// Are both contexts of the rule there, for the module `index`? Their parameters go into `frame`;
// every module passed takes one of `work_left`.
bool contexts_match(const Program& program, const Rule& rule, std::size_t index,
                    const Surroundings& around, double* frame, std::int64_t& work_left);

}  // namespace thigmo
