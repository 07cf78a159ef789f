#include "base/base64.h"

#include <array>
#include <cstdint>

namespace thigmo {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  for (std::uint8_t& value : values) value = no_digit;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    values[static_cast<std::uint8_t>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> values_of_digits = make_values();

}  // namespace

std::string base64_from_bytes(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < bytes.size() ? static_cast<std::uint8_t>(bytes[i]) : 0;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text.push_back(digits[bits >> 18]);
    text.push_back(digits[bits >> 12 & 63]);
    text.push_back(i + 1 < bytes.size() ? digits[bits >> 6 & 63] : '=');
    text.push_back(i + 2 < bytes.size() ? digits[bits & 63] : '=');
  }
  return text;
}

std::optional<std::string> bytes_from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::uint8_t digit = values_of_digits[static_cast<std::uint8_t>(c)];
    if (digit == no_digit) return std::nullopt;
    bits = bits << 6 | digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>(bits >> count & 0xff));
    }
  }
  return bytes;
}

}  // namespace thigmo
