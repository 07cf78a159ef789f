#pragma once

// What is said about a user's text, file or request: the same for people and for programs.

#include <string>
#include <vector>

namespace thigmo {

// An error: there is no result. A warning: there is one, and it may not be what was meant. A note: what
// was completed, left out or given up.
enum class Severity { error, warning, note };

// What kind of error it is, for programs.
enum class Trouble {
  input,     // a text, a file or a request says what cannot be
  argument,  // a number or a name that makes no sense
  stale,     // the name of a thing that is gone, or never was
  memory,    // there is not enough
  busy,      // another thread is in a call on the same world
  motion,    // it could not be continued
};

// One thing that is said, where it belongs, and what to do about it.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string message;
  std::string file = {};         // as the user named it; empty when no file is meant
  int line = 0;                  // 1-based; 0 when the whole file is meant
  int column = 0;                // 1-based, in bytes; 0 when the whole line is meant
  std::string source_line = {};  // of that line's text a window around the column, for the caret
  int source_start = 0;          // where in the line that window begins, in bytes
  std::string hint = {};         // what to do; may be empty
  Trouble trouble = Trouble::input;
};
using Diagnostics = std::vector<Diagnostic>;

// The value of what yields nothing but may fail.
struct Done {};

// "error", "warning" or "note".
const char* to_string(Severity severity);

// "file:line:column: error: message", the source line, a caret under the column, the hint.
std::string to_string(const Diagnostic& diagnostic);
// All of them, a line break between; of many, the first ones and how many more there are.
std::string to_string(const Diagnostics& diagnostics);

}  // namespace thigmo
