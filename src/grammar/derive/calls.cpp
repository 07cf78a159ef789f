#include "grammar/derive/calls.h"

#include <fmt/format.h>

namespace thigmo {

Result<Done> follow_call(const Program& program, Kind kind, const double* parameters,
                         Calls& calls) {
  if (kind == program.sub_close) {
    if (calls.inside_one()) calls.systems.pop_back();
    return Done{};
  }
  for (std::size_t s = 0; s < program.systems.size(); ++s) {
    if (static_cast<double>(program.systems[s].label) == parameters[0]) {
      calls.systems.push_back(s);
      return Done{};
    }
  }
  return diagnostic_in(program.source, program.axiom_place,
                       fmt::format("there is no L-system with label {}", parameters[0]));
}

std::size_t end_of_cut(const Program& program, const ModuleString& string, std::size_t i,
                       bool in_sub_system) {
  std::int64_t branches = 0, calls = 0;
  for (; i < string.kinds.size(); ++i) {
    const Kind kind = string.kinds[i];
    if (kind == program.open_bracket) ++branches;
    if (kind == program.close_bracket && --branches < 0) break;
    if (kind == program.sub_open) ++calls;
    if (kind == program.sub_close && in_sub_system && --calls < 0) break;
  }
  return i;
}

}  // namespace thigmo
