#pragma once

#include <array>
#include <utility>
#include <vector>

#include "grammar/derive/shares.h"

namespace thigmo {

// The successors of all kinds of a program in which every kind has one, without parameters.
struct PlainSuccessors {
  std::vector<Kind> store;  // successors, each padded for whole copies
  std::array<std::pair<const Kind*, std::size_t>, 256> of{};
};

// Every module has one fixed successor without parameters: copies bytes. The successors are prepared
// in the first step.
void step_plain(const Task& task, const ModuleString& now, const std::vector<ShareRange>& ranges,
                PlainSuccessors& successors, ModuleString& next);

}  // namespace thigmo
