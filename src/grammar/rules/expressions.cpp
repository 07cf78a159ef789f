#include "grammar/rules/expressions.h"

#include <fmt/format.h>

#include <cmath>

#include "base/nesting.h"
#include "base/text.h"

namespace thigmo {

namespace {

// A search for what a name was meant to be looks at all names: the first errors are worth it.
constexpr int most_guesses = 100;

struct BinaryOperator {
  std::string_view text;
  OpCode code;
  int level;  // higher binds tighter
};
// Longer spellings stand before their prefixes. || and && are levels 0 and 1.
constexpr BinaryOperator binary_operators[] = {
    {"==", OpCode::equal, 2},      {"!=", OpCode::not_equal, 2},
    {"<=", OpCode::less_equal, 3}, {">=", OpCode::greater_equal, 3},
    {"<", OpCode::less, 3},        {">", OpCode::greater, 3},
    {"+", OpCode::add, 4},         {"-", OpCode::subtract, 4},
    {"*", OpCode::multiply, 5},    {"/", OpCode::divide, 5},
    {"%", OpCode::remainder, 5},
};
constexpr int tightest_level = 5;

Result<Done> read_binary(CodeWriter& w, Cursor& cursor, Scope& scope, int level);
Result<Done> read_unary(CodeWriter& w, Cursor& cursor, Scope& scope);
Result<Done> read_power(CodeWriter& w, Cursor& cursor, Scope& scope);
Result<Done> read_primary(CodeWriter& w, Cursor& cursor, Scope& scope);

Result<Done> read_call_arguments(CodeWriter& w, Cursor& cursor, Scope& scope, int count,
                                 const std::string& word) {
  const std::size_t at = cursor.position;
  ++cursor.position;  // "("
  int given = 0;
  if (!cursor.take(")")) {
    do {
      if (auto done = read_ternary(w, cursor, scope); !done) return done;
      ++given;
    } while (cursor.take(","));
    if (!cursor.take(")")) return fault(w, cursor.position, "expected ')' or ','");
  }
  if (given != count) {
    return fault(
        w, at,
        fmt::format("'{}' takes {} argument{}, not {}", word, count, count == 1 ? "" : "s", given));
  }
  return Done{};
}

// func(id, x): id is a curve's name or its number.
Result<Done> read_func(CodeWriter& w, Cursor& cursor, Scope& scope, std::size_t at) {
  Cursor inside = cursor;
  ++inside.position;
  const int curve = find_curve(w, read_name(inside));
  if (curve >= 0 && inside.take(",")) {
    cursor.position = inside.position;
    if (auto done = read_ternary(w, cursor, scope); !done) return done;
    if (!cursor.take(")")) return fault(w, cursor.position, "expected ')'");
    emit(w, OpCode::curve, at, curve);
    return Done{};
  }
  if (auto done = read_call_arguments(w, cursor, scope, 2, "func"); !done) return done;
  emit(w, OpCode::curve_by_number, at);
  --w.depth;
  return Done{};
}

Diagnostic unknown_function(const CodeWriter& w, const std::string& word, std::size_t at) {
  std::vector<std::string> known;
  for (int i = 0; i < static_cast<int>(Function::count); ++i) {
    known.emplace_back(function_info(static_cast<Function>(i)).name);
  }
  const std::string near = closest_word(word, known);
  return fault(w, at, fmt::format("there is no function '{}'", word),
               near.empty() ? "" : fmt::format("did you mean '{}'?", near));
}

Result<Done> read_call(CodeWriter& w, Cursor& cursor, Scope& scope, const std::string& word,
                       std::size_t at) {
  if (word == "func") return read_func(w, cursor, scope, at);
  if (const int curve = find_curve(w, word); curve >= 0) {
    if (auto done = read_call_arguments(w, cursor, scope, 1, word); !done) return done;
    emit(w, OpCode::curve, at, curve);
    return Done{};
  }
  const int function = find_function(word);
  if (function < 0) return unknown_function(w, word, at);
  const FunctionInfo& info = function_info(static_cast<Function>(function));
  if (auto done = read_call_arguments(w, cursor, scope, info.arguments, word); !done) return done;
  w.depth -= info.arguments - 1;
  emit(w, OpCode::call, at, function);
  w.saw_random = w.saw_random || info.random;
  return Done{};
}

Diagnostic unknown_name(CodeWriter& w, const Scope& scope, const std::string& word,
                        std::size_t at) {
  std::vector<std::string> known;
  if (++w.guesses <= most_guesses) {
    for (const auto& [global_name, unused] : w.program.global_of) known.push_back(global_name);
    for (const auto& [name_in_scope, unused] : scope.slots) known.push_back(name_in_scope);
    const std::vector<std::string>& constants = w.program.source.constants;
    known.insert(known.end(), constants.begin(), constants.end());
  }
  const std::string near = closest_word(word, known);
  return fault(w, at, fmt::format("'{}' is not defined", word),
               near.empty() ? "define it with #define, or name it as a parameter of the rule"
                            : fmt::format("did you mean '{}'?", near));
}

// A parameter or local variable, an element of an array, or a variable of the model.
Result<Done> read_variable(CodeWriter& w, Cursor& cursor, Scope& scope, const std::string& word,
                           std::size_t at) {
  if (const auto slot = scope.slots.find(word); slot != scope.slots.end()) {
    scope.used[word] = true;
    emit(w, OpCode::local, at, slot->second);
    push_value(w);
    return Done{};
  }
  if (const int array = find_array(w, word); array >= 0) {
    const Array& elements = thigmo::at(w.program.arrays, array);
    if (auto done = read_subscripts(w, cursor, scope, elements); !done) return done;
    emit(w, OpCode::element, at, array);
    w.depth -= static_cast<int>(elements.sizes.size()) - 1;
    return Done{};
  }
  const int found = find_global(w, word);
  if (found < 0) return unknown_name(w, scope, word, at);
  if (is_clock(w.program, found)) w.read_time = true;
  if (found == w.program.dt_global) w.program.uses_time = true;
  emit(w, OpCode::global, at, found);
  push_value(w);
  return Done{};
}

Result<Done> read_name_or_call(CodeWriter& w, Cursor& cursor, Scope& scope) {
  const std::size_t at = cursor.position;
  const std::string word = read_name(cursor);
  cursor.skip_space();
  return cursor.peek() == '(' ? read_call(w, cursor, scope, word, at)
                              : read_variable(w, cursor, scope, word, at);
}

Result<Done> read_binary(CodeWriter& w, Cursor& cursor, Scope& scope, int level) {
  if (level > tightest_level) return read_unary(w, cursor, scope);
  if (auto done = read_binary(w, cursor, scope, level + 1); !done) return done;
  while (true) {
    cursor.skip_space();
    const std::size_t at = cursor.position;
    if (level <= 1) {
      if (!cursor.take(level == 0 ? "||" : "&&")) return Done{};
      // a || b: a ? 1 : (b != 0);  a && b: a ? (b != 0) : 0
      if (level == 0) emit(w, OpCode::logical_not, at);
      const int branch = emit_jump(w, OpCode::jump_if_zero, at);
      --w.depth;
      if (auto done = read_binary(w, cursor, scope, level + 1); !done) return done;
      emit(w, OpCode::to_truth, at);
      const int skip = emit_jump(w, OpCode::jump, at);
      op_at(w, branch).index = next_op(w);
      emit(w, OpCode::constant, at, 0, level == 0 ? 1.0 : 0.0);
      op_at(w, skip).index = next_op(w);
      continue;
    }
    const BinaryOperator* found = nullptr;
    for (const BinaryOperator& candidate : binary_operators) {
      if (candidate.level == level &&
          cursor.text->compare(at, candidate.text.size(), candidate.text) == 0 &&
          at + candidate.text.size() <= cursor.end) {
        found = &candidate;
        break;
      }
    }
    // "<" must not take the first half of "<=", nor "-" the arrow.
    if (!found) return Done{};
    if (found->text == "-" && cursor.text->compare(at, 3, "-->") == 0) return Done{};
    cursor.position += found->text.size();
    if (auto done = read_binary(w, cursor, scope, level + 1); !done) return done;
    emit_binary(w, found->code, at);
  }
}

Result<Done> read_unary(CodeWriter& w, Cursor& cursor, Scope& scope) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  const char c = cursor.peek();
  if (c != '-' && c != '!' && c != '+') return read_power(w, cursor, scope);
  ++cursor.position;
  const Level level(w.nesting);
  if (level.too_deep()) return fault(w, at, too_deep());
  if (auto done = read_unary(w, cursor, scope); !done || c == '+') return done;
  if (c == '-' && w.program.ops.size() > w.fold_from &&
      w.program.ops.back().code == OpCode::constant) {
    w.program.ops.back().value = -w.program.ops.back().value;
  } else {
    emit(w, c == '-' ? OpCode::negate : OpCode::logical_not, at);
  }
  return Done{};
}

Result<Done> read_power(CodeWriter& w, Cursor& cursor, Scope& scope) {
  if (auto done = read_primary(w, cursor, scope); !done) return done;
  cursor.skip_space();
  if (cursor.peek() != '^') return Done{};
  const std::size_t at = cursor.position++;
  const Level level(w.nesting);
  if (level.too_deep()) return fault(w, at, too_deep());
  // Right-associative; 2^-1 is allowed.
  if (auto done = read_unary(w, cursor, scope); !done) return done;
  emit_binary(w, OpCode::power, at);
  return Done{};
}

Result<Done> read_primary(CodeWriter& w, Cursor& cursor, Scope& scope) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  const char c = cursor.peek();
  if (c == '(') {
    ++cursor.position;
    if (auto done = read_ternary(w, cursor, scope); !done) return done;
    if (!cursor.take(")")) return fault(w, cursor.position, "expected ')'");
    return Done{};
  }
  if ((c >= '0' && c <= '9') || c == '.') {
    const NumberPrefix number =
        number_prefix(std::string_view(*cursor.text).substr(at, cursor.end - at));
    if (number.length == 0) return fault(w, at, "this is not a number");
    cursor.position += number.length;
    emit(w, OpCode::constant, at, 0, number.value);
    push_value(w);
    return Done{};
  }
  if (is_name_start(c)) return read_name_or_call(w, cursor, scope);
  if (at >= cursor.end) return fault(w, at, "an expression is missing here");
  return fault(w, at, fmt::format("expected a number, a name or '(' instead of '{}'", c));
}

}  // namespace

