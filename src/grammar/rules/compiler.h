#pragma once

#include <set>
#include <string>
#include <vector>

#include "grammar/rules/code_writer.h"
#include "grammar/rules/program.h"

namespace thigmo {

// One item of the model: a header line, a rule, a declaration, with the lines that continue it.
struct Line {
  std::size_t begin = 0, end = 0;
};

// The names of an `ignore:` or `consider:` line.
struct IgnoreList {
  std::set<std::string> names = {};
  bool consider = false;
};

// A model that is being read, line by line.
struct Compiler {
  Program& program;
  CodeWriter writer;  // of the same program
  RuleSet section = RuleSet::production;
  std::vector<IgnoreList> ignore_lists = {};
  std::int32_t group = 0;
  Index rule_count = 0;
  bool explicit_system = false;  // a line `Lsystem:` was read
  bool ended = false;            // and its `endlsystem`
  bool has_axiom = false;
};

inline const std::string& text_of(const Compiler& c) { return c.program.source.text; }
inline LSystem& system_of(Compiler& c) { return c.program.systems.back(); }
// The rules of the section that is being read.
RuleTable& table_of_section(Compiler& c);
SourcePosition place_at(const Compiler& c, std::size_t position);

// An error at a place of the preprocessed text.
inline Diagnostic fault(const Compiler& c, std::size_t position, std::string message,
                        std::string hint = {}) {
  return fault(c.writer, position, std::move(message), std::move(hint));
}
// Refuses text behind the cursor.
Result<Done> expect_end(const Compiler& c, Cursor& cursor, const char* otherwise);

// The symbol of a module.
Result<std::string> read_symbol(const Compiler& c, Cursor& cursor, bool in_pattern);

// The kind of a symbol with so many parameters; it is made when new.
Result<Kind> make_kind(Compiler& c, std::size_t position, const std::string& name, int arity);
// What it says of too many kinds; one error is enough for all of them.
std::string too_many_kinds();

// The first `what` outside parentheses; none inside { } either, before which a rule's arrow stands.
std::size_t find_top_level(const Cursor& from, std::string_view what);

}  // namespace thigmo
