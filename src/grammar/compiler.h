#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grammar/code_writer.h"
#include "grammar/program.h"

namespace thigmo {

// One item of the model: a header line, a rule, a declaration, with the lines that continue it.
struct Line {
  std::size_t begin = 0, end = 0;
};

class Compiler {
 public:
  Compiler(Program& program, Diagnostics& diagnostics)
      : program_(program), writer_(program, diagnostics), diagnostics_(diagnostics) {}

  void run() {
    prepare();
    for (const Line& line : logical_lines()) read_line(line);
    finish();
  }

 private:
  bool fail(std::size_t position, std::string message, std::string hint = {}) {
    return writer_.fail(position, std::move(message), std::move(hint));
  }
  const std::string& text() const { return program_.source.text; }
  Cursor cursor(Line line) const { return {&program_.source.text, line.begin, line.end}; }
  LSystem& system() { return program_.systems.back(); }
  Place place(std::size_t position) const {
    const auto& places = program_.source.places;
    return places.empty() ? Place{} : places[std::min(position, places.size() - 1)];
  }

  void prepare();
  std::vector<Line> logical_lines();
  bool starts_item(std::size_t begin, std::size_t end) const;
  void read_line(Line line);
  bool header(const std::string& word, Cursor& cursor, std::size_t at);
  bool number_item(Cursor& cursor, std::optional<double>& value);
  bool block_item(Cursor& cursor, Code& code);
  bool begin_system(Cursor& cursor, std::size_t at);
  bool declare_module(Cursor& cursor);
  bool read_expectation(Cursor& cursor, std::size_t at);
  bool read_tropism(Cursor& cursor);
  bool read_material(Cursor& cursor, std::size_t at);
  bool read_environment(Cursor& cursor);
  bool read_ignore(Cursor& cursor, bool consider);
  bool read_axiom(Cursor& cursor, std::size_t at);
  bool read_rule(Cursor cursor, std::size_t arrow);
  bool read_predecessor(Cursor cursor, Rule& rule, Scope& scope);
  bool read_pattern(Cursor cursor, std::vector<PatternItem>& items, Rule& rule, Scope& scope);
  bool read_strict(Cursor cursor, Rule& rule, Scope& scope);
  bool read_pattern_formals(Cursor& cursor, const std::string& name, Rule& rule, Scope& scope,
                            int& count);
  bool read_formals(Cursor& cursor, Rule& rule, Scope& scope, int& count);
  bool read_condition(Cursor cursor, Rule& rule, Scope& scope);
  bool read_successor(Cursor& cursor, Scope& scope, Successor& successor);
  bool read_arguments(Cursor& cursor, Scope& scope, const std::string& name,
                      std::vector<Code>& arguments);
  bool symbol(Cursor& cursor, std::string& name, bool in_pattern);
  bool kind(std::size_t at, const std::string& name, int arity, Kind& kind);
  std::size_t find_top_level(const Cursor& cursor, std::string_view what) const;
  void finish();
  void check_calls();
  void resolve_ignored();
  void prepare_context();
  void check_directions();

  struct IgnoreList {
    std::set<std::string> names;
    bool consider = false;
  };

  Program& program_;
  CodeWriter writer_;
  Diagnostics& diagnostics_;
  RuleSet section_ = RuleSet::production;
  std::vector<IgnoreList> ignore_lists_;
  std::int32_t group_ = 0;
  Index rule_count_ = 0;
  bool explicit_system_ = false, ended_ = false, has_axiom_ = false, too_many_kinds_ = false;
};

}  // namespace thigmo
