#include "grammar/code_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/nesting.h"
#include "base/text.h"

namespace thigmo {

namespace {

// A search for what a name was meant to be looks at all names: the first errors are worth it.
constexpr int most_guesses = 100;
constexpr std::int64_t elements_limit = 10'000'000;  // of all arrays together: 80 MB

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

}  // namespace

bool CodeWriter::fail(std::size_t position, std::string message, std::string hint) {
  diagnostics_.push_back(
      diagnostic_in(program_.source, position, std::move(message), std::move(hint)));
  return false;
}

int CodeWriter::find_global(const std::string& wanted) const {
  const auto found = program_.global_of.find(wanted);
  return found == program_.global_of.end() ? -1 : found->second;
}

int CodeWriter::find_array(const std::string& wanted) const {
  const auto found = program_.array_of.find(wanted);
  return found == program_.array_of.end() ? -1 : found->second;
}

int CodeWriter::global(const std::string& wanted, double value) {
  const int found = find_global(wanted);
  if (found >= 0) return found;
  const auto index = static_cast<int>(program_.global_values.size());
  program_.global_of[wanted] = index;
  program_.global_values.push_back(value);
  return index;
}

std::string CodeWriter::name(Cursor& cursor) {
  cursor.skip_space();
  std::size_t length = 0;
  if (is_name_start(cursor.peek())) {
    while (is_name_part(cursor.peek(length))) ++length;
  }
  std::string found = cursor.text->substr(cursor.position, length);
  cursor.position += length;
  return found;
}

void CodeWriter::emit(OpCode code, std::size_t position, int index, double value) {
  program_.ops.push_back({code, index, value, place(position)});
}

void CodeWriter::emit_binary(OpCode code, std::size_t position) {
  --depth_;
  auto& ops = program_.ops;
  const bool both_known = ops.size() >= fold_from_ + 2;
  if (both_known && ops[ops.size() - 1].code == OpCode::constant &&
      ops[ops.size() - 2].code == OpCode::constant) {
    // Run the operation now: the same instruction, the same rounding.
    emit(code, position);
    Machine machine{.ops = &ops, .work_left = 8, .stack = std::vector<double>(4)};
    const auto end = static_cast<std::int32_t>(ops.size());
    double none = 0;
    const double value = execute(machine, {end - 3, end}, &none);
    ops.resize(ops.size() - 3);
    emit(OpCode::constant, position, 0, value);
    return;
  }
  if (both_known && (code == OpCode::multiply || code == OpCode::add || code == OpCode::subtract)) {
    Op& a = ops[ops.size() - 2];
    const Op b = ops.back();
    const OpCode fused =
        code == OpCode::multiply ? OpCode::local_times_constant : OpCode::local_plus_constant;
    const double sign = code == OpCode::subtract ? -1.0 : 1.0;
    if (a.code == OpCode::local && b.code == OpCode::constant) {
      a.code = fused;
      a.value = sign * b.value;
      ops.pop_back();
      return;
    }
    if (code != OpCode::subtract && a.code == OpCode::constant && b.code == OpCode::local) {
      a.code = fused;
      a.index = b.index;
      ops.pop_back();
      return;
    }
  }
  emit(code, position);
}

bool CodeWriter::expression(Cursor& cursor, Scope& scope, Code& code) {
  code.begin = here();
  depth_ = 0;
  const bool good = ternary(cursor, scope);
  code.end = here();
  return good;
}

bool CodeWriter::constant(Cursor& cursor, double& value) {
  Scope none;
  Code code;
  const std::size_t start = cursor.position;
  const bool random_before = saw_random, time_before = read_time;
  saw_random = read_time = false;
  const bool good = expression(cursor, none, code);
  const bool varies = saw_random || read_time;
  saw_random = random_before;
  read_time = time_before;
  if (!good) return false;
  if (varies) return fail(start, "this value must be a constant");
  Machine machine{.ops = &program_.ops,
                  .arrays = &program_.arrays,
                  .curves = &program_.curves,
                  .globals = program_.global_values.data(),  // an expression only reads them
                  .work_left = 1000000,
                  .stack = std::vector<double>(static_cast<std::size_t>(program_.stack_size) + 1)};
  double frame = 0;
  value = execute(machine, code, &frame);
  if (!machine.error.empty()) return fail(start, machine.error);
  if (!std::isfinite(value)) return fail(start, "this value is not finite");
  return true;
}

bool CodeWriter::ternary(Cursor& cursor, Scope& scope) {
  const Level level(nesting_);
  if (level.too_deep()) return fail(cursor.position, too_deep());
  bool good = binary(cursor, scope, 0);
  if (good) {
    cursor.skip_space();
    if (cursor.peek() == '?') {
      const std::size_t at = cursor.position++;
      const int branch = static_cast<int>(program_.ops.size());
      emit(OpCode::jump_if_zero, at);
      --depth_;
      here();
      good = ternary(cursor, scope);
      --depth_;
      const int skip = static_cast<int>(program_.ops.size());
      emit(OpCode::jump, at);
      op(branch).index = here();
      if (good && !cursor.take(":")) good = fail(cursor.position, "expected ':' of '? :'");
      good = good && ternary(cursor, scope);
      op(skip).index = here();
    }
  }
  return good;
}

bool CodeWriter::binary(Cursor& cursor, Scope& scope, int level) {
  if (level > tightest_level) return unary(cursor, scope);
  if (!binary(cursor, scope, level + 1)) return false;
  while (true) {
    cursor.skip_space();
    const std::size_t at = cursor.position;
    if (level <= 1) {
      if (!cursor.take(level == 0 ? "||" : "&&")) return true;
      // a || b: a ? 1 : (b != 0);  a && b: a ? (b != 0) : 0
      if (level == 0) emit(OpCode::logical_not, at);
      const int branch = static_cast<int>(program_.ops.size());
      emit(OpCode::jump_if_zero, at);
      --depth_;
      here();
      if (!binary(cursor, scope, level + 1)) return false;
      emit(OpCode::to_truth, at);
      const int skip = static_cast<int>(program_.ops.size());
      emit(OpCode::jump, at);
      op(branch).index = here();
      emit(OpCode::constant, at, 0, level == 0 ? 1.0 : 0.0);
      op(skip).index = here();
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
    if (!found) return true;
    if (found->text == "-" && cursor.text->compare(at, 3, "-->") == 0) return true;
    cursor.position += found->text.size();
    if (!binary(cursor, scope, level + 1)) return false;
    emit_binary(found->code, at);
  }
}

bool CodeWriter::unary(Cursor& cursor, Scope& scope) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  const char c = cursor.peek();
  if (c != '-' && c != '!' && c != '+') return power(cursor, scope);
  ++cursor.position;
  const Level level(nesting_);
  if (level.too_deep()) return fail(at, too_deep());
  const bool good = unary(cursor, scope);
  if (!good || c == '+') return good;
  if (c == '-' && program_.ops.size() > fold_from_ &&
      program_.ops.back().code == OpCode::constant) {
    program_.ops.back().value = -program_.ops.back().value;
  } else {
    emit(c == '-' ? OpCode::negate : OpCode::logical_not, at);
  }
  return true;
}

bool CodeWriter::power(Cursor& cursor, Scope& scope) {
  if (!primary(cursor, scope)) return false;
  cursor.skip_space();
  if (cursor.peek() != '^') return true;
  const std::size_t at = cursor.position++;
  const Level level(nesting_);
  if (level.too_deep()) return fail(at, too_deep());
  const bool good = unary(cursor, scope);  // right-associative; 2^-1 is allowed
  if (good) emit_binary(OpCode::power, at);
  return good;
}

bool CodeWriter::primary(Cursor& cursor, Scope& scope) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  const char c = cursor.peek();
  if (c == '(') {
    ++cursor.position;
    if (!ternary(cursor, scope)) return false;
    if (!cursor.take(")")) return fail(cursor.position, "expected ')'");
    return true;
  }
  if ((c >= '0' && c <= '9') || c == '.') {
    const NumberPrefix number =
        number_prefix(std::string_view(*cursor.text).substr(at, cursor.end - at));
    if (number.length == 0) return fail(at, "this is not a number");
    cursor.position += number.length;
    emit(OpCode::constant, at, 0, number.value);
    push();
    return true;
  }
  if (is_name_start(c)) return name_or_call(cursor, scope);
  if (at >= cursor.end) return fail(at, "an expression is missing here");
  return fail(at, fmt::format("expected a number, a name or '(' instead of '{}'", c));
}

