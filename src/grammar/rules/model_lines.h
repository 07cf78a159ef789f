#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/rules/compiler.h"

namespace thigmo {

// Words at the start of a line, separated by one space, in lower case; `end` moves behind them.
std::string leading_words(const std::string& text, std::size_t begin, std::size_t line_end,
                          std::size_t& end);

// Words that a : follows.
bool is_header_word(const std::string& words);
// Words that may stand alone.
bool is_section_word(const std::string& words);
// The header word that was meant; "" when none is near.
std::string closest_header_word(const std::string& words);

// Items: a line, the indented lines that continue it, and the lines of an open { } before the arrow.
std::vector<Line> logical_lines(const std::string& text);

}  // namespace thigmo
