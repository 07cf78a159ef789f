#include "grammar/rules/read_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "grammar/rules/expressions.h"
#include "grammar/rules/statements.h"

namespace thigmo {

Result<int> read_formals(const Compiler& c, Cursor& at, Rule& rule, Scope& scope) {
  int count = 0;
  at.skip_space();
  if (at.peek() != '(') return 0;
  ++at.position;
  do {
    at.skip_space();
    const std::size_t begin = at.position;
    const std::string name = read_name(at);
    if (name.empty()) {
      return fault(c, begin, "expected a parameter's name",
                   "a number here may come from a #define with the same name");
    }
    if (scope.slots.contains(name)) {
      return fault(c, begin, fmt::format("the parameter '{}' stands twice in this rule", name));
    }
    scope.slots[name] = scope.slot_count++;
    rule.parameter_names.push_back(name);
    rule.parameter_places.push_back(place_at(c, begin));
    if (++count > 64) return fault(c, begin, "a module has at most 64 parameters");
  } while (at.take(","));
  if (!at.take(")")) return fault(c, at.position, "expected ')' or ','");
  return count;
}

namespace {

// The parameters of a module in a predecessor: named in parentheses, or for a declared module left
// out, which binds the declared names.
Result<int> read_pattern_formals(const Compiler& c, Cursor& at, const std::string& name, Rule& rule,
                                 Scope& scope) {
  at.skip_space();
  const std::size_t begin = at.position;
  const auto declared = c.program.declared.find(name);
  if (declared == c.program.declared.end()) return read_formals(c, at, rule, scope);
  const std::vector<std::string>& names = declared->second;
  if (at.peek() == '(') {
    Result<int> count = read_formals(c, at, rule, scope);
    if (!count || *count == static_cast<int>(names.size())) return count;
    return fault(c, begin, fmt::format("the module '{}' has {} parameter(s)", name, names.size()));
  }
  for (const std::string& parameter : names) {
    if (scope.slots.contains(parameter)) {
      return fault(c, begin, fmt::format("the parameter '{}' stands twice in this rule", parameter),
                   "write the parameters in parentheses, with other names");
    }
    scope.slots[parameter] = scope.slot_count++;
    rule.parameter_names.push_back(parameter);
    rule.parameter_places.push_back(place_at(c, begin));
    scope.used[parameter] = true;  // nobody wrote it here, so nobody can leave it out
  }
  return static_cast<int>(names.size());
}

Result<Done> read_strict(Compiler& c, Cursor at, Rule& rule, Scope& scope) {
  rule.strict_slot = scope.slot_count;
  while (!at.at_end()) {
    const std::size_t begin = at.position;
    const Result<std::string> name = read_symbol(c, at, false);
    if (!name) return name.diagnostics();
    const Result<int> arity = read_pattern_formals(c, at, *name, rule, scope);
    if (!arity) return arity.diagnostics();
    const Result<Kind> kind = make_kind(c, begin, *name, *arity);
    if (!kind) return kind.diagnostics();
    rule.strict.push_back(*kind);
    rule.strict_parameters += *arity;
  }
  if (rule.strict.empty()) return fault(c, at.position, "the rule has no predecessor");
  return Done{};
}

Result<Done> read_pattern(Compiler& c, Cursor at, std::vector<PatternItem>& items, Rule& rule,
                          Scope& scope) {
  if (at.take("*")) return expect_end(c, at, "nothing may follow '*' here");
  const std::size_t start = at.position;
  while (!at.at_end()) {
    const std::size_t begin = at.position;
    PatternItem item;
    item.slot = scope.slot_count;
    const Result<std::string> name = read_symbol(c, at, true);
    if (!name) return name.diagnostics();
    const Result<int> arity = read_pattern_formals(c, at, *name, rule, scope);
    if (!arity) return arity.diagnostics();
    if (*name == "[") {
      item.type = PatternItem::Type::open;
    } else if (*name == "]") {
      item.type = PatternItem::Type::close;
    } else if (*name == "=") {
      item.type = PatternItem::Type::rest_of_branch;
    } else {
      const Result<Kind> kind = make_kind(c, begin, *name, *arity);
      if (!kind) return kind.diagnostics();
      item.kind = *kind;
    }
    items.push_back(item);
  }
  if (items.empty()) return fault(c, start, "the context is empty", "write * for an empty context");
  return Done{};
}

Result<Done> read_predecessor(Compiler& c, Cursor at, Rule& rule, Scope& scope) {
  const std::size_t less = find_top_level(at, "<");
  Cursor strict = at;
  if (less != std::string::npos) {
    Cursor left = at;
    left.end = less;
    strict.position = less + 1;
    if (strict.peek() == '<') {
      rule.left_new = true;
      ++strict.position;
    }
    if (auto done = read_pattern(c, left, rule.left, rule, scope); !done) return done;
    std::reverse(rule.left.begin(), rule.left.end());
  }
  const std::size_t greater = find_top_level(strict, ">");
  Cursor right = strict;
  if (greater != std::string::npos) {
    right.position = greater + 1;
    if (right.peek() == '>') {
      rule.right_new = true;
      ++right.position;
    }
    strict.end = greater;
  }
  if (auto done = read_strict(c, strict, rule, scope); !done) return done;
  return greater == std::string::npos ? Done{} : read_pattern(c, right, rule.right, rule, scope);
}

// Statements, where they begin here.
Result<Done> read_optional_statements(Compiler& c, Cursor& at, Scope& scope, Code& code) {
  at.skip_space();
  if (at.peek() != '{') return Done{};
  const Result<Code> read = read_statements(c.writer, at, scope);
  if (!read) return read.diagnostics();
  code = *read;
  return Done{};
}

// The value of an expression that is a single constant.
std::optional<double> constant_value(const Program& program, Code code) {
  const Op& first = at(program.ops, code.begin);
  if (code.end - code.begin != 1 || first.code != OpCode::constant) return std::nullopt;
  return first.value;
}

Result<Done> read_condition(Compiler& c, Cursor at, Rule& rule, Scope& scope) {
  if (auto done = read_optional_statements(c, at, scope, rule.before); !done) return done;
  if (at.at_end()) {
    if (!rule.before.empty()) return Done{};
    return fault(c, at.position, "the condition is empty", "write * for always");
  }
  if (!at.take("*")) {
    const Result<Code> condition = read_expression(c.writer, at, scope);
    if (!condition) return condition.diagnostics();
    const bool always = constant_value(c.program, *condition).value_or(0.0) != 0;
    if (!always) rule.condition = *condition;
  }
  if (auto done = read_optional_statements(c, at, scope, rule.after); !done) return done;
  return expect_end(c, at, "expected '-->' here");
}

// Keeps the instructions of parameters together where each is a single one.
void note_simple(const std::vector<Op>& ops, Successor& successor) {
  for (const Code code : successor.parameters) {
    const Op& first = at(ops, code.begin);
    if (!is_simple(code, first)) return successor.simple.clear();
    successor.simple.push_back(first);
  }
}

// Where an argument of a declared module goes: "name = e" to the place of that name, and moves behind
// the =; others in their order.
Result<std::size_t> read_argument_name(const Compiler& c, Cursor& at, const std::string& name,
                                       const std::vector<std::string>& names, std::size_t next,
                                       bool& named) {
  Cursor ahead = at;
  ahead.skip_space();
  const std::size_t begin = ahead.position;
  while (is_name_part(ahead.peek())) ++ahead.position;
  const std::string word = text_of(c).substr(begin, ahead.position - begin);
  ahead.skip_space();
  if (!word.empty() && ahead.peek() == '=' && ahead.peek(1) != '=') {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      return fault(c, begin, fmt::format("'{}' has no parameter '{}'", name, word));
    }
    named = true;
    at.position = ahead.position + 1;
    return static_cast<std::size_t>(found - names.begin());
  }
  if (named) return fault(c, begin, "a parameter without name follows one with a name");
  return next;
}

// (e, e, ..), or for a declared module (name = e, ..) in any order.
Result<std::vector<Code>> read_arguments(Compiler& c, Cursor& at, Scope& scope,
                                         const std::string& name) {
  at.skip_space();
  const std::size_t begin = at.position;
  const auto declared = c.program.declared.find(name);
  const bool is_declared = declared != c.program.declared.end();
  std::vector<Code> arguments;
  std::vector<bool> given;
  bool named = false;
  if (at.peek() == '(') {
    ++at.position;
    do {
      std::size_t place = arguments.size();
      if (is_declared) {
        const Result<std::size_t> found =
            read_argument_name(c, at, name, declared->second, place, named);
        if (!found) return found.diagnostics();
        place = *found;
      }
      if (place >= 64) return fault(c, begin, "a module has at most 64 parameters");
      if (place >= arguments.size()) {
        arguments.resize(place + 1);
        given.resize(place + 1, false);
      }
      if (given[place]) return fault(c, at.position, "this parameter is given twice");
      given[place] = true;
      const Result<Code> code = read_expression(c.writer, at, scope);
      if (!code) return code.diagnostics();
      arguments[place] = *code;
    } while (at.take(","));
    if (!at.take(")")) return fault(c, at.position, "expected ')' or ','");
  }
  const bool missing = std::find(given.begin(), given.end(), false) != given.end();
  if (is_declared && (missing || arguments.size() != declared->second.size())) {
    return fault(c, begin,
                 fmt::format("the module '{}' has {} parameter(s)", name, declared->second.size()));
  }
  return arguments;
}

Result<Done> read_successor(Compiler& c, Cursor& at, Scope& scope, Successor& successor) {
  const std::size_t colon = find_top_level(at, ":");
  Cursor modules = at;
  if (colon != std::string::npos) modules.end = colon;
  at.position = modules.end;
  if (modules.take("*")) return expect_end(c, modules, "nothing may follow '*' here");
  while (!modules.at_end()) {
    const std::size_t begin = modules.position;
    const Result<std::string> name = read_symbol(c, modules, false);
    if (!name) return name.diagnostics();
    const Result<std::vector<Code>> arguments = read_arguments(c, modules, scope, *name);
    if (!arguments) return arguments.diagnostics();
    for (const Code code : *arguments) {
      const std::optional<double> constant = constant_value(c.program, code);
      successor.constant = successor.constant && constant;
      if (constant) successor.constants.push_back(*constant);
      successor.parameters.push_back(code);
    }
    const Result<Kind> kind = make_kind(c, begin, *name, static_cast<int>(arguments->size()));
    if (!kind) return kind.diagnostics();
    successor.kinds.push_back(*kind);
    successor.places.push_back(place_at(c, begin));
  }
  if (!successor.constant) successor.constants.clear();
  note_simple(c.program.ops, successor);
  return Done{};
}

// ": weight" behind a successor.
Result<Done> read_weight(Compiler& c, Cursor& after, Scope& scope, Rule& rule) {
  if (!after.take(":")) return Done{};
  after.skip_space();
  const std::size_t begin = after.position;
  const Result<Code> weight = read_expression(c.writer, after, scope);
  if (!weight) return weight.diagnostics();
  if (auto done = expect_end(c, after, "nothing may follow the weight"); !done) return done;
  if (constant_value(c.program, *weight).value_or(0.0) < 0) {
    return fault(c, begin, "a weight cannot be negative");
  }
  rule.weight = *weight;
  return Done{};
}

// The text of a rule: predecessor : condition --> successor : weight.
Result<Done> read_parts(Compiler& c, const Cursor& at, std::size_t arrow, Rule& rule) {
  Scope scope{.may_add_locals = true};
  Cursor before = at;
  before.end = arrow;
  const std::size_t colon = find_top_level(before, ":");
  Cursor predecessor = before;
  if (colon != std::string::npos) predecessor.end = colon;
  if (auto done = read_predecessor(c, predecessor, rule, scope); !done) return done;
  if (colon != std::string::npos) {
    Cursor condition = before;
    condition.position = colon + 1;
    if (auto done = read_condition(c, condition, rule, scope); !done) return done;
  }
  Cursor after = at;
  after.position = arrow + 3;
  if (auto done = read_successor(c, after, scope, rule.successor); !done) return done;
  if (auto done = read_weight(c, after, scope, rule); !done) return done;
  rule.slots = scope.slot_count;
  for (const std::string& name : rule.parameter_names) {
    const auto used = scope.used.find(name);
    rule.parameter_used.push_back(used != scope.used.end() && used->second);
  }
  return Done{};
}

// Refuses what the section has no place for.
Result<Done> check_section(const Compiler& c, const Rule& rule, std::size_t position) {
  if (c.section != RuleSet::production && rule.strict.size() > 1) {
    return fault(c, position, "a rule here replaces exactly one module");
  }
  if (c.section == RuleSet::decomposition && rule.has_context()) {
    return fault(c, position, "decomposition rules have no context");
  }
  if (c.section != RuleSet::production && (rule.left_new || rule.right_new)) {
    return fault(c, position, "'<<' and '>>' belong into productions");
  }
  return Done{};
}

// What the derivation must prepare for because of this rule.
void note_needs(const CodeWriter& writer, const Rule& rule, Program& p) {
  p.uses_random = p.uses_random || rule.weight || writer.saw_random;
  p.writes_globals = p.writes_globals || writer.wrote_global;
  p.uses_context = p.uses_context || rule.has_context();
  p.uses_new_context = p.uses_new_context || rule.left_new || rule.right_new;
  p.multi_module = p.multi_module || rule.strict.size() > 1;
  p.frame_size = std::max(p.frame_size, rule.slots);
}

}  // namespace