Result<Code> read_expression(CodeWriter& w, Cursor& cursor, Scope& scope) {
  return read_code(w, [&] { return read_ternary(w, cursor, scope); });
}

Result<double> read_constant(CodeWriter& w, Cursor& cursor) {
  Scope none;
  const std::size_t start = cursor.position;
  const bool random_before = w.saw_random, time_before = w.read_time;
  w.saw_random = w.read_time = false;
  const Result<Code> code = read_expression(w, cursor, none);
  const bool varies = w.saw_random || w.read_time;
  w.saw_random = random_before;
  w.read_time = time_before;
  if (!code) return code.diagnostics();
  if (varies) return fault(w, start, "this value must be a constant");
  Machine machine{.source = &w.program.source,
                  .ops = &w.program.ops,
                  .arrays = &w.program.arrays,
                  .curves = &w.program.curves,
                  .globals = w.program.global_values.data(),  // an expression only reads them
                  .work_left = 1000000,
                  .stack = std::vector<double>(static_cast<std::size_t>(w.program.stack_size) + 1)};
  double frame = 0;
  Result<double> value = execute(machine, *code, &frame);
  if (!value) return fault(w, start, value.diagnostics()[0].message);
  if (!std::isfinite(*value)) return fault(w, start, "this value is not finite");
  return value;
}

