#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thigmo/diagnostic.h"

namespace thigmo {

// A position in a text, found from a byte offset.
struct TextPosition {
  int line = 1;    // 1-based
  int column = 1;  // 1-based, in bytes
};
TextPosition text_position(std::string_view text, std::size_t offset);

// The text of the given 1-based line, without its end-of-line characters.
std::string_view text_line(std::string_view text, int line);

// Keeps of a line what is shown of it: lines of a hostile file may be as long as the file.
void show_line(std::string_view line, Diagnostic& diagnostic);

// A message with a word of megabytes in it, as its beginning and its end.
std::string shortened(std::string message);

// A diagnostic that points at `offset` in `text`.
Diagnostic diagnostic_at(std::string_view file, std::string_view text, std::size_t offset,
                         std::string message, std::string hint = {});

// Whether one of them is an error, not a warning or a note.
bool has_error(const Diagnostics& diagnostics);

// The candidate nearest to `word` in edit distance, or "" when none is near enough to suggest.
std::string closest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace thigmo
