#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/output.h"
#include "thigmo/thigmo.h"

namespace thigmo::cli {
namespace {

struct DeriveOptions {
  DeriveRequest request;
  std::vector<std::string> defines;  // NAME=value
  bool string = false, json = false, explain = false, watch = false;
};

void print_table(const Derived& derived) {
  print("length    {} symbols\n", derived.length);
  for (const auto& [symbol, count] : derived.counts) print("  {:<8}{}\n", symbol, count);
  print("segments  {}\n", derived.segments);
  print("size      {:.4g} x {:.4g} x {:.4g} m\n", derived.bbox_max[0] - derived.bbox_min[0],
        derived.bbox_max[1] - derived.bbox_min[1], derived.bbox_max[2] - derived.bbox_min[2]);
}

int derive_and_print(const DeriveOptions& options) {
  const Outcome<Derived> derived = derive(options.request);
  if (!derived) return fail(derived.diagnostics(), options.json, exit_failed);
  say(derived->warnings);
  if (options.explain) {
    print("{}\n", derived->explanation);
  } else if (options.string) {
    print("{}\n", derived->text);
  } else if (options.json) {
    print("{}\n", to_json(*derived));
  } else {
    print_table(*derived);
  }
  return derived->failed_expectations == 0 ? 0 : exit_failed;
}

// Derives again whenever the file was saved, until Ctrl-C.
int watch(const DeriveOptions& options) {
  namespace fs = std::filesystem;
  using Clock = std::chrono::steady_clock;
  fs::file_time_type last{};
  while (!interrupted()) {
    std::error_code gone;
    const fs::file_time_type saved = fs::last_write_time(options.request.file, gone);
    if (gone) {
      return fail(fmt::format("cannot read '{}': {}", options.request.file, gone.message()),
                  options.json, exit_failed);
    }
    if (saved != last) {
      last = saved;
      const Clock::time_point start = Clock::now();
      const Outcome<Grown> grown = grow(options.request);
      const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      if (grown) {
        print("{:.1f} ms: {} symbols, {} segments, {} organs\n", ms, grown->symbols,
              grown->segments, grown->organs);
      } else {
        print("{}\n", grown.error());
      }
      if (finish(0) != 0) return exit_failed;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return exit_interrupted;
}

// "NAME=value" into the map; false when it is not of that form.
bool parse_define(const std::string& text, std::map<std::string, double>& defines) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  char* end = nullptr;
  const double value = std::strtod(text.c_str() + equals + 1, &end);
  if (end == text.c_str() + equals + 1 || *end != 0 || !std::isfinite(value)) return false;
  defines[text.substr(0, equals)] = value;
  return true;
}

int derive_command(DeriveOptions& options) {
  for (const std::string& text : options.defines) {
    if (parse_define(text, options.request.defines)) continue;
    return fail(fmt::format("--set '{}' is not NAME=number", text), options.json, exit_usage);
  }
  options.request.want_text = options.string;
  options.request.want_explanation = options.explain;
  return options.watch ? watch(options) : derive_and_print(options);
}

int check_and_print(const std::string& file, bool json) {
  const Outcome<Checked> checked = check(file);
  if (!checked) return fail(checked.diagnostics(), json, exit_failed);
  if (json) {
    say(checked->found);
    print("{}\n", to_json(*checked));
  } else {
    if (!checked->found.empty()) print("{}\n", to_string(checked->found));
    print("{}: {} errors, {} warnings\n", file, checked->errors, checked->warnings);
  }
  return checked->errors == 0 ? 0 : exit_failed;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto file = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("check", "Say everything that is wrong with a grammar");
  command->add_option("FILE", *file, "Grammar file (.lsys, .abs, .sbt)")->required();
  command->add_flag("--json", *json, "Print what was found as JSON");
  command->footer("Example: thigmo check gallery/plants/young_tree.lsys");
  command->callback([file, json, &exit_code] { exit_code = check_and_print(*file, *json); });
}

void add_derive(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DeriveOptions>();
  CLI::App* command = app.add_subcommand("derive", "Derive a grammar and say what came out");
  command->add_option("FILE", options->request.file, "Grammar file (.lsys)")->required();
  command->add_option("--steps", options->request.steps, "Derivation steps instead of the file's")
      ->check(not_negative());
  command->add_option("--seed", options->request.seed, "Seed of the random choices")
      ->check(not_negative());
  command->add_option("--angle", options->request.angle_degrees, "Default angle in degrees")
      ->check(finite_number());
  command->add_option("--threads", options->request.threads, "Threads to derive with (0: all)")
      ->check(not_negative());
  command
      ->add_option("--set", options->defines, "Another value for a #define constant: NAME=number")
      ->allow_extra_args(false);
  DeriveLimits& limits = options->request.limits;
  command->add_option("--max-symbols", limits.symbols, "Refuse longer strings")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--max-steps", limits.steps, "Refuse more steps")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--max-nesting", limits.nesting, "Refuse more open brackets")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--max-memory", limits.memory_bytes, "Refuse more memory for strings [bytes]")
      ->check(positive())
      ->capture_default_str();
  command->add_option("--max-work", limits.work, "Stop after so many instructions and copies")
      ->check(positive())
      ->capture_default_str();
  command
      ->add_option("--max-block", limits.block,
                   "Stop a block of statements after so many instructions")
      ->check(positive())
      ->capture_default_str();
  command
      ->add_option("--max-recursion", limits.recursion,
                   "Refuse deeper expansions where no maximum depth is set")
      ->check(positive())
      ->capture_default_str();
  CLI::Option* string = command->add_flag("--string", options->string, "Print the derived string");
  CLI::Option* json =
      command->add_flag("--json", options->json, "Print the summary as JSON")->excludes(string);
  CLI::Option* explain = command->add_flag(
      "--explain", options->explain, "Print for every module the rule and parent that made it");
  explain->excludes(string)->excludes(json);
  command->add_flag("--watch", options->watch, "Derive again whenever the file is saved")
      ->excludes(string)
      ->excludes(json)
      ->excludes(explain);
  command->footer("Example: thigmo derive gallery/plants/young_tree.lsys --steps 6 --json");
  command->callback([options, &exit_code] { exit_code = derive_command(*options); });
}

}  // namespace thigmo::cli
