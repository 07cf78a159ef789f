#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/output.h"
#include "validation/validation.h"

namespace thigmo::cli {
namespace {

using validation::CaseResult;
using validation::Check;

struct ValidateOptions {
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
  print("{} {}\n     {}\n", verdict, result.name, result.source);
  for (const std::string* why : {&result.failure, &result.skipped}) {
    if (!why->empty()) print("     {}\n", *why);
  }
  for (const Check& check : result.checks) {
    print("     {} {:<58} expected {:<12.7g} measured {:<12.7g} +- {:.2g}\n",
          check.passed() ? "ok  " : "FAIL", check.what, check.expected, check.measured,
          check.tolerance);
  }
  for (const std::string& note : result.notes) print("     {}\n", note);
}

// The pictures of a case; what stands in their way, if anything does.
Diagnostics write_pictures(const CaseResult& result, const std::string& folder) {
  if (!result.skipped.empty()) return {};
  if (result.failure.empty() && result.plots.empty()) {
    return {{.message = fmt::format("the case '{}' has no plot", result.name)}};
  }
  for (const validation::NamedStrip& strip : result.strips) {
    RenderRequest request = strip.request;
    request.out_file = fmt::format("{}/{}.png", folder, strip.name);
    request.cancel = &interrupted();
    const Outcome<RenderSummary> drawn = render(request);
    if (!drawn) return drawn.diagnostics();
  }
  for (const validation::NamedPlot& plot : result.plots) {
    const Outcome<std::string> file =
        write_plot(plot.plot, fmt::format("{}/{}.png", folder, plot.name));
    if (!file) return file.diagnostics();
  }
  return {};
}

int list_cases(bool json) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const validation::Case& validation_case : validation::all_cases()) {
    if (json) {
      names.push_back(validation_case.name);
    } else {
      print("{:<24} {}\n", validation_case.name, validation_case.source);
    }
  }
  if (json) print_json({{"cases", names}});
  return 0;
}

int validate(const ValidateOptions& options) {
  if (options.list) return list_cases(options.json);
  nlohmann::ordered_json json{
      {"passed", 0}, {"failed", 0}, {"skipped", 0}, {"cases", nlohmann::ordered_json::array()}};
  int good = 0, bad = 0, skipped = 0;
  for (const validation::Case& validation_case : validation::all_cases()) {
    if (!options.only.empty() && options.only != validation_case.name) continue;
    if (interrupted()) return fail("interrupted", options.json, exit_interrupted);
    const CaseResult result = validation::run_case(
        validation_case, {.all = options.all, .pictures = !options.plots.empty()});
    (!result.skipped.empty() ? skipped : passed(result) ? good : bad) += 1;
    if (!options.plots.empty()) {
      const Diagnostics wrong = write_pictures(result, options.plots);
      if (!wrong.empty()) return fail(wrong, options.json, exit_failed);
    }
    if (options.json) {
      json["cases"].push_back(json_of(result));
    } else {
      print_case(result);
    }
  }
  if (good + bad + skipped == 0) {
    return fail(fmt::format("there is no validation case '{}'", options.only), options.json,
                exit_failed);
  }
  if (options.json) {
    json["passed"] = good;
    json["failed"] = bad;
    json["skipped"] = skipped;
    print_json(std::move(json));
  } else {
    print("{} cases passed, {} failed{}\n", good, bad,
          skipped > 0 ? fmt::format(", {} skipped", skipped) : "");
  }
  return bad == 0 ? 0 : exit_failed;
}

}  // namespace

void add_validate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ValidateOptions>();
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
