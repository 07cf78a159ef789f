#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace thigmo {

// The memory that one file may make the program use: what a small file may ask for has no bound of its
// own (repeated runs, instances, counts). Asked before memory is, in bytes that will be held at once.
struct Budget {
  std::string file = {};  // that it is for, as the user named it
  double bytes = 4e9;     // left
  double all = bytes;     // at the start
};

// Takes `count` things of `bytes_each`; refused, with the budget as it was, where that is more than is left.
Result<Done> spend(Budget& budget, double count, double bytes_each, std::string_view what);

}  // namespace thigmo
