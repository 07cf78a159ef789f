#include "grammar/rules/statements.h"

#include <fmt/format.h>

#include <set>

#include "base/nesting.h"
#include "grammar/rules/expressions.h"

namespace thigmo {

namespace {

Result<Done> read_statement(CodeWriter& w, Cursor& cursor, Scope& scope);

Result<Done> read_block(CodeWriter& w, Cursor& cursor, Scope& scope) {
  if (!cursor.take("{")) return fault(w, cursor.position, "expected '{'");
  const Level level(w.nesting);
  if (level.too_deep()) return fault(w, cursor.position, too_deep());
  while (!cursor.take("}")) {
    if (cursor.at_end()) return fault(w, cursor.position, "expected '}'");
    if (auto done = read_statement(w, cursor, scope); !done) return done;
  }
  return Done{};
}

// "( e )", whose value the jump behind it takes.
Result<Done> read_test(CodeWriter& w, Cursor& cursor, Scope& scope) {
  if (!cursor.take("(")) return fault(w, cursor.position, "expected '('");
  if (auto done = read_ternary(w, cursor, scope); !done) return done;
  if (!cursor.take(")")) return fault(w, cursor.position, "expected ')'");
  --w.depth;
  return Done{};
}

// Statements have no way out of a loop but its condition: something in it must change that.
Result<Done> check_loop_ends(CodeWriter& w, Code condition, Code loop, std::size_t at) {
  std::set<std::pair<OpCode, std::int32_t>> stores;
  for (std::int32_t i = loop.begin; i < loop.end; ++i) {
    const OpCode code = op_at(w, i).code;
    if (code == OpCode::store_local || code == OpCode::store_global ||
        code == OpCode::store_element) {
      stores.insert({code, op_at(w, i).index});
    }
  }
  const auto stored = [&](OpCode store, std::int32_t index) {
    return stores.contains({store, index});
  };
  for (std::int32_t i = condition.begin; i < condition.end; ++i) {
    const Op& read = op_at(w, i);
    const bool random =
        read.code == OpCode::call && function_info(static_cast<Function>(read.index)).random;
    const bool local = read.code == OpCode::local || read.code == OpCode::local_times_constant ||
                       read.code == OpCode::local_plus_constant;
    if (random || (local && stored(OpCode::store_local, read.index)) ||
        (read.code == OpCode::global && stored(OpCode::store_global, read.index)) ||
        (read.code == OpCode::element && stored(OpCode::store_element, read.index))) {
      return Done{};
    }
  }
  const Op& first = op_at(w, condition.begin);
  const bool constant = condition.end - condition.begin == 1 && first.code == OpCode::constant;
  if (constant && first.value == 0) return Done{};
  return fault(w, at, constant ? "this loop never ends" : "this loop never ends once it has begun",
               "nothing in it changes its condition");
}

// if (e) {..} else if (e) {..} else {..}; the cursor stands behind the first `if`.
Result<Done> read_if(CodeWriter& w, Cursor& cursor, Scope& scope, std::size_t at) {
  std::vector<int> to_end;  // jumps behind each block, over all that follows
  for (bool chained = true; chained;) {
    if (auto done = read_test(w, cursor, scope); !done) return done;
    const int branch = emit_jump(w, OpCode::jump_if_zero, at);
    if (auto done = read_block(w, cursor, scope); !done) return done;
    Cursor ahead = cursor;
    const bool has_else = read_name(ahead) == "else";
    if (has_else) to_end.push_back(emit_jump(w, OpCode::jump, at));
    op_at(w, branch).index = next_op(w);
    if (!has_else) break;
    cursor.position = ahead.position;
    chained = read_name(ahead) == "if";
    if (chained) {
      cursor.position = ahead.position;
    } else if (auto done = read_block(w, cursor, scope); !done) {
      return done;
    }
  }
  for (const int skip : to_end) op_at(w, skip).index = next_op(w);
  return Done{};
}

Result<Done> read_while(CodeWriter& w, Cursor& cursor, Scope& scope, std::size_t at) {
  const int start = next_op(w);
  if (auto done = read_test(w, cursor, scope); !done) return done;
  const int leave = emit_jump(w, OpCode::jump_if_zero, at);
  if (auto done = read_block(w, cursor, scope); !done) return done;
  op_at(w, emit_jump(w, OpCode::jump, at)).index = start;
  op_at(w, leave).index = next_op(w);
  return check_loop_ends(w, {start, leave}, {start, next_op(w)}, at);
}

Result<Done> read_do(CodeWriter& w, Cursor& cursor, Scope& scope, std::size_t at) {
  const int start = next_op(w);
  if (auto done = read_block(w, cursor, scope); !done) return done;
  if (read_name(cursor) != "while") {
    return fault(w, cursor.position, "expected 'while' after 'do {..}'");
  }
  const int test = next_op(w);
  if (auto done = read_test(w, cursor, scope); !done) return done;
  const int leave = emit_jump(w, OpCode::jump_if_zero, at);
  op_at(w, emit_jump(w, OpCode::jump, at)).index = start;
  op_at(w, leave).index = next_op(w);
  if (!cursor.take(";")) return fault(w, cursor.position, "expected ';'");
  return check_loop_ends(w, {test, leave}, {start, next_op(w)}, at);
}

Result<Done> read_assignment(CodeWriter& w, Cursor& cursor, Scope& scope) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  const std::string word = read_name(cursor);
  if (word.empty()) {
    return fault(w, at, "expected a statement", "name = expression; if (..) {..} while (..) {..}");
  }
  const int array = find_array(w, word);
  const bool is_array = array >= 0 && !scope.slots.contains(word);
  if (is_array) {
    const Array& elements = thigmo::at(w.program.arrays, array);
    if (auto done = read_subscripts(w, cursor, scope, elements); !done) return done;
  }
  cursor.skip_space();
  if (cursor.peek() != '=' || cursor.peek(1) == '=') {
    return fault(w, cursor.position, "expected '='", "a statement is: name = expression;");
  }
  ++cursor.position;
  if (auto done = read_ternary(w, cursor, scope); !done) return done;
  if (!cursor.take(";")) return fault(w, cursor.position, "expected ';'");
  if (is_array) {
    emit(w, OpCode::store_element, at, array);
    w.depth -= 1 + static_cast<int>(thigmo::at(w.program.arrays, array).sizes.size());
    w.wrote_global = true;
    return Done{};
  }
  --w.depth;
  if (const auto slot = scope.slots.find(word); slot != scope.slots.end()) {
    emit(w, OpCode::store_local, at, slot->second);
    return Done{};
  }
  const int found = find_global(w, word);
  if (found >= 0 && is_clock(w.program, found)) {
    return fault(w, at, fmt::format("'{}' is set by the program and cannot be assigned", word));
  }
  if (found >= 0 || scope.assigns_globals) {
    emit(w, OpCode::store_global, at, make_global(w, word, 0));
    w.wrote_global = true;
    return Done{};
  }
  if (!scope.may_add_locals) return fault(w, at, fmt::format("'{}' cannot be assigned here", word));
  scope.slots[word] = scope.slot_count;
  scope.used[word] = true;
  emit(w, OpCode::store_local, at, scope.slot_count++);
  return Done{};
}

Result<Done> read_statement(CodeWriter& w, Cursor& cursor, Scope& scope) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  if (cursor.take(";")) return Done{};
  Cursor behind = cursor;
  const std::string word = read_name(behind);
  if (word != "if" && word != "while" && word != "do") return read_assignment(w, cursor, scope);
  cursor.position = behind.position;
  return word == "if"      ? read_if(w, cursor, scope, at)
         : word == "while" ? read_while(w, cursor, scope, at)
                           : read_do(w, cursor, scope, at);
}

}  // namespace

Result<Code> read_statements(CodeWriter& w, Cursor& cursor, Scope& scope) {
  return read_code(w, [&] { return read_block(w, cursor, scope); });
}

}  // namespace thigmo
