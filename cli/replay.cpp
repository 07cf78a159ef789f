#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

struct ReplayCommand {
  std::string file;
  ReplayOptions options;
  bool json = false;
};

int replay_and_print(ReplayCommand& command) {
  command.options.cancel = &interrupted();
  const Outcome<Replay> again = replay_file(command.file, command.options);
  if (!again) return fail(again.diagnostics(), command.json, exit_failed);
  if (again->cancelled) return fail("interrupted", command.json, exit_interrupted);
  if (command.json) {
    print("{}\n", to_json(*again));
  } else {
    print("{} steps made again, to {:.6g} s: {} segments\nstate {:016x}, {}\n", again->steps,
          again->world.time(), again->world.segment_count(), again->state_hash,
          again->differs ? "which is not that of the log" : "as in the log");
  }
  if (!again->differs) return 0;
  say(Diagnostics{*again->differs});
  return exit_failed;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  auto replay = std::make_shared<ReplayCommand>();
  CLI::App* command =
      app.add_subcommand("replay", "Make the calls of a log again, and compare where they lead");
  command->add_option("LOG", replay->file, "A log: of a run with --log, or of a world")->required();
  command->add_option("--threads", replay->options.threads, "Threads to use (0: all)")
      ->check(not_negative());
  command->add_flag("--json", replay->json, "Print the result as JSON");
  command->footer("Example: thigmo replay broken.log");
  command->callback([replay, &exit_code] { exit_code = replay_and_print(*replay); });
}

}  // namespace thigmo::cli
