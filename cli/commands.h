#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <cmath>
#include <cstdlib>

// Each adds one subcommand; its callback returns through `exit_code`.
namespace thigmo::cli {

void add_derive(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_render(CLI::App& app, int& exit_code);
void add_modes(CLI::App& app, int& exit_code);
void add_pose(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_validate(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);

// Set by Ctrl-C; long work looks at it and stops without leaving half a file.
const std::atomic<bool>& interrupted();

// Refuses nan and inf, which the number parser takes.
inline CLI::Validator finite_number() {
  return CLI::Validator(
      [](const std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return std::isfinite(value) ? std::string() : text + " is not a finite number";
      },
      "FINITE");
}

constexpr int exit_failed = 1;         // bad input, or a check that did not hold
constexpr int exit_usage = 2;          // the command line itself
constexpr int exit_interrupted = 130;  // as shells report Ctrl-C

}  // namespace thigmo::cli
