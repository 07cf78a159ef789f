#include <csignal>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "cli/commands.h"
#include "cli/output.h"
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
    // Under nohup a closed terminal is none of our business.
    if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
    return true;
  }();
  static_cast<void>(watching);
  return interrupt_flag;
}

namespace {

// The command line may be wrong, and then no command has looked at its options.
bool json_wanted(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--json") return true;
  }
  return false;
}

// Help, the version, or what is wrong with the command line.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& failure, bool json) {
  std::ostringstream out, err;
  if (app.exit(failure, out, err) == 0) {
    print_text(out.str());
    return 0;
  }
  return fail(Diagnostics{{.message = failure.what(), .hint = "run with --help for more"}}, json,
              exit_usage);
}

int run_command(int argc, char** argv) {
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
  add_replay(app, exit_code);
  add_validate(app, exit_code);
  add_bench(app, exit_code);
  const bool json = json_wanted(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    return end_of_parsing(app, failure, json);
  } catch (const std::bad_alloc&) {
    return fail(Diagnostics{out_of_memory()}, json, exit_failed);
  } catch (const std::length_error&) {
    return fail(Diagnostics{out_of_memory()}, json, exit_failed);
  }
  return exit_code;
}

}  // namespace
}  // namespace thigmo::cli

int main(int argc, char** argv) {
  thigmo::cli::open_standard_streams();
  // A file that may not grow further is an error like a full disk, with nothing left behind.
  std::signal(SIGXFSZ, SIG_IGN);
  return thigmo::cli::finish(thigmo::cli::run_command(argc, argv));
}
