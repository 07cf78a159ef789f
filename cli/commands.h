#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "cli/output.h"

// Each adds one subcommand; its callback returns through `exit_code`.
namespace thigmo::cli {

void add_derive(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_gallery(CLI::App& app, int& exit_code);
void add_modes(CLI::App& app, int& exit_code);
void add_pose(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);

constexpr int exit_failed = 1;         // bad input, or a check that did not hold
constexpr int exit_usage = 2;          // the command line itself
constexpr int exit_interrupted = 130;  // as shells report Ctrl-C

// How a command that draws a picture begins to end: said where there is none, or as JSON; the exit code then.
template <class Summary>
std::optional<int> end_of_picture(const Outcome<Summary>& summary, bool json) {
  if (!summary) return fail(summary.diagnostics(), json, exit_failed);
  if (summary->cancelled) {
    return fail("interrupted: no picture was written", json, exit_interrupted);
  }
  say(summary->notes);
  if (!json) return {};
  print("{}\n", to_json(*summary));
  return 0;
}

// Whether Ctrl-C was pressed since the first call; long work looks at it and stops without leaving half a file.
const std::atomic<bool>& interrupted();

// Refuses numbers that do not fulfil a condition; `wanted` ends the message "X is not …".
inline CLI::Validator number_that(bool (*good)(double), const std::string& wanted) {
  return CLI::Validator(
      [good, wanted](const std::string& text) {
        return good(std::strtod(text.c_str(), nullptr)) ? std::string()
                                                        : text + " is not " + wanted;
      },
      "NUMBER");
}
// The number parser takes nan and inf; these do not.
inline CLI::Validator finite_number() {
  return number_that([](double x) { return std::isfinite(x); }, "a finite number");
}
inline CLI::Validator not_negative() {
  return number_that([](double x) { return std::isfinite(x) && x >= 0; }, "a number from 0 on");
}
inline CLI::Validator positive() {
  return number_that([](double x) { return std::isfinite(x) && x > 0; }, "a number above 0");
}

}  // namespace thigmo::cli
