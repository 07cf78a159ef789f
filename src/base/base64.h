#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thigmo {

// Bytes as letters, digits, + and /, three bytes in four (RFC 4648).
std::string base64_from_bytes(std::string_view bytes);

// None where the text holds other characters. An = ends it.
std::optional<std::string> bytes_from_base64(std::string_view text);

}  // namespace thigmo
