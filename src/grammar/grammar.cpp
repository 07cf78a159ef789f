#include "grammar/grammar.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/budget.h"
#include "base/parallel.h"
#include "base/text.h"
#include "grammar/articulated.h"
#include "grammar/derivation.h"
#include "grammar/program.h"
#include "grammar/rules.h"
#include "grammar/soft_body.h"
#include "grammar/turtle.h"

namespace thigmo {

namespace {

bool has_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::error) return true;
  }
  return false;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The source in the language of the compiler, whatever the dialect of the file.
Source read_source(std::string_view file, std::string_view text, const ReadFile& read_include,
                   const std::map<std::string, double>& defines, Diagnostics& diagnostics) {
  const bool articulated = ends_with(file, ".abs"), soft_body = ends_with(file, ".sbt");
  if (!articulated && !soft_body) {
    return preprocess(file, text, read_include, defines, diagnostics);
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    diagnostics.push_back(diagnostic_at(file, text, nul, "the text has a byte of value 0 here",
                                        "is this a text file?"));
    Source nothing;
    nothing.incomplete = true;
    nothing.files.push_back({std::string(file), std::string(text)});
    return nothing;
  }
  if (!defines.empty()) {
    diagnostics.push_back(
        {.message = "a file of this kind has no constants to set", .file = std::string(file)});
  }
  return articulated ? articulated_source(file, text) : soft_body_source(file, text, diagnostics);
}

}  // namespace

Program read_program(std::string_view file, std::string_view text, const ReadFile& read_include,
                     const std::map<std::string, double>& defines, Diagnostics& diagnostics) {
  // Some editors put a byte-order mark in front.
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  constexpr double bytes_each = 32;  // of a text: its places, modules and instructions
  Budget budget;
  const Result<Done> room =
      spend(budget, static_cast<double>(text.size()), bytes_each, "bytes of text");
  if (!room) {
    diagnostics.push_back(room.diagnostics()[0]);
    diagnostics.back().file = std::string(file);
    Program nothing;
    nothing.source.incomplete = true;
    nothing.source.files.emplace_back(std::string(file), std::string());
    return nothing;
  }
  Source source = read_source(file, text, read_include, defines, diagnostics);
  Program program;
  if (source.incomplete) {
    program.source = std::move(source);
  } else {
    program = compile(std::move(source), diagnostics);
  }
  std::copy_if(diagnostics.begin(), diagnostics.end(), std::back_inserter(program.warnings),
               [](const Diagnostic& d) { return d.severity == Severity::warning; });
  return program;
}

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
  return Derivation(own->program, options, false).run();
}

Result<ModuleString> derive_with_births(const Grammar& grammar, const GrowOptions& options) {
  const auto own = with_constants(grammar, options.defines);
  if (!own) return own.diagnostics();
  return Derivation(own->program, options, true).run();
}

Result<std::vector<std::int64_t>> derive_lengths(const Grammar& grammar,
                                                 const GrowOptions& options) {
  const auto own = with_constants(grammar, options.defines);
  if (!own) return own.diagnostics();
  std::vector<std::int64_t> lengths;
  const Result<ModuleString> string =
      Derivation(own->program, options, false)
          .run([&](const ModuleString& now, std::span<const std::int64_t>) {
            lengths.push_back(plain_length(now));
          });
  if (!string) return string.diagnostics();
  return lengths;
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
                                               : Turtle(string, options).run());
}

Result<Growth> measure(const ModuleString& string, const GrowOptions& options) {
  if (string.program->articulated) {
    Result<Growth> growth = interpret(string, options);
    if (growth) growth->plant = {};
    return growth;
  }
  return with_warnings_of(*string.program, Turtle(string, options, false).run());
}

Result<Plant> grow_plant(const Grammar& grammar, const GrowOptions& options) {
  Result<Growth> growth = grow(grammar, options);
  if (!growth) return growth.diagnostics();
  return std::move(growth->plant);
}

Result<std::string> interpreted_text(const ModuleString& string, const GrowOptions& options) {
  return Turtle(string, options).text();
}

std::int64_t module_count(const ModuleString& string) {
  return static_cast<std::int64_t>(string.kinds.size());
}

namespace {

std::array<std::int64_t, 256> kind_counts(const ModuleString& string, int threads) {
  std::array<std::int64_t, 256> sum{};
  if (!string.kind_counts.empty()) {
    std::copy(string.kind_counts.begin(), string.kind_counts.end(), sum.begin());
    return sum;
  }
  constexpr std::size_t part = 1 << 18;  // modules
  const std::size_t n = string.kinds.size(), parts = (n + part - 1) / part;
  std::vector<std::array<std::int64_t, 256>> counts(parts);
  parallel_for(parts, threads, [&](std::size_t i) {
    counts[i] = count_kinds(string.kinds.data() + i * part, std::min(part, n - i * part));
  });
  for (const auto& one : counts) {
    for (std::size_t k = 0; k < 256; ++k) sum[k] += one[k];
  }
  return sum;
}

}  // namespace

SymbolCounts count_symbols(const ModuleString& string, int threads) {
  const auto counts = kind_counts(string, threads);
  SymbolCounts out;
  for (std::size_t k = 0; k < string.program->kinds.size(); ++k) {
    out.plain_length += counts[k] * string.program->kinds[k].plain_length;
    if (counts[k] > 0) out.by_symbol[string.program->kinds[k].name] += counts[k];
  }
  return out;
}

std::map<std::string, std::int64_t> character_counts(const ModuleString& string, int threads) {
  const auto counts = kind_counts(string, threads);
  std::map<std::string, std::int64_t> out;
  for (std::size_t k = 0; k < string.program->kinds.size(); ++k) {
    const KindInfo& kind = string.program->kinds[k];
    if (counts[k] == 0) continue;
    if (kind.declared) {
      out[kind.name] += counts[k];
    } else {
      for (const char c : kind.name) out[std::string(1, c)] += counts[k];
    }
  }
  return out;
}

std::int64_t plain_length(const ModuleString& string) { return count_symbols(string).plain_length; }

std::map<std::string, std::int64_t> symbol_counts(const ModuleString& string) {
  return count_symbols(string).by_symbol;
}

std::string plain_text(const ModuleString& string) {
  std::string out;
  for (const Kind kind : string.kinds) out += string.program->kinds[kind].name;
  return out;
}

std::string full_text(const ModuleString& string) {
  std::string out;
  std::size_t parameter = 0;
  for (const Kind kind : string.kinds) {
    const KindInfo& info = string.program->kinds[kind];
    out += info.name;
    for (int p = 0; p < info.arity; ++p) {
      out += p == 0 ? '(' : ',';
      out += text_from_number(string.parameters[parameter++]);
    }
    if (info.arity > 0) out += ')';
  }
  return out;
}

}  // namespace thigmo
