#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "cli/commands.h"

namespace thigmo::cli {
namespace {

int lost_output = 0;  // why standard output could not be written, as errno; 0: it could

void note_failure() {
  if (lost_output == 0) lost_output = errno != 0 ? errno : EIO;
}

}  // namespace

void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number, which is this one.
    if (::open("/dev/null", O_RDWR) != descriptor) std::_Exit(exit_failed);
  }
}

void print_text(std::string_view text) {
  if (lost_output != 0) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note_failure();
}

void say_text(std::string_view text) {
  // What was printed before comes first where both go to one place.
  errno = 0;
  if (std::fflush(stdout) != 0) note_failure();
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

void say(const Diagnostics& diagnostics) {
  if (!diagnostics.empty()) say("{}\n", to_string(diagnostics));
}

void print_notes(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    const std::string text = to_string(diagnostic) + "\n";
    diagnostic.severity == Severity::error ? say_text(text) : print_text(text);
  }
}

int fail(const Diagnostics& diagnostics, bool json, int exit_code) {
  say(diagnostics);
  if (json) print("{}\n", to_json(diagnostics));
  return exit_code;
}

int fail(std::string message, bool json, int exit_code) {
  return fail(Diagnostics{{.message = std::move(message)}}, json, exit_code);
}

int finish(int exit_code) {
  errno = 0;
  if (std::fflush(stdout) != 0) note_failure();
  if (lost_output == 0) return exit_code;
  static bool told = false;
  if (!std::exchange(told, true))
    say("error: cannot write standard output: {}\n  hint: what was printed is not whole\n",
        std::generic_category().message(lost_output));
  return exit_code == 0 ? exit_failed : exit_code;
}

}  // namespace thigmo::cli
