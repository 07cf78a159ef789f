#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "validation/validation.h"

namespace thigmo::cli {
namespace {

using validation::CaseResult;
using validation::Check;

struct Options {
  std::string only;
  std::string plots;
  bool all = false;
  bool json = false;
  bool list = false;
};

bool passed(const CaseResult& result) {
  bool all = result.failure.empty() && result.skipped.empty() && !result.checks.empty();
  for (const Check& check : result.checks) all = all && check.passed();
  return all;
}

nlohmann::ordered_json json_of(const CaseResult& result) {
  nlohmann::ordered_json json{
      {"name", result.name}, {"source", result.source}, {"passed", passed(result)}};
  if (!result.failure.empty()) json["failure"] = result.failure;
  if (!result.skipped.empty()) json["skipped"] = result.skipped;
  if (!result.notes.empty()) json["notes"] = result.notes;
  json["checks"] = nlohmann::ordered_json::array();
  for (const Check& check : result.checks) {
    json["checks"].push_back({{"what", check.what},
                              {"expected", check.expected},
                              {"measured", check.measured},
                              {"tolerance", check.tolerance},
                              {"passed", check.passed()}});
  }
  return json;
}

void print_case(const CaseResult& result) {
  const char* verdict = !result.skipped.empty() ? "skip" : passed(result) ? "ok  " : "FAIL";
  fmt::print("{} {}\n     {}\n", verdict, result.name, result.source);
  for (const std::string* why : {&result.failure, &result.skipped}) {
    if (!why->empty()) fmt::print("     {}\n", *why);
  }
  for (const Check& check : result.checks) {
    fmt::print("     {} {:<58} expected {:<12.7g} measured {:<12.7g} +- {:.2g}\n",
               check.passed() ? "ok  " : "FAIL", check.what, check.expected, check.measured,
               check.tolerance);
  }
  for (const std::string& note : result.notes) fmt::print("     {}\n", note);
}

// False when a picture could not be written, or there is none.
bool write_pictures(const CaseResult& result, const std::string& folder) {
  if (!result.skipped.empty()) return true;
  if (result.failure.empty() && result.plots.empty()) {
    fmt::print(stderr, "error: the case '{}' has no plot\n", result.name);
    return false;
  }
  for (const validation::NamedStrip& strip : result.strips) {
    RenderRequest request = strip.request;
    request.out_file = fmt::format("{}/{}.png", folder, strip.name);
    request.cancel = &interrupted();
    const Outcome<RenderSummary> drawn = render(request);
    if (!drawn) {
      fmt::print(stderr, "{}\n", drawn.error());
      return false;
    }
  }
  for (const validation::NamedPlot& plot : result.plots) {
    const Outcome<std::string> file =
        write_plot(plot.plot, fmt::format("{}/{}.png", folder, plot.name));
    if (!file) {
      fmt::print(stderr, "{}\n", file.error());
      return false;
    }
  }
  return true;
}

int list_cases(bool json) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const validation::Case& validation_case : validation::all_cases()) {
    if (json) {
      names.push_back(validation_case.name);
    } else {
      fmt::print("{:<24} {}\n", validation_case.name, validation_case.source);
    }
  }
  if (json) fmt::print("{}\n", names.dump());
  return 0;
}

int validate(const Options& options) {
  if (options.list) return list_cases(options.json);
  nlohmann::ordered_json json{
      {"passed", 0}, {"failed", 0}, {"skipped", 0}, {"cases", nlohmann::ordered_json::array()}};
  int good = 0, bad = 0, skipped = 0;
  for (const validation::Case& validation_case : validation::all_cases()) {
    if (!options.only.empty() && options.only != validation_case.name) continue;
    if (interrupted()) return exit_interrupted;
    const CaseResult result = validation::run_case(
        validation_case, {.all = options.all, .pictures = !options.plots.empty()});
    (!result.skipped.empty() ? skipped : passed(result) ? good : bad) += 1;
    if (!options.plots.empty() && !write_pictures(result, options.plots)) return exit_failed;
    if (options.json) {
      json["cases"].push_back(json_of(result));
    } else {
      print_case(result);
    }
  }
  if (good + bad + skipped == 0) {
    fmt::print(stderr, "error: there is no validation case '{}'\n", options.only);
    return exit_failed;
  }
  if (options.json) {
    json["passed"] = good;
    json["failed"] = bad;
    json["skipped"] = skipped;
    fmt::print("{}\n", json.dump());
  } else {
    fmt::print("{} cases passed, {} failed{}\n", good, bad,
               skipped > 0 ? fmt::format(", {} skipped", skipped) : "");
  }
  return bad == 0 ? 0 : exit_failed;
}

}  // namespace

void add_validate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("validate", "Compare the physics with closed forms and published numbers");
  command->add_option("CASE", options->only, "Run this case alone");
  command->add_option("--plots", options->plots, "Existing folder for the cases' pictures (.png)");
  command->add_flag("--list", options->list, "Print the names and sources of the cases");
  command->add_flag("--all", options->all, "All 10,000 plants of the case robustness, not 1,000");
  command->add_flag("--json", options->json, "Print the results as JSON");
  command->footer("Example: thigmo validate cantilever_sag");
  command->callback([options, &exit_code] { exit_code = validate(*options); });
}

}  // namespace thigmo::cli
