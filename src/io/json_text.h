#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/result.h"

namespace thigmo {

// JSON from a foreign hand: refused when it is nested deeper than `max_depth`, larger than 256 MiB
// (a value takes up to eight times its text in memory) or not JSON. Numbers beyond a double are
// refused by the parser.
inline Result<nlohmann::json> parse_json(std::string_view text, std::string_view file,
                                         int max_depth = 64) {
  const auto failure = [&](std::string message, std::size_t offset) {
    return diagnostic_at(file, text, offset, std::move(message));
  };
  if (text.size() > (256u << 20)) return failure("the file is larger than 256 MiB", 0);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > max_depth) {
        return failure(fmt::format("the file is nested deeper than {} levels", max_depth), i);
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  // The parser says where it stopped only by throwing; nothing is thrown beyond this function.
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& wrong) {
    return failure("this is not JSON", wrong.byte > 0 ? wrong.byte - 1 : 0);
  } catch (const nlohmann::json::exception&) {
    return failure("this JSON holds a number that is too large", 0);
  }
}

}  // namespace thigmo
