#pragma once

#include <map>
#include <string>

#include "grammar/program.h"

namespace thigmo {

// A place in the preprocessed text, with the end of what may be read.
struct Cursor {
  const std::string* text = nullptr;
  std::size_t position = 0;
  std::size_t end = 0;

  void skip_space() {
    while (position < end && static_cast<unsigned char>((*text)[position]) <= ' ') ++position;
  }
  bool at_end() {
    skip_space();
    return position >= end;
  }
  char peek(std::size_t ahead = 0) const {
    return position + ahead < end ? (*text)[position + ahead] : '\0';
  }
  bool take(std::string_view word) {
    skip_space();
    if (text->compare(position, word.size(), word) != 0 || position + word.size() > end) {
      return false;
    }
    position += word.size();
    return true;
  }
};

// The names an expression may use besides globals: parameters first, then local variables.
struct Scope {
  std::map<std::string, int> slots = {};
  std::map<std::string, bool> used = {};
  int slot_count = 0;
  bool may_add_locals = false;
  bool assigns_globals = false;  // new names become variables of the whole model
};

// Compiles expressions and statements into a program's instruction list.
class CodeWriter {
 public:
  CodeWriter(Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  // Each returns false after an error, which it has reported.
  bool expression(Cursor& cursor, Scope& scope, Code& code);
  bool statements(Cursor& cursor, Scope& scope, Code& code);  // "{ ... }"
  bool definitions(Cursor& cursor);                           // "{ array ..; curve ..; name = e; }"

  // A value that must be known now: numbers, constants, operators, functions without chance.
  bool constant(Cursor& cursor, double& value);

  bool fail(std::size_t position, std::string message, std::string hint = {});
  int global(const std::string& name, double value);  // its index, made when new
  int find_global(const std::string& name) const;     // -1 when there is none
  int find_array(const std::string& name) const;
  bool saw_random = false, wrote_global = false, read_time = false;

 private:
  bool ternary(Cursor& cursor, Scope& scope);
  bool binary(Cursor& cursor, Scope& scope, int level);
  bool unary(Cursor& cursor, Scope& scope);
  bool power(Cursor& cursor, Scope& scope);
  bool primary(Cursor& cursor, Scope& scope);
  bool name_or_call(Cursor& cursor, Scope& scope);
  bool call_arguments(Cursor& cursor, Scope& scope, int count, const std::string& name);
  bool subscripts(Cursor& cursor, Scope& scope, const Array& array);
  bool statement(Cursor& cursor, Scope& scope);
  bool block(Cursor& cursor, Scope& scope);
  bool assignment(Cursor& cursor, Scope& scope);
  bool loop_can_end(Code condition, Code loop, std::size_t at);
  bool define_array(Cursor& cursor);
  bool define_curve(Cursor& cursor);

  void emit(OpCode code, std::size_t position, int index = 0, double value = 0);
  void emit_binary(OpCode code, std::size_t position);
  void push() {
    if (++depth_ > program_.stack_size) program_.stack_size = depth_;
  }
  int here() {
    fold_from_ = program_.ops.size();
    return static_cast<int>(program_.ops.size());
  }
  Op& op(int index) { return program_.ops[static_cast<std::size_t>(index)]; }
  Place place(std::size_t position) const {
    const auto& places = program_.source.places;
    return places.empty() ? Place{}
                          : places[position < places.size() ? position : places.size() - 1];
  }
  std::string name(Cursor& cursor);

  Program& program_;
  Diagnostics& diagnostics_;
  int depth_ = 0;    // values on the stack
  int nesting_ = 0;  // of parentheses and blocks
  int guesses_ = 0;  // at what was meant by unknown names
  std::size_t fold_from_ = 0;
};

}  // namespace thigmo
