#pragma once

#include <functional>
#include <memory>
#include <span>

#include "base/result.h"
#include "grammar/rewrite/module_string.h"
#include "grammar/rewrite/options.h"

namespace thigmo {

// Is called with every string, from the axiom on, and for every module of it the module of the
// string before that it comes from; the latter only where parents were asked for.
using Watch =
    std::function<void(const ModuleString& string, std::span<const std::int64_t> parents)>;

// What somebody wants to know besides the string.
struct DeriveWishes {
  bool births = false;   // the rule and step of every module
  bool parents = false;  // for the watch
  Watch watch = {};
};

// The string of a program after all steps.
Result<ModuleString> derive_string(std::shared_ptr<const Program> program,
                                   const GrowOptions& options, const DeriveWishes& wishes = {});

}  // namespace thigmo
