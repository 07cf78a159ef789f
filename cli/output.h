#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "thigmo/thigmo.h"

// The one place that prints. Results go to standard output, and one that cannot be written makes the
// command fail; what is said to people goes to standard error, and is lost in silence where nobody can
// read it.
namespace thigmo::cli {

// Opens descriptors 0 to 2 on /dev/null where they are closed: else the next file would take their number,
// and what is said would land in it.
void open_standard_streams();

void print_text(std::string_view text);
void say_text(std::string_view text);

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  say_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// To standard error, each on lines of its own.
void say(const Diagnostics& diagnostics);

// As part of a summary for people: notes and warnings to standard output, errors to standard error.
void print_notes(const Diagnostics& diagnostics);

// How a command that has no result ends: said, as JSON too where that was asked for; `exit_code` again.
int fail(const Diagnostics& diagnostics, bool json, int exit_code);
int fail(std::string message, bool json, int exit_code);

// Writes out what is still held back. The exit code, or that of a failure where output was lost.
int finish(int exit_code);

}  // namespace thigmo::cli