bool CodeWriter::name_or_call(Cursor& cursor, Scope& scope) {
  const std::size_t at = cursor.position;
  const std::string word = name(cursor);
  cursor.skip_space();
  const auto curve_named = [this](const std::string& wanted) {
    const auto found = program_.curve_of.find(wanted);
    return found == program_.curve_of.end() ? -1 : found->second;
  };
  if (cursor.peek() == '(') {
    if (word == "func") {  // func(id, x): id is a curve's name or its number
      Cursor inside = cursor;
      ++inside.position;
      const int curve = curve_named(name(inside));
      if (curve >= 0 && inside.take(",")) {
        cursor.position = inside.position;
        if (!ternary(cursor, scope)) return false;
        if (!cursor.take(")")) return fail(cursor.position, "expected ')'");
        emit(OpCode::curve, at, curve);
        return true;
      }
      if (!call_arguments(cursor, scope, 2, word)) return false;
      emit(OpCode::curve_by_number, at);
      --depth_;
      return true;
    }
    if (const int curve = curve_named(word); curve >= 0) {
      if (!call_arguments(cursor, scope, 1, word)) return false;
      emit(OpCode::curve, at, curve);
      return true;
    }
    const int function = find_function(word);
    if (function < 0) {
      std::vector<std::string> known;
      for (int i = 0; i < static_cast<int>(Function::count); ++i) {
        known.emplace_back(function_info(static_cast<Function>(i)).name);
      }
      const std::string near = closest_word(word, known);
      return fail(at, fmt::format("there is no function '{}'", word),
                  near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    }
    const FunctionInfo& info = function_info(static_cast<Function>(function));
    if (!call_arguments(cursor, scope, info.arguments, word)) return false;
    depth_ -= info.arguments - 1;
    emit(OpCode::call, at, function);
    saw_random = saw_random || info.random;
    return true;
  }
  const int array = find_array(word);
  const auto slot = scope.slots.find(word);
  if (slot == scope.slots.end() && array >= 0) {
    const Array& elements = program_.arrays[static_cast<std::size_t>(array)];
    if (!subscripts(cursor, scope, elements)) return false;
    emit(OpCode::element, at, array);
    depth_ -= static_cast<int>(elements.sizes.size()) - 1;
    return true;
  }
  if (slot != scope.slots.end()) {
    scope.used[word] = true;
    emit(OpCode::local, at, slot->second);
    push();
    return true;
  }
  const int found = find_global(word);
  if (found < 0) {
    std::vector<std::string> known;
    if (++guesses_ <= most_guesses) {
      for (const auto& [global_name, unused] : program_.global_of) known.push_back(global_name);
      for (const auto& [name_in_scope, unused] : scope.slots) known.push_back(name_in_scope);
      known.insert(known.end(), program_.source.constants.begin(), program_.source.constants.end());
    }
    const std::string near = closest_word(word, known);
    return fail(at, fmt::format("'{}' is not defined", word),
                near.empty() ? "define it with #define, or name it as a parameter of the rule"
                             : fmt::format("did you mean '{}'?", near));
  }
  if (found == program_.dt_global || found == program_.time_global ||
      found == program_.step_global) {
    read_time = true;
    if (found == program_.dt_global) program_.uses_time = true;
  }
  emit(OpCode::global, at, found);
  push();
  return true;
}

bool CodeWriter::call_arguments(Cursor& cursor, Scope& scope, int count, const std::string& word) {
  const std::size_t at = cursor.position;
  ++cursor.position;  // "("
  int given = 0;
  if (!cursor.take(")")) {
    do {
      if (!ternary(cursor, scope)) return false;
      ++given;
    } while (cursor.take(","));
    if (!cursor.take(")")) return fail(cursor.position, "expected ')' or ','");
  }
  if (given != count) {
    return fail(at, fmt::format("'{}' takes {} argument{}, not {}", word, count,
                                count == 1 ? "" : "s", given));
  }
  return true;
}

bool CodeWriter::subscripts(Cursor& cursor, Scope& scope, const Array& array) {
  for (std::size_t d = 0; d < array.sizes.size(); ++d) {
    if (!cursor.take("[")) {
      return fail(cursor.position,
                  fmt::format("'{}' needs {} subscript(s)", array.name, array.sizes.size()));
    }
    if (!ternary(cursor, scope)) return false;
    if (!cursor.take("]")) return fail(cursor.position, "expected ']'");
  }
  return true;
}

bool CodeWriter::statements(Cursor& cursor, Scope& scope, Code& code) {
  code.begin = here();
  depth_ = 0;
  const bool good = block(cursor, scope);
  code.end = here();
  return good;
}

bool CodeWriter::block(Cursor& cursor, Scope& scope) {
  if (!cursor.take("{")) return fail(cursor.position, "expected '{'");
  const Level level(nesting_);
  if (level.too_deep()) return fail(cursor.position, too_deep());
  while (!cursor.take("}")) {
    if (cursor.at_end()) return fail(cursor.position, "expected '}'");
    if (!statement(cursor, scope)) return false;
  }
  return true;
}

bool CodeWriter::statement(Cursor& cursor, Scope& scope) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  if (cursor.take(";")) return true;
  Cursor ahead = cursor;
  const std::string word = name(ahead);
  const auto condition = [&] {
    if (!cursor.take("(")) return fail(cursor.position, "expected '('");
    if (!ternary(cursor, scope)) return false;
    if (!cursor.take(")")) return fail(cursor.position, "expected ')'");
    --depth_;
    return true;
  };
  const auto jump = [&](OpCode code) {
    const int index = static_cast<int>(program_.ops.size());
    emit(code, at);
    here();
    return index;
  };
  if (word == "if") {
    std::vector<int> to_end;  // behind each block, over all that follows
    for (bool chained = true; chained;) {
      cursor.position = ahead.position;
      if (!condition()) return false;
      const int branch = jump(OpCode::jump_if_zero);
      if (!block(cursor, scope)) return false;
      ahead = cursor;
      chained = name(ahead) == "else";
      if (chained) to_end.push_back(jump(OpCode::jump));
      op(branch).index = here();
      if (!chained) break;
      cursor.position = ahead.position;
      chained = name(ahead) == "if";
      if (!chained && !block(cursor, scope)) return false;
    }
    for (const int skip : to_end) op(skip).index = here();
    return true;
  }
  if (word == "while") {
    cursor.position = ahead.position;
    const int start = here();
    if (!condition()) return false;
    const int leave = jump(OpCode::jump_if_zero);
    if (!block(cursor, scope)) return false;
    op(jump(OpCode::jump)).index = start;
    op(leave).index = here();
    return loop_can_end({start, leave}, {start, here()}, at);
  }
  if (word == "do") {
    cursor.position = ahead.position;
    const int start = here();
    if (!block(cursor, scope)) return false;
    if (name(cursor) != "while") return fail(cursor.position, "expected 'while' after 'do {..}'");
    const int test = here();
    if (!condition()) return false;
    const int leave = jump(OpCode::jump_if_zero);
    op(jump(OpCode::jump)).index = start;
    op(leave).index = here();
    if (!cursor.take(";")) return fail(cursor.position, "expected ';'");
    return loop_can_end({test, leave}, {start, here()}, at);
  }
  return assignment(cursor, scope);
}

