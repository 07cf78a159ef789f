#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

struct RunOptions {
  RunRequest request;
  bool json = false;
};

// "out/demo" for "gallery/scenarios/demo.toml".
std::string default_folder(const std::string& scenario_file) {
  const std::size_t name = scenario_file.rfind('/') + 1;
  const std::size_t dot = scenario_file.rfind('.');
  const bool has_extension = dot != std::string::npos && dot > name;
  return "out/" + scenario_file.substr(name, has_extension ? dot - name : std::string::npos);
}

void print_summary(const RunSummary& summary, const std::string& folder) {
  print("{} segments, {} steps, {:.3g} s simulated in {:.3g} s: {:.3g} times real time\n",
        summary.segments, summary.steps, summary.simulated_seconds, summary.wall_seconds,
        summary.real_time_factor);
  if (summary.rejected_steps > 0) {
    print("{} substeps were retaken smaller to stay accurate\n", summary.rejected_steps);
  }
  for (const ProbeReading& probe : summary.probes) {
    if (std::isnan(probe.position[0])) {
      print("{:<16} is gone, with the segment that it was on\n", probe.name);
      continue;
    }
    print("{:<16} at ({:.6g}, {:.6g}, {:.6g}) m, moving ({:.3g}, {:.3g}, {:.3g}) m/s\n", probe.name,
          probe.position[0], probe.position[1], probe.position[2], probe.velocity[0],
          probe.velocity[1], probe.velocity[2]);
  }
  print_notes(summary.notes);
  print("state {:016x}\n", summary.state_hash);
  print("written to {}:", folder);
  for (const std::string& file : summary.files) print(" {}", file);
  print("\n");
}

int run_and_print(RunOptions& options) {
  RunRequest& request = options.request;
  if (request.out_folder.empty()) request.out_folder = default_folder(request.scenario_file);
  request.cancel = &interrupted();
  ProgressDisplay display;
  request.on_progress = [&display](const Progress& progress) { display.show(progress); };
  const Outcome<RunSummary> summary = run(request);
  if (!summary) return fail(summary.diagnostics(), options.json, exit_failed);
  if (summary->cancelled) {
    return fail("interrupted: files that were complete are kept, no other is left", options.json,
                exit_interrupted);
  }
  if (options.json) {
    say(summary->notes);
    print("{}\n", to_json(*summary));
  } else {
    print_summary(*summary, request.out_folder);
  }
  return summary->finite ? 0 : exit_failed;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scenario and write its outputs");
  command->add_option("SCENARIO", options->request.scenario_file, "Scenario file (.toml)")
      ->required();
  command->add_option("--out", options->request.out_folder,
                      "Folder for all outputs (default: out/NAME of the scenario)");
  command->add_option("--threads", options->request.threads, "Threads to use (0: all)")
      ->check(not_negative());
  command
      ->add_option(
          "--set", options->request.overrides,
          "Change a key of the scenario: duration=5, wind.mean=[9,0,0], plant.0.segments=50")
      ->allow_extra_args(false);
  command->add_option("--save", options->request.save_file,
                      "Leave a snapshot of the end of the run in this file");
  command->add_option("--restore", options->request.restore_file,
                      "Go on from a snapshot of the same scenario, with the same bits");
  command->add_option("--log", options->request.log_file,
                      "Leave a log of the run in this file: thigmo replay makes it again");
  command->add_flag("--json", options->json, "Print the summary as JSON");
  command->footer(
      "Example: thigmo run gallery/scenarios/cantilever.toml --set plant.beam.segments=50 --json");
  command->callback([options, &exit_code] { exit_code = run_and_print(*options); });
}

}  // namespace thigmo::cli