Result<Done> read_axiom(Compiler& c, Cursor& rest, std::size_t position) {
  if (c.program.systems.size() > 1) return Done{};  // a sub-L-system starts from what calls it
  if (c.has_axiom) return fault(c, position, "there are two axioms");
  c.has_axiom = true;
  c.program.axiom_place = place_at(c, position);
  Scope none;
  c.writer.saw_random = false;
  if (auto done = read_successor(c, rest, none, c.program.axiom); !done) return done;
  c.program.uses_random = c.program.uses_random || c.writer.saw_random;
  return expect_end(c, rest, "an axiom has no weight");
}

Result<Done> read_rule(Compiler& c, const Cursor& at, std::size_t arrow) {
  Rule rule;
  rule.place = place_at(c, at.position);
  rule.group = c.group;
  rule.ignore = static_cast<std::int32_t>(c.ignore_lists.size()) - 1;
  rule.number = c.rule_count++;
  rule.text = text_of(c).substr(at.position, std::min(at.end - at.position, std::size_t{200}));
  c.writer.saw_random = c.writer.wrote_global = false;
  if (auto done = read_parts(c, at, arrow, rule); !done) return done;
  if (auto done = check_section(c, rule, at.position); !done) return done;
  note_needs(c.writer, rule, c.program);
  RuleTable& table = table_of_section(c);
  table.by_kind[rule.strict[0]].push_back(static_cast<std::int32_t>(table.rules.size()));
  table.rules.push_back(std::move(rule));
  return Done{};
}

}  // namespace thigmo
