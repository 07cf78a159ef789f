#pragma once

#include <map>
#include <string>

#include "grammar/rules/cursor.h"
#include "grammar/rules/program.h"

namespace thigmo {

// The names an expression may use besides globals: parameters first, then local variables.
struct Scope {
  std::map<std::string, int> slots = {};
  std::map<std::string, bool> used = {};
  int slot_count = 0;
  bool may_add_locals = false;
  bool assigns_globals = false;  // new names become variables of the whole model
};

// Writes expressions and statements into a program's instruction list.
struct CodeWriter {
  Program& program;
  // What was met since somebody set them to false.
  bool saw_random = false, wrote_global = false, read_time = false;
  int depth = 0;              // values on the stack
  int nesting = 0;            // of parentheses and blocks
  int guesses = 0;            // at what was meant by unknown names
  std::size_t fold_from = 0;  // instructions before this one may be jumped over
};

// An error at a place of the preprocessed text.
inline Diagnostic fault(const CodeWriter& writer, std::size_t position, std::string message,
                        std::string hint = {}) {
  return diagnostic_in(writer.program.source, position, std::move(message), std::move(hint));
}

// By name; -1 when there is none.
int find_global(const CodeWriter& writer, const std::string& name);
int find_array(const CodeWriter& writer, const std::string& name);
int find_curve(const CodeWriter& writer, const std::string& name);
// The variable's index; it is made when new.
int make_global(CodeWriter& writer, const std::string& name, double value);
// dt, time and step are set by the program.
inline bool is_clock(const Program& program, int global) {
  return global == program.dt_global || global == program.time_global ||
         global == program.step_global;
}

void emit(CodeWriter& writer, OpCode code, std::size_t position, int index = 0, double value = 0);
// An operator with two operands; constants are computed now, and some pairs become one instruction.
void emit_binary(CodeWriter& writer, OpCode code, std::size_t position);
// A jump whose end is set later; gives its index.
int emit_jump(CodeWriter& writer, OpCode code, std::size_t position);

// The index of the next instruction, which jumps may lead to.
inline int next_op(CodeWriter& writer) {
  writer.fold_from = writer.program.ops.size();
  return static_cast<int>(writer.fold_from);
}
// The instructions that `read` writes, which begin with nothing on the stack.
template <class Read>
Result<Code> read_code(CodeWriter& writer, const Read& read) {
  const std::int32_t begin = next_op(writer);
  writer.depth = 0;
  const Result<Done> done = read();
  if (!done) return done.diagnostics();
  return Code{begin, next_op(writer)};
}
inline Op& op_at(CodeWriter& writer, int index) { return at(writer.program.ops, index); }
inline void push_value(CodeWriter& writer) {
  if (++writer.depth > writer.program.stack_size) writer.program.stack_size = writer.depth;
}

}  // namespace thigmo
