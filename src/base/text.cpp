#include "base/text.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>

namespace thigmo {

NumberPrefix number_prefix(std::string_view text) {
  double value = 0;
  const auto [end, code] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || !std::isfinite(value)) return {};
  return {.value = value, .length = static_cast<std::size_t>(end - text.data())};
}

std::optional<double> number_from_text(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const NumberPrefix prefix = number_prefix(text);
  if (prefix.length == 0 || prefix.length != text.size()) return std::nullopt;
  return prefix.value;
}

std::string text_from_number(double value) { return fmt::format("{}", value); }

}  // namespace thigmo
