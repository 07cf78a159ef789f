#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace thigmo {

// What a name stands for in an #if: none when it is not defined.
using LookUp = std::function<std::optional<std::string_view>(std::string_view name)>;

// The value of an #if or #elif: numbers, names of constants, defined(NAME), parentheses and the
// operators ! - + * / % < <= > >= == != && || with C's precedence.
struct IfValue {
  double value = 0;
  std::string error;   // empty: none
  std::size_t at = 0;  // where in the text the error stands
};
IfValue evaluate_if(std::string_view text, const LookUp& look_up);

}  // namespace thigmo
