#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/budget.h"
#include "base/reserve.h"
#include "base/result.h"

namespace thigmo {

struct ParsedJson {
  nlohmann::json root;
  Reserve reserve;  // for the destructors of the values; behind them, so that it goes first
};

// JSON from a foreign hand: refused when it is nested deeper than `max_depth`, when its values would
// take more than the budget has left (up to thirty times their text), or when it is not JSON. Numbers
// beyond a double are refused by the parser.
inline Result<ParsedJson> parse_json(std::string_view text, std::string_view file, Budget& budget,
                                     int max_depth = 64) {
  const auto failure = [&](std::string message, std::size_t offset) {
    return diagnostic_at(file, text, offset, std::move(message));
  };
  // What a value takes with its part of a growing list, a list, an object, a key with its node, and
  // a letter, which the parser holds several times while it reads.
  constexpr double value_bytes = 32, list_bytes = 48, object_bytes = 80, key_bytes = 96,
                   letter_bytes = 5;
  double values = 1, bytes = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      bytes += letter_bytes;
    } else if (c == '"') {
      quoted = true;
      bytes += value_bytes;
    } else if (c == ',') {
      values += 1;
    } else if (c == ':') {
      bytes += key_bytes;
    } else if (c == '[' || c == '{') {
      values += 1;
      bytes += c == '[' ? list_bytes : object_bytes;
      if (++depth > max_depth) {
        return failure(fmt::format("the file is nested deeper than {} levels", max_depth), i);
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  const Result<Done> done =
      spend(budget, values, value_bytes + bytes / values, "values of the JSON");
  if (!done) return done.diagnostics();
  // The parser says where it stopped only by throwing; nothing is thrown beyond this function.
  try {
    ParsedJson parsed{.root = {}, .reserve = Reserve(reserve_for_json(values))};
    parsed.root = nlohmann::json::parse(text);
    return parsed;
  } catch (const nlohmann::json::parse_error& wrong) {
    return failure("this is not JSON", wrong.byte > 0 ? wrong.byte - 1 : 0);
  } catch (const nlohmann::json::exception&) {
    return failure("this JSON holds a number that is too large", 0);
  }
}

}  // namespace thigmo