// Statements have no way out of a loop but its condition: something in it must change that.
bool CodeWriter::loop_can_end(Code condition, Code loop, std::size_t at) {
  std::set<std::pair<OpCode, std::int32_t>> stores;
  for (std::int32_t i = loop.begin; i < loop.end; ++i) {
    const OpCode code = op(i).code;
    if (code == OpCode::store_local || code == OpCode::store_global ||
        code == OpCode::store_element) {
      stores.insert({code, op(i).index});
    }
  }
  const auto stored = [&](OpCode store, std::int32_t index) {
    return stores.contains({store, index});
  };
  for (std::int32_t i = condition.begin; i < condition.end; ++i) {
    const Op& read = op(i);
    const bool random =
        read.code == OpCode::call && function_info(static_cast<Function>(read.index)).random;
    const bool local = read.code == OpCode::local || read.code == OpCode::local_times_constant ||
                       read.code == OpCode::local_plus_constant;
    if (random || (local && stored(OpCode::store_local, read.index)) ||
        (read.code == OpCode::global && stored(OpCode::store_global, read.index)) ||
        (read.code == OpCode::element && stored(OpCode::store_element, read.index))) {
      return true;
    }
  }
  const Op& first = op(condition.begin);
  const bool constant = condition.end - condition.begin == 1 && first.code == OpCode::constant;
  if (constant && first.value == 0) return true;
  return fail(at, constant ? "this loop never ends" : "this loop never ends once it has begun",
              "nothing in it changes its condition");
}

