#include "grammar/rules/declarations.h"

#include <fmt/format.h>

#include "grammar/rules/expressions.h"
#include "grammar/rules/read_rule.h"

namespace thigmo {

namespace {

// "lives e" behind a declaration, where it is there.
Result<Done> read_lifetime(Compiler& c, Cursor& rest, std::size_t at, int arity, Kind made) {
  Cursor ahead = rest;
  if (!ahead.take("lives")) return Done{};
  rest = ahead;
  if (arity < 1) return fault(c, at, "a module that lives needs its age as first parameter");
  Scope none;
  const Result<Code> code = read_expression(c.writer, rest, none);
  if (!code) return code.diagnostics();
  c.program.kinds[made].lifetime = static_cast<std::int32_t>(c.program.lifetimes.size());
  c.program.lifetimes.push_back(*code);
  c.program.uses_time = true;
  return Done{};
}

}  // namespace

Result<Done> declare_module(Compiler& c, Cursor& rest) {
  rest.skip_space();
  const std::size_t at = rest.position;
  std::size_t length = 0;
  while (is_name_part(rest.peek(length))) ++length;
  const std::string name = text_of(c).substr(at, length);
  if (name.empty() || !is_name_start(name[0])) return fault(c, at, "expected the module's name");
  rest.position += length;
  if (c.program.declared.contains(name)) {
    return fault(c, at, fmt::format("the module '{}' is declared twice", name));
  }
  Rule formals;
  Scope scope;
  const Result<int> arity = read_formals(c, rest, formals, scope);
  if (!arity) return arity.diagnostics();
  const Result<Kind> made = make_kind(c, at, name, *arity);
  if (!made) return made.diagnostics();
  c.program.declared[name] = formals.parameter_names;
  c.program.kinds[*made].declared = true;
  c.program.kinds[*made].plain_length = 1;
  if (auto done = read_lifetime(c, rest, at, *arity, *made); !done) return done;
  return expect_end(c, rest, "nothing may follow the declaration");
}

Result<Done> read_expectation(Compiler& c, Cursor& rest, std::size_t at) {
  Expectation expectation;
  expectation.place = place_at(c, at);
  if (rest.take("length")) {
    expectation.what = Expectation::What::length;
  } else if (rest.take("segments")) {
    expectation.what = Expectation::What::segments;
  } else if (rest.take("organs")) {
    expectation.what = Expectation::What::organs;
  } else if (rest.take("count")) {
    expectation.what = Expectation::What::count;
    rest.skip_space();
    const Result<std::string> symbol = read_symbol(c, rest, false);
    if (!symbol) return symbol.diagnostics();
    expectation.symbol = *symbol;
  } else {
    return fault(c, rest.position, "expected 'length', 'count SYMBOL', 'segments' or 'organs'");
  }
  const Result<double> value = read_constant(c.writer, rest);
  if (!value) return value.diagnostics();
  expectation.value = *value;
  if (auto done = expect_end(c, rest, "nothing may follow the value"); !done) return done;
  c.program.expectations.push_back(expectation);
  return Done{};
}

}  // namespace thigmo
