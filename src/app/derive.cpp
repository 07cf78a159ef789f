#include "thigmo/derive.h"

#include "app/common.h"
#include "grammar/check.h"
#include "grammar/explain.h"
#include "grammar/grammar.h"
#include "grammar/rules/program.h"
#include "io/disk/file.h"

namespace thigmo {

namespace {

Result<Grammar> read_grammar(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.diagnostics();
  return parse_grammar(file, *text, read_any);
}

GrowOptions options_of(const DeriveRequest& request) {
  return {.steps = request.steps,
          .seed = request.seed,
          .angle_degrees = request.angle_degrees,
          .defines = request.defines,
          .limits = {.symbols = request.limits.symbols,
                     .steps = request.limits.steps,
                     .nesting = request.limits.nesting,
                     .memory_bytes = request.limits.memory_bytes,
                     .work = request.limits.work,
                     .block = request.limits.block,
                     .recursion = request.limits.recursion},
          .threads = request.threads};
}

Result<Grown> grow_file(const DeriveRequest& request) {
  const Result<Grammar> grammar = read_grammar(request.file);
  if (!grammar) return grammar.diagnostics();
  const Result<Growth> growth = grow(*grammar, options_of(request));
  if (!growth) return growth.diagnostics();
  return Grown{.symbols = static_cast<std::uint64_t>(growth->symbols),
               .segments = growth->plant.segments.size(),
               .organs = growth->plant.organs.size(),
               .warnings = growth->warnings};
}

Result<Derived> derive_file(const DeriveRequest& request) {
  const Result<Grammar> grammar = read_grammar(request.file);
  if (!grammar) return grammar.diagnostics();
  const GrowOptions options = options_of(request);
  const Result<ModuleString> string = derive(*grammar, options);
  if (!string) return string.diagnostics();

  Derived derived;
  const SymbolCounts counts = count_symbols(*string, request.threads);
  derived.length = static_cast<std::uint64_t>(counts.plain_length);
  for (const auto& [symbol, count] : character_counts(*string, request.threads)) {
    derived.counts[symbol] = static_cast<std::uint64_t>(count);
  }
  if (request.want_text) derived.text = full_text(*string);
  if (request.want_explanation) {
    const Result<std::vector<ModuleStory>> stories = explain(*grammar, options);
    if (!stories) return stories.diagnostics();
    derived.explanation = to_string(*grammar, *stories);
  }
  const bool expects = !grammar->program->expectations.empty();
  if (!request.draw && !expects) return derived;
  Result<Growth> growth = measure(*string, options);
  if (!growth || !growth->warnings.empty()) {
    // Births cost memory and time that only the words about a bad module are worth.
    const Result<ModuleString> born = derive_with_births(*grammar, options);
    if (born) growth = measure(*born, options);
  }
  if (!growth) return growth.diagnostics();
  derived.warnings = failed_expectations(*string, *growth);
  derived.failed_expectations = derived.warnings.size();
  derived.segments = static_cast<std::uint64_t>(growth->segments);
  derived.bbox_min = numbers(growth->drawn.min);
  derived.bbox_max = numbers(growth->drawn.max);
  derived.warnings.insert(derived.warnings.end(), growth->warnings.begin(), growth->warnings.end());
  return derived;
}

Result<Checked> check_file(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.diagnostics();
  Checked checked{.found = check_grammar(file, *text, read_any)};
  for (const Diagnostic& diagnostic : checked.found) {
    ++(diagnostic.severity == Severity::error ? checked.errors : checked.warnings);
  }
  return checked;
}

}  // namespace

Outcome<Grown> grow(const DeriveRequest& request) {
  return attempt([&] { return grow_file(request); });
}

Outcome<Derived> derive(const DeriveRequest& request) {
  return attempt([&] { return derive_file(request); });
}

Outcome<Checked> check(const std::string& file) {
  return attempt([&] { return check_file(file); });
}

}  // namespace thigmo
