#include "grammar/dialects/read_program.h"

#include <algorithm>
#include <iterator>

#include "base/budget.h"
#include "grammar/dialects/articulated.h"
#include "grammar/dialects/soft_body.h"
#include "grammar/rules/compile.h"
#include "thigmo/formats.h"

namespace thigmo {

namespace {

// The source in the language of the compiler, whatever the dialect of the file.
Source read_source(std::string_view file, std::string_view text, const ReadFile& read_include,
                   const std::map<std::string, double>& defines, Diagnostics& diagnostics) {
  const bool articulated = has_format(file, Format::abs), soft_body = has_format(file, Format::sbt);
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

}  // namespace thigmo
