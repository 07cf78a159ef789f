#include "grammar/grammar.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "grammar/derive/derivation.h"
#include "grammar/dialects/articulated.h"
#include "grammar/dialects/read_program.h"
#include "grammar/rules/program.h"
#include "grammar/turtle/turtle.h"

namespace thigmo {

namespace {}  // namespace

Result<Grammar> parse_grammar(std::string_view file, std::string_view text,
                              const ReadFile& read_include) {
  Grammar grammar{.program = nullptr, .file = std::string(file), .text = std::string(text)};
  const ReadFile remember = [&](std::string_view path,
                                std::string_view folder) -> Result<std::string> {
    if (!read_include) return error("includes are not available here");
    Result<std::string> read = read_include(path, folder);
    if (read) grammar.includes[std::string(path)] = *read;
    return read;
  };
  Diagnostics diagnostics;
  grammar.program =
      std::make_shared<const Program>(read_program(file, text, remember, {}, diagnostics));
  if (has_error(diagnostics)) return diagnostics;
  return grammar;
}

Result<Grammar> with_constants(const Grammar& grammar,
                               const std::map<std::string, double>& values) {
  if (values.empty()) return grammar;
  const ReadFile read = [&grammar](std::string_view path) -> Result<std::string> {
    const auto found = grammar.includes.find(std::string(path));
    if (found == grammar.includes.end()) return error("this file was not read before");
    return found->second;
  };
  Diagnostics diagnostics;
  Grammar changed = grammar;
  changed.program = std::make_shared<const Program>(
      read_program(grammar.file, grammar.text, read, values, diagnostics));
  if (has_error(diagnostics)) return diagnostics;
  return changed;
}

Result<ModuleString> derive(const Grammar& grammar, const GrowOptions& options) {
  const auto own = with_constants(grammar, options.defines);
  if (!own) return own.diagnostics();
  return derive_string(own->program, options);
}

Result<ModuleString> derive_with_births(const Grammar& grammar, const GrowOptions& options) {
  const auto own = with_constants(grammar, options.defines);
  if (!own) return own.diagnostics();
  return derive_string(own->program, options, {.births = true});
}

Result<Growth> grow(const Grammar& grammar, const GrowOptions& options) {
  const Result<ModuleString> string = derive_with_births(grammar, options);
  if (!string) return string.diagnostics();
  Result<Growth> growth = interpret(*string, options);
  if (growth) growth->symbols = count_symbols(*string, options.threads).plain_length;
  return growth;
}

namespace {

// What was suspicious in the text is said with what was drawn from it.
Result<Growth> with_warnings_of(const Program& program, Result<Growth> growth) {
  if (growth) {
    growth->warnings.insert(growth->warnings.begin(), program.warnings.begin(),
                            program.warnings.end());
  }
  return growth;
}

}  // namespace

Result<Growth> interpret(const ModuleString& string, const GrowOptions& options) {
  return with_warnings_of(*string.program, string.program->articulated
                                               ? interpret_articulated(string, options)
                                               : draw_string(string, options));
}

Result<Growth> measure(const ModuleString& string, const GrowOptions& options) {
  if (string.program->articulated) {
    Result<Growth> growth = interpret(string, options);
    if (growth) growth->plant = {};
    return growth;
  }
  return with_warnings_of(*string.program, draw_string(string, options, false));
}

}  // namespace thigmo
