#include <csignal>
#include <cstdio>

#include "cli/commands.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

std::atomic<bool> interrupt_flag{false};

// The first Ctrl-C asks, the second ends the program at once.
void on_interrupt(int) {
  if (interrupt_flag.exchange(true)) std::_Exit(exit_interrupted);
}

}  // namespace

const std::atomic<bool>& interrupted() {
  // From the first look on; commands that never look end at once, as programs do.
  static const bool watching = [] {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    return true;
  }();
  static_cast<void>(watching);
  return interrupt_flag;
}

}  // namespace thigmo::cli

int main(int argc, char** argv) {
  // A file that may not grow further is an error like a full disk, with nothing left behind.
  std::signal(SIGXFSZ, SIG_IGN);
  using namespace thigmo::cli;
  CLI::App app{"thigmo grows plants from grammars and moves them.", "thigmo"};
  app.set_version_flag("--version", std::string("thigmo ") + thigmo::version());
  app.require_subcommand(1);
  app.footer(
      "Example: thigmo run gallery/scenarios/demo.toml --out out/demo\n"
      "Each command has its own --help.");
  int exit_code = 0;
  add_derive(app, exit_code);
  add_check(app, exit_code);
  add_convert(app, exit_code);
  add_render(app, exit_code);
  add_gallery(app, exit_code);
  add_pose(app, exit_code);
  add_modes(app, exit_code);
  add_run(app, exit_code);
  add_validate(app, exit_code);
  add_bench(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    return app.exit(failure) == 0 ? 0 : exit_usage;
  }
  return exit_code;
}
