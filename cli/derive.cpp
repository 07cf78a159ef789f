#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

struct Options {
  DeriveRequest request;
  bool string = false, json = false;
};

std::string json_text(const Derived& derived) {
  nlohmann::ordered_json json;
  json["length"] = derived.length;
  json["counts"] = derived.counts;
  json["segments"] = derived.segments;
  json["bbox_min"] = derived.bbox_min;
  json["bbox_max"] = derived.bbox_max;
  return json.dump();
}

void print_table(const Derived& derived) {
  fmt::print("length    {} symbols\n", derived.length);
  for (const auto& [symbol, count] : derived.counts) fmt::print("  {:<8}{}\n", symbol, count);
  fmt::print("segments  {}\n", derived.segments);
  fmt::print("size      {:.4g} x {:.4g} x {:.4g} m\n", derived.bbox_max[0] - derived.bbox_min[0],
             derived.bbox_max[1] - derived.bbox_min[1], derived.bbox_max[2] - derived.bbox_min[2]);
}

int derive_and_print(const Options& options) {
  const Outcome<Derived> derived = derive(options.request);
  if (!derived) {
    fmt::print(stderr, "{}\n", derived.error());
    return exit_failed;
  }
  if (!derived->warnings.empty()) fmt::print(stderr, "{}\n", derived->warnings);
  if (options.string) {
    fmt::print("{}\n", derived->text);
  } else if (options.json) {
    fmt::print("{}\n", json_text(*derived));
  } else {
    print_table(*derived);
  }
  return 0;
}

}  // namespace

void add_derive(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("derive", "Derive a grammar and say what came out");
  command->add_option("FILE", options->request.file, "Grammar file (.lsys)")->required();
  command->add_option("--steps", options->request.steps, "Derivation steps instead of the file's")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--seed", options->request.seed, "Seed of the random choices")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--angle", options->request.angle_degrees, "Default angle in degrees")
      ->check(finite_number());
  command->add_option("--threads", options->request.threads, "Threads to derive with (0: all)")
      ->check(CLI::NonNegativeNumber);
  CLI::Option* string = command->add_flag("--string", options->string, "Print the derived string");
  command->add_flag("--json", options->json, "Print the summary as JSON")->excludes(string);
  command->footer("Example: thigmo derive gallery/plants/young_tree.lsys --steps 6 --json");
  command->callback([options, &exit_code] {
    options->request.want_text = options->string;
    exit_code = derive_and_print(*options);
  });
}

}  // namespace thigmo::cli
