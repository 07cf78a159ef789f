#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

struct PoseOptions {
  PoseRequest request;
  std::vector<double> branch;
  bool json = false;
};

void print_table(const PoseSummary& summary) {
  print("{} segments, {}: {} iterations, residual {:.2g}, {:.3g} ms\n", summary.segments,
        summary.method, summary.iterations, summary.residual, summary.wall_ms);
  if (summary.stable) print("{}\n", *summary.stable ? "stable" : "unstable");
  for (const PosedProbe& probe : summary.probes) {
    print("{:<16} at ({:.8g}, {:.8g}, {:.8g}) m\n", probe.name, probe.position[0],
          probe.position[1], probe.position[2]);
  }
  print("largest stress   {:.4g} MPa in segment {}, safety {:.3g}\n", summary.max_stress * 1e-6,
        summary.max_segment, summary.min_safety);
  if (summary.contacts > 0) {
    print("ground           pushes {} tips up with {:.6g} N\n", summary.contacts,
          summary.ground_force);
  }
  for (const std::string& file : summary.files) print("written {}\n", file);
}

int pose_and_print(PoseOptions& options) {
  if (!options.branch.empty()) {
    options.request.branch = {options.branch[0], options.branch[1], options.branch[2]};
  }
  const Outcome<PoseSummary> summary = pose(options.request);
  if (!summary) return fail(summary.diagnostics(), options.json, exit_failed);
  say(summary->notes);
  if (options.json) {
    print("{}\n", to_json(*summary));
  } else {
    print_table(*summary);
  }
  return 0;
}

}  // namespace

void add_pose(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<PoseOptions>();
  PoseRequest& request = options->request;
  CLI::App* command =
      app.add_subcommand("pose", "Find the pose in which a scenario's loads are in balance");
  command->add_option("SCENARIO", request.scenario_file, "Scenario file (.toml)")->required();
  command
      ->add_option("--method", request.method,
                   "newton, chain-1r, chain-3r, chain-1r-quadratic, chain-3r-quadratic, "
                   "chain-1r-outer or chain-3r-outer")
      ->capture_default_str();
  command->add_flag("--rest-from-pose", request.rest_from_pose,
                    "Find the rest shape that makes the modelled pose the equilibrium");
  command
      ->add_option("--branch", options->branch,
                   "Where the pose is unstable: fall this way (three numbers)")
      ->expected(3);
  command->add_option("--increments", request.load_increments, "Load increments of the chain")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--sweeps", request.most_sweeps, "Sweeps of an increment, at most")
      ->check(positive())
      ->capture_default_str();
  command
      ->add_option("--tolerance", request.tolerance,
                   "The chain is at rest when no tip moves further, in parts of its length")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--out", request.out_folder,
                      "Folder for pose.csv, sections.csv and, with --rest-from-pose, rest.csv");
  command->add_option("--set", request.overrides, "Change a key of the scenario")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->footer("Example: thigmo pose gallery/scenarios/cantilever.toml --json");
  command->callback([options, &exit_code] { exit_code = pose_and_print(*options); });
}

}  // namespace thigmo::cli
