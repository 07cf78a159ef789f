#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace thigmo {

// What a name stands for in an #if: none when it is not defined.
using LookUp = std::function<std::optional<std::string_view>(std::string_view name)>;

// The value of an #if or #elif: numbers, names of constants, defined(NAME), parentheses and the
// operators ! - + * / % < <= > >= == != && || with C's precedence. The column of an error is the byte
// of `text`, from 1.
Result<double> evaluate_if(std::string_view text, const LookUp& look_up);

}  // namespace thigmo
