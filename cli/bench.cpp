#include "bench/bench.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/output.h"

namespace thigmo::cli {
namespace {

struct Options {
  std::string gallery = "gallery";
  std::vector<std::string> parts;
  bool json = false;
};

int run_bench(const Options& options) {
  const bench::Report report = bench::run_parts(options.gallery, options.parts);
  if (!report.failure.empty()) {
    // It is ready to print, as an Outcome's error is.
    constexpr std::string_view prefix = "error: ";
    const bool prefixed = report.failure.starts_with(prefix);
    return fail(report.failure.substr(prefixed ? prefix.size() : 0), options.json, exit_failed);
  }
  const bench::Machine& machine = report.machine;
  if (!options.json) {
    print("{} kernels, up to {} lanes of doubles; {}; {} threads\n", machine.kernels, machine.lanes,
          machine.model.empty() ? "a processor without a name" : machine.model, machine.threads);
  }
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const bench::Figure& figure : report.figures) {
    if (options.json) {
      json.push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
      if (figure.target != 0) {
        json.back()["target"] = figure.target;
        json.back()["met"] = figure.met();
      }
    } else {
      print("{:<44} {:>12.4g} {:<26}", figure.name, figure.value, figure.unit);
      if (figure.target != 0) {
        print(" target {} {:g}: {}", figure.higher_is_better ? ">=" : "<=", figure.target,
              figure.met() ? "met" : "MISSED");
      }
      print("\n");
    }
  }
  if (options.json) {
    print_json({{"machine",
                 {{"kernels", machine.kernels},
                  {"lanes", machine.lanes},
                  {"processor", machine.model},
                  {"threads", machine.threads}}},
                {"figures", json}});
  }
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure how fast this machine grows and moves plants");
  std::vector<std::string> names;
  for (const bench::Part& part : bench::parts) names.emplace_back(part.name);
  command->add_option("PART", options->parts, "What to measure; all where nothing is named")
      ->check(CLI::IsMember(names));
  command->add_option("--gallery", options->gallery, "The folder gallery/ of the source tree");
  command->add_flag("--json", options->json, "Print the figures as JSON");
  command->footer("Example: thigmo bench motion edits --json");
  command->callback([options, &exit_code] { exit_code = run_bench(*options); });
}

}  // namespace thigmo::cli