bool CodeWriter::assignment(Cursor& cursor, Scope& scope) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  const std::string word = name(cursor);
  if (word.empty()) {
    return fail(at, "expected a statement", "name = expression; if (..) {..} while (..) {..}");
  }
  const int array = find_array(word);
  const bool is_array = array >= 0 && !scope.slots.contains(word);
  const auto elements = static_cast<std::size_t>(array);
  if (is_array && !subscripts(cursor, scope, program_.arrays[elements])) return false;
  cursor.skip_space();
  if (cursor.peek() != '=' || cursor.peek(1) == '=') {
    return fail(cursor.position, "expected '='", "a statement is: name = expression;");
  }
  ++cursor.position;
  if (!ternary(cursor, scope)) return false;
  if (!cursor.take(";")) return fail(cursor.position, "expected ';'");
  if (is_array) {
    emit(OpCode::store_element, at, array);
    depth_ -= 1 + static_cast<int>(program_.arrays[elements].sizes.size());
    wrote_global = true;
    return true;
  }
  --depth_;
  if (const auto slot = scope.slots.find(word); slot != scope.slots.end()) {
    emit(OpCode::store_local, at, slot->second);
    return true;
  }
  const int found = find_global(word);
  if (found >= 0 && (found == program_.dt_global || found == program_.time_global ||
                     found == program_.step_global)) {
    return fail(at, fmt::format("'{}' is set by the program and cannot be assigned", word));
  }
  if (found >= 0 || scope.assigns_globals) {
    emit(OpCode::store_global, at, global(word, 0));
    wrote_global = true;
    return true;
  }
  if (!scope.may_add_locals) return fail(at, fmt::format("'{}' cannot be assigned here", word));
  scope.slots[word] = scope.slot_count;
  scope.used[word] = true;
  emit(OpCode::store_local, at, scope.slot_count++);
  return true;
}

