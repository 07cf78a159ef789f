#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thigmo {

enum class Severity { error, warning };

// One thing wrong with what the user gave us, and what to do about it.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;
  std::string file = {};  // as the user named it; empty when no file is at fault
  int line = 0;           // 1-based; 0 when the whole file is meant
  int column = 0;         // 1-based, in bytes; 0 when the whole line is meant
  std::string source_line =
      {};                 // of the text of that line a window around the column, for the caret
  int source_start = 0;   // where in the line that window begins, in bytes
  std::string hint = {};  // what to do; may be empty
};
using Diagnostics = std::vector<Diagnostic>;

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

// "file:line:column: error: message", the source line, a caret under the column, the hint.
std::string to_string(const Diagnostic& diagnostic);
std::string to_string(const Diagnostics& diagnostics);

// The candidate nearest to `word` in edit distance, or "" when none is near enough to suggest.
std::string closest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace thigmo
