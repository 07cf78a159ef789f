#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thigmo {

// The number that the whole of `text` spells, independent of the locale; none when it does not
// spell one. Infinities and NaN are spelled by nothing.
std::optional<double> number_from_text(std::string_view text);

// The longest number at the start of `text`: its value and how many bytes it takes; length 0 when
// there is none.
struct NumberPrefix {
  double value = 0;
  std::size_t length = 0;
};
NumberPrefix number_prefix(std::string_view text);

// The shortest text that reads back as the same number.
std::string text_from_number(double value);

// Editors on Windows begin UTF-8 texts with a mark that is no part of them.
inline std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

}  // namespace thigmo