bool CodeWriter::definitions(Cursor& cursor) {
  if (!cursor.take("{")) return fail(cursor.position, "expected '{'");
  while (!cursor.take("}")) {
    if (cursor.at_end()) return fail(cursor.position, "expected '}'");
    if (cursor.take(";")) continue;
    Cursor ahead = cursor;
    const std::string word = name(ahead);
    if (word == "array") {
      cursor.position = ahead.position;
      do {
        if (!define_array(cursor)) return false;
      } while (cursor.take(","));
    } else if (word == "curve" || word == "smooth") {
      if (!define_curve(cursor)) return false;
    } else {
      const std::size_t at = cursor.position;
      const std::string variable = name(cursor);
      double value = 0;
      if (variable.empty()) return fail(at, "expected 'array', 'curve' or a variable");
      if (!cursor.take("=")) return fail(cursor.position, "expected '='");
      if (!constant(cursor, value)) return false;
      const int index = global(variable, value);
      program_.global_values[static_cast<std::size_t>(index)] = value;
    }
    if (!cursor.take(";")) return fail(cursor.position, "expected ';'");
  }
  return true;
}

bool CodeWriter::define_array(Cursor& cursor) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  Array array;
  array.name = name(cursor);
  if (array.name.empty()) return fail(at, "expected the array's name");
  std::int64_t size = 1;
  while (cursor.take("[")) {
    double n = 0;
    if (!constant(cursor, n)) return false;
    if (!(n >= 1 && n <= 1e5) || n != std::floor(n)) {
      return fail(at, "an array's size is a whole number from 1 to 100000");
    }
    if (!cursor.take("]")) return fail(cursor.position, "expected ']'");
    array.sizes.push_back(static_cast<int>(n));
    size *= static_cast<int>(n);
    if (size > 100000 || array.sizes.size() > 4) {
      return fail(at, "an array has at most 4 dimensions and 100000 elements");
    }
  }
  if (array.sizes.empty()) return fail(cursor.position, "expected '[size]'");
  std::vector<double> values;
  if (cursor.take("=")) {  // {..} may nest; only the order counts
    int depth = 0;
    do {
      if (cursor.take("{")) {
        ++depth;
      } else if (cursor.take("}")) {
        --depth;
      } else if (!cursor.take(",")) {
        double value = 0;
        if (!constant(cursor, value)) return false;
        values.push_back(value);
      }
      if (cursor.at_end()) return fail(cursor.position, "expected '}'");
    } while (depth > 0);
    if (static_cast<std::int64_t>(values.size()) > size) {
      return fail(
          at, fmt::format("'{}' has {} elements but {} values", array.name, size, values.size()));
    }
  }
  if (static_cast<std::int64_t>(program_.global_values.size()) + size > elements_limit) {
    return fail(at, fmt::format("all arrays together have at most {} elements", elements_limit),
                "use fewer or smaller arrays");
  }
  values.resize(static_cast<std::size_t>(size), 0.0);
  // Elements share the store of the variables.
  array.begin = static_cast<std::int32_t>(program_.global_values.size());
  program_.global_values.insert(program_.global_values.end(), values.begin(), values.end());
  program_.array_of.try_emplace(array.name, static_cast<std::int32_t>(program_.arrays.size()));
  program_.arrays.push_back(std::move(array));
  return true;
}

