#include "grammar/rules/compile.h"

#include <fmt/format.h>

#include "grammar/rules/declarations.h"
#include "grammar/rules/finish.h"
#include "grammar/rules/headers.h"
#include "grammar/rules/model_lines.h"
#include "grammar/rules/read_rule.h"

namespace thigmo {

namespace {

// What every model has: brackets, one L-system, and variables that tell the time.
void prepare(Compiler& c) {
  for (const char* const bracket : {"[", "]"}) {
    THIGMO_ASSERT(make_kind(c, 0, bracket, 0));
  }
  c.program.systems.emplace_back();
  c.ignore_lists.emplace_back();
  c.program.dt_global = make_global(c.writer, "dt", 1);
  c.program.time_global = make_global(c.writer, "time", 0);
  c.program.step_global = make_global(c.writer, "step", 0);
}

Diagnostic unknown_line(const Compiler& c, std::size_t begin, const std::string& header_word) {
  const std::string near = header_word.empty() ? "" : closest_header_word(header_word);
  return fault(c, begin, "this line is neither a rule nor a header item",
               near.empty() ? "a rule is: predecessor --> successor"
                            : fmt::format("did you mean '{}:'?", near));
}

Result<Done> read_line(Compiler& c, Line line, Diagnostics& diagnostics) {
  const std::string& text = text_of(c);
  Cursor whole{&text, line.begin, line.end};
  whole.skip_space();
  const std::size_t begin = whole.position;
  std::size_t after = begin;
  const std::string words = leading_words(text, begin, line.end, after);
  std::size_t colon = after;
  while (colon < line.end && (text[colon] == ' ' || text[colon] == '\t')) ++colon;
  const bool has_colon = colon < line.end && text[colon] == ':';
  const bool known = (has_colon && is_header_word(words)) ||
                     (is_section_word(words) && (has_colon || colon == line.end));
  const std::size_t arrow = find_top_level(whole, "-->");
  if (c.ended && words != "lsystem") return fault(c, begin, "this stands behind endlsystem");
  if (words == "lsystem" || known) {
    Cursor rest{&text, has_colon ? colon + 1 : after, line.end};
    return read_header(c, words, rest, begin, diagnostics);
  }
  if (arrow != std::string::npos) return read_rule(c, whole, arrow);
  Cursor behind_word{&text, begin + 7, line.end};
  if (words.substr(0, 7) == "module ") return declare_module(c, behind_word);
  if (words.substr(0, 7) == "expect ") return read_expectation(c, behind_word, begin);
  return unknown_line(c, begin, has_colon ? words : "");
}

}  // namespace

Program compile(Source source, Diagnostics& diagnostics) {
  Program program;
  program.source = std::move(source);
  Compiler compiler{.program = program, .writer = {.program = program}};
  prepare(compiler);
  bool told_of_kinds = false;
  for (const Line& line : logical_lines(program.source.text)) {
    const Result<Done> read = read_line(compiler, line, diagnostics);
    if (read) continue;
    const Diagnostic& error = read.diagnostics()[0];
    const bool kinds = error.message == too_many_kinds();
    if (!kinds || !told_of_kinds) diagnostics.push_back(error);
    told_of_kinds = told_of_kinds || kinds;
  }
  finish(compiler, diagnostics);
  return program;
}

}  // namespace thigmo
