#include "api/convert.h"
#include "grammar/grammar.h"
#include "io/file.h"
#include "thigmo/thigmo.h"

namespace thigmo {

Outcome<Derived> derive(const DeriveRequest& request) {
  const ReadFile read = [](std::string_view path) { return read_file(std::string(path)); };
  const Result<std::string> text = read(request.file);
  if (!text) return failure_from(text.diagnostics());
  const Result<Grammar> grammar = parse_grammar(request.file, *text, read);
  if (!grammar) return failure_from(grammar.diagnostics());
  const GrowOptions options{.steps = request.steps,
                            .seed = request.seed,
                            .angle_degrees = request.angle_degrees,
                            .threads = request.threads};
  const Result<ModuleString> string = derive(*grammar, options);
  if (!string) return failure_from(string.diagnostics());

  Derived derived;
  derived.length = static_cast<std::uint64_t>(plain_length(*string));
  for (const auto& [symbol, count] : symbol_counts(*string)) {
    derived.counts[symbol] = static_cast<std::uint64_t>(count);
  }
  if (request.want_text) derived.text = full_text(*string);
  const Result<Growth> growth = measure(*string, options);
  if (!growth) return failure_from(growth.diagnostics());
  derived.segments = static_cast<std::uint64_t>(growth->segments);
  derived.bbox_min = numbers(growth->drawn.min);
  derived.bbox_max = numbers(growth->drawn.max);
  derived.warnings = to_string(growth->warnings);
  return derived;
}

}  // namespace thigmo
