#include "bench/bench.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"

namespace thigmo::cli {
namespace {

struct Options {
  std::string gallery = "gallery";
  bool json = false;
};

int run_bench(const Options& options) {
  const bench::Report report = bench::run_all(options.gallery);
  if (!report.failure.empty()) {
    fmt::print(stderr, "{}\n", report.failure);
    return exit_failed;
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
      fmt::print("{:<44} {:>12.4g} {:<26}", figure.name, figure.value, figure.unit);
      if (figure.target != 0) {
        fmt::print(" target {} {:g}: {}", figure.higher_is_better ? ">=" : "<=", figure.target,
                   figure.met() ? "met" : "MISSED");
      }
      fmt::print("\n");
    }
  }
  if (options.json) fmt::print("{}\n", nlohmann::ordered_json{{"figures", json}}.dump());
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure how fast this machine grows and moves plants");
  command->add_option("--gallery", options->gallery, "The folder gallery/ of the source tree");
  command->add_flag("--json", options->json, "Print the figures as JSON");
  command->footer("Example: thigmo bench --json");
  command->callback([options, &exit_code] { exit_code = run_bench(*options); });
}

}  // namespace thigmo::cli
