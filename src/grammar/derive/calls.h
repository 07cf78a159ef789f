#pragma once

#include <vector>

#include "base/result.h"
#include "grammar/rewrite/module_string.h"

namespace thigmo {

// The L-systems that ?(n,s) has called and $ has not left yet, the innermost last.
struct Calls {
  std::vector<std::size_t> systems{0};

  std::size_t innermost() const { return systems.back(); }
  bool inside_one() const { return systems.size() > 1; }
};

inline bool is_call(const Program& program, Kind kind) {
  return kind == program.sub_open || kind == program.sub_close;
}

// Passes a ?(n,s) or $.
Result<Done> follow_call(const Program& program, Kind kind, const double* parameters, Calls& calls);

// Where a cut at `i` ends: at the end of its branch, or of the sub-L-system it stands in.
std::size_t end_of_cut(const Program& program, const ModuleString& string, std::size_t i,
                       bool in_sub_system);

}  // namespace thigmo
