#pragma once

#include "grammar/rules/code_writer.h"

namespace thigmo {

// Compiles an expression.
Result<Code> read_expression(CodeWriter& writer, Cursor& cursor, Scope& scope);

// A value that must be known now: numbers, constants, operators, functions without chance.
Result<double> read_constant(CodeWriter& writer, Cursor& cursor);

// An expression inside of another one or of a statement: its value stays on the stack.
Result<Done> read_ternary(CodeWriter& writer, Cursor& cursor, Scope& scope);

// [e][e].. behind the name of an array.
Result<Done> read_subscripts(CodeWriter& writer, Cursor& cursor, Scope& scope, const Array& array);

}  // namespace thigmo