Result<Done> read_ternary(CodeWriter& w, Cursor& cursor, Scope& scope) {
  const Level level(w.nesting);
  if (level.too_deep()) return fault(w, cursor.position, too_deep());
  if (auto done = read_binary(w, cursor, scope, 0); !done) return done;
  cursor.skip_space();
  if (cursor.peek() != '?') return Done{};
  const std::size_t at = cursor.position++;
  const int branch = emit_jump(w, OpCode::jump_if_zero, at);
  --w.depth;
  if (auto done = read_ternary(w, cursor, scope); !done) return done;
  --w.depth;
  const int skip = emit_jump(w, OpCode::jump, at);
  op_at(w, branch).index = next_op(w);
  if (!cursor.take(":")) return fault(w, cursor.position, "expected ':' of '? :'");
  if (auto done = read_ternary(w, cursor, scope); !done) return done;
  op_at(w, skip).index = next_op(w);
  return Done{};
}

Result<Done> read_subscripts(CodeWriter& w, Cursor& cursor, Scope& scope, const Array& array) {
  for (std::size_t d = 0; d < array.sizes.size(); ++d) {
    if (!cursor.take("[")) {
      return fault(w, cursor.position,
                   fmt::format("'{}' needs {} subscript(s)", array.name, array.sizes.size()));
    }
    if (auto done = read_ternary(w, cursor, scope); !done) return done;
    if (!cursor.take("]")) return fault(w, cursor.position, "expected ']'");
  }
  return Done{};
}

}  // namespace thigmo