bool CodeWriter::define_curve(Cursor& cursor) {
  Curve curve;
  std::string word = name(cursor);
  if (word == "smooth") {
    curve.smooth = true;
    word = name(cursor);
  }
  if (word != "curve") return fail(cursor.position, "expected 'curve'");
  cursor.skip_space();
  const std::size_t at = cursor.position;
  curve.name = name(cursor);
  if (curve.name.empty()) return fail(at, "expected the curve's name");
  if (!cursor.take("=") || !cursor.take("{")) {
    return fail(cursor.position, "expected '= {'", "curve taper = { 0:1, 0.5:0.8, 1:0 };");
  }
  do {
    double x = 0, y = 0;
    if (!constant(cursor, x)) return false;
    if (!cursor.take(":")) return fail(cursor.position, "expected ':' between x and y of a point");
    if (!constant(cursor, y)) return false;
    if (!curve.x.empty() && !(x > curve.x.back())) {
      return fail(cursor.position, "the x of a curve's points must rise");
    }
    curve.x.push_back(x);
    curve.y.push_back(y);
  } while (cursor.take(","));
  if (!cursor.take("}")) return fail(cursor.position, "expected '}' or ','");
  prepare_slopes(curve);
  program_.curve_of.try_emplace(curve.name, static_cast<std::int32_t>(program_.curves.size()));
  program_.curves.push_back(std::move(curve));
  return true;
}

}  // namespace thigmo
