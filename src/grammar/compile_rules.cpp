#include <fmt/format.h>

#include <algorithm>

#include "grammar/compiler.h"

namespace thigmo {

namespace {

// Names of three characters; every other @ ~ ? name has two.
constexpr std::string_view three_character_names[] = {"@Gs", "@Gc", "@Ge", "@Gt", "@Ts",
                                                      "@Ey", "@Ed", "@Ez", "@Es", "@Ek",
                                                      "@Ej", "@Em", "@Eg", "@Ef", "@Eh"};

}  // namespace

// The first `what` outside parentheses; none inside { } either, before which a rule's arrow stands.
std::size_t Compiler::find_top_level(const Cursor& from, std::string_view what) const {
  int parentheses = 0, braces = 0;
  for (std::size_t i = from.position; i < from.end; ++i) {
    const char c = text()[i];
    if (parentheses == 0 && braces <= 0 && i + what.size() <= from.end &&
        text().compare(i, what.size(), what) == 0) {
      return i;
    }
    if (c == '(') ++parentheses;
    if (c == ')') --parentheses;
    if (what == "-->" && c == '{') ++braces;
    if (what == "-->" && c == '}') --braces;
  }
  return std::string::npos;
}

bool Compiler::symbol(Cursor& at, std::string& name, bool in_pattern) {
  at.skip_space();
  const std::size_t begin = at.position;
  const char c = at.peek();
  std::size_t length = 1;
  if (is_name_start(c)) {
    for (const auto& [declared, parameters] : program_.declared) {
      if (declared.size() > length && begin + declared.size() <= at.end &&
          text().compare(begin, declared.size(), declared) == 0) {
        length = declared.size();
      }
    }
  } else if (c == '@' || c == '~' || (c == '?' && is_name_part(at.peek(1)))) {
    length = 2;
    for (std::string_view three : three_character_names) {
      if (begin + 3 <= at.end && text().compare(begin, 3, three) == 0) length = 3;
    }
    const char second = at.peek(1);
    if (static_cast<unsigned char>(second) <= ' ' || second == '(') {
      return fail(begin, fmt::format("'{}' needs a letter behind it", c));
    }
  } else if (static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7f) {
    return fail(begin, "only printable ASCII characters can be modules");
  } else if (c == '(' || c == ')' || c == '<' || c == '>' || c == ':' || c == '*' ||
             (c == '=' && !in_pattern)) {
    return fail(begin, fmt::format("'{}' cannot be a module", c),
                c == '<' || c == '>' ? "only one context on each side is possible" : "");
  }
  name = text().substr(begin, length);
  at.position += length;
  return true;
}

bool Compiler::kind(std::size_t at, const std::string& name, int arity, Kind& found) {
  const auto key = std::pair(name, arity);
  if (const auto known = program_.kind_of.find(key); known != program_.kind_of.end()) {
    found = known->second;
    return true;
  }
  if (program_.kinds.size() >= kind_limit) {
    if (too_many_kinds_) return false;
    too_many_kinds_ = true;
    return fail(at, fmt::format("the model has more than {} different modules", kind_limit),
                "modules with the same name but another number of parameters count apart");
  }
  found = static_cast<Kind>(program_.kinds.size());
  const bool declared = program_.declared.contains(name);
  program_.kinds.push_back({.name = name,
                            .arity = arity,
                            .declared = declared,
                            .plain_length = declared ? 1 : static_cast<int>(name.size())});
  program_.kind_of[key] = found;
  if (name == "%" && arity == 0) program_.cut = found;
  if (name == "?" && arity == 2) program_.sub_open = found;
  if (name == "$" && arity == 0) program_.sub_close = found;
  if (name.size() == 2 && name[0] == '?' &&
      std::string_view("PHLUE").find(name[1]) != std::string::npos) {
    program_.asks_turtle = program_.asks_turtle || arity > 0;
  }
  return true;
}

bool Compiler::read_formals(Cursor& at, Rule& rule, Scope& scope, int& count) {
  count = 0;
  at.skip_space();
  if (at.peek() != '(') return true;
  ++at.position;
  do {
    at.skip_space();
    const std::size_t begin = at.position;
    std::size_t length = 0;
    if (is_name_start(at.peek())) {
      while (is_name_part(at.peek(length))) ++length;
    }
    if (length == 0) {
      return fail(begin, "expected a parameter's name",
                  "a number here may come from a #define with the same name");
    }
    const std::string name = text().substr(begin, length);
    at.position += length;
    if (scope.slots.contains(name)) {
      return fail(begin, fmt::format("the parameter '{}' stands twice in this rule", name));
    }
    scope.slots[name] = scope.slot_count++;
    rule.parameter_names.push_back(name);
    rule.parameter_places.push_back(place(begin));
    if (++count > 64) return fail(begin, "a module has at most 64 parameters");
  } while (at.take(","));
  if (!at.take(")")) return fail(at.position, "expected ')' or ','");
  return true;
}

// The parameters of a module in a predecessor: named in parentheses, or for a declared module left
// out, which binds the declared names.
bool Compiler::read_pattern_formals(Cursor& at, const std::string& name, Rule& rule, Scope& scope,
                                    int& count) {
  at.skip_space();
  const std::size_t begin = at.position;
  const auto declared = program_.declared.find(name);
  if (declared == program_.declared.end()) return read_formals(at, rule, scope, count);
  if (at.peek() == '(') {
    if (!read_formals(at, rule, scope, count)) return false;
    return count == static_cast<int>(declared->second.size()) ||
           fail(begin,
                fmt::format("the module '{}' has {} parameter(s)", name, declared->second.size()));
  }
  count = 0;
  for (const std::string& parameter : declared->second) {
    if (scope.slots.contains(parameter)) {
      return fail(begin, fmt::format("the parameter '{}' stands twice in this rule", parameter),
                  "write the parameters in parentheses, with other names");
    }
    scope.slots[parameter] = scope.slot_count++;
    rule.parameter_names.push_back(parameter);
    rule.parameter_places.push_back(place(begin));
    scope.used[parameter] = true;  // nobody wrote it here, so nobody can leave it out
    ++count;
  }
  return true;
}

bool Compiler::read_strict(Cursor at, Rule& rule, Scope& scope) {
  rule.strict_slot = scope.slot_count;
  while (!at.at_end()) {
    const std::size_t begin = at.position;
    std::string name;
    int arity = 0;
    Kind found;
    if (!symbol(at, name, false) || !read_pattern_formals(at, name, rule, scope, arity) ||
        !kind(begin, name, arity, found)) {
      return false;
    }
    rule.strict.push_back(found);
    rule.strict_parameters += arity;
  }
  if (rule.strict.empty()) return fail(at.position, "the rule has no predecessor");
  return true;
}

bool Compiler::read_pattern(Cursor at, std::vector<PatternItem>& items, Rule& rule, Scope& scope) {
  if (at.take("*")) return at.at_end() || fail(at.position, "nothing may follow '*' here");
  const std::size_t start = at.position;
  while (!at.at_end()) {
    const std::size_t begin = at.position;
    std::string name;
    PatternItem item;
    item.slot = scope.slot_count;
    int arity = 0;
    if (!symbol(at, name, true) || !read_pattern_formals(at, name, rule, scope, arity))
      return false;
    if (name == "[") {
      item.type = PatternItem::Type::open;
    } else if (name == "]") {
      item.type = PatternItem::Type::close;
    } else if (name == "=") {
      item.type = PatternItem::Type::rest_of_branch;
    } else if (!kind(begin, name, arity, item.kind)) {
      return false;
    }
    items.push_back(item);
  }
  if (items.empty()) return fail(start, "the context is empty", "write * for an empty context");
  return true;
}

bool Compiler::read_predecessor(Cursor at, Rule& rule, Scope& scope) {
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
    if (!read_pattern(left, rule.left, rule, scope)) return false;
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
  if (!read_strict(strict, rule, scope)) return false;
  return greater == std::string::npos || read_pattern(right, rule.right, rule, scope);
}

bool Compiler::read_condition(Cursor at, Rule& rule, Scope& scope) {
  at.skip_space();
  if (at.peek() == '{' && !writer_.statements(at, scope, rule.before)) return false;
  if (at.at_end()) {
    return !rule.before.empty() ||
           fail(at.position, "the condition is empty", "write * for always");
  }
  if (!at.take("*")) {
    if (!writer_.expression(at, scope, rule.condition)) return false;
    const Op& first = program_.ops[static_cast<std::size_t>(rule.condition.begin)];
    const bool constant =
        rule.condition.end - rule.condition.begin == 1 && first.code == OpCode::constant;
    if (constant && first.value != 0) rule.condition = {};  // the same as *
  }
  at.skip_space();
  if (at.peek() == '{' && !writer_.statements(at, scope, rule.after)) return false;
  return at.at_end() || fail(at.position, "expected '-->' here");
}

bool Compiler::read_successor(Cursor& at, Scope& scope, Successor& successor) {
  const std::size_t colon = find_top_level(at, ":");
  Cursor modules = at;
  if (colon != std::string::npos) modules.end = colon;
  at.position = modules.end;
  if (modules.take("*")) {
    return modules.at_end() || fail(modules.position, "nothing may follow '*' here");
  }
  while (!modules.at_end()) {
    const std::size_t begin = modules.position;
    std::string name;
    if (!symbol(modules, name, false)) return false;
    std::vector<Code> arguments;
    if (!read_arguments(modules, scope, name, arguments)) return false;
    for (const Code code : arguments) {
      const Op* const op = &program_.ops[static_cast<std::size_t>(code.begin)];
      const bool constant = code.end - code.begin == 1 && op->code == OpCode::constant;
      successor.constant = successor.constant && constant;
      if (constant) successor.constants.push_back(op->value);
      successor.parameters.push_back(code);
    }
    const auto arity = static_cast<int>(arguments.size());
    Kind found;
    if (!kind(begin, name, arity, found)) return false;
    successor.kinds.push_back(found);
    successor.places.push_back(place(begin));
  }
  if (!successor.constant) successor.constants.clear();
  return true;
}

// (e, e, ..), or for a declared module (name = e, ..) in any order.
bool Compiler::read_arguments(Cursor& at, Scope& scope, const std::string& name,
                              std::vector<Code>& arguments) {
  at.skip_space();
  const std::size_t begin = at.position;
  const auto declared = program_.declared.find(name);
  std::vector<bool> given;
  bool named = false;
  if (at.peek() == '(') {
    ++at.position;
    do {
      std::size_t place_in_list = arguments.size();
      if (declared != program_.declared.end()) {
        Cursor ahead = at;
        ahead.skip_space();
        const std::size_t word_begin = ahead.position;
        while (is_name_part(ahead.peek())) ++ahead.position;
        const std::string word = text().substr(word_begin, ahead.position - word_begin);
        ahead.skip_space();
        if (!word.empty() && ahead.peek() == '=' && ahead.peek(1) != '=') {
          const auto& names = declared->second;
          const auto found = std::find(names.begin(), names.end(), word);
          if (found == names.end()) {
            return fail(word_begin, fmt::format("'{}' has no parameter '{}'", name, word));
          }
          named = true;
          place_in_list = static_cast<std::size_t>(found - names.begin());
          at.position = ahead.position + 1;
        } else if (named) {
          return fail(word_begin, "a parameter without name follows one with a name");
        }
      }
      if (place_in_list >= 64) return fail(begin, "a module has at most 64 parameters");
      if (place_in_list >= arguments.size()) {
        arguments.resize(place_in_list + 1);
        given.resize(place_in_list + 1, false);
      }
      if (given[place_in_list]) return fail(at.position, "this parameter is given twice");
      given[place_in_list] = true;
      if (!writer_.expression(at, scope, arguments[place_in_list])) return false;
    } while (at.take(","));
    if (!at.take(")")) return fail(at.position, "expected ')' or ','");
  }
  const bool missing = std::find(given.begin(), given.end(), false) != given.end();
  if (declared != program_.declared.end() &&
      (missing || arguments.size() != declared->second.size())) {
    return fail(begin,
                fmt::format("the module '{}' has {} parameter(s)", name, declared->second.size()));
  }
  return true;
}

bool Compiler::read_rule(Cursor at, std::size_t arrow) {
  Rule rule;
  rule.place = place(at.position);
  rule.group = group_;
  rule.ignore = static_cast<std::int32_t>(ignore_lists_.size()) - 1;
  rule.number = rule_count_++;
  rule.text = text().substr(at.position, std::min(at.end - at.position, std::size_t{200}));
  Scope scope{.may_add_locals = true};
  writer_.saw_random = writer_.wrote_global = false;

  Cursor before = at;
  before.end = arrow;
  const std::size_t colon = find_top_level(before, ":");
  Cursor predecessor = before;
  if (colon != std::string::npos) predecessor.end = colon;
  if (!read_predecessor(predecessor, rule, scope)) return false;
  if (colon != std::string::npos) {
    Cursor condition = before;
    condition.position = colon + 1;
    if (!read_condition(condition, rule, scope)) return false;
  }
  Cursor after = at;
  after.position = arrow + 3;
  if (!read_successor(after, scope, rule.successor)) return false;
  if (after.take(":")) {
    Code weight;
    after.skip_space();
    const std::size_t weight_at = after.position;
    if (!writer_.expression(after, scope, weight)) return false;
    if (!after.at_end()) return fail(after.position, "nothing may follow the weight");
    const Op& first = program_.ops[static_cast<std::size_t>(weight.begin)];
    if (weight.end - weight.begin == 1 && first.code == OpCode::constant && first.value < 0) {
      return fail(weight_at, "a weight cannot be negative");
    }
    rule.weight = weight;
  }
  rule.slots = scope.slot_count;
  for (const std::string& name : rule.parameter_names) {
    const auto used = scope.used.find(name);
    rule.parameter_used.push_back(used != scope.used.end() && used->second);
  }

  if (section_ != RuleSet::production && rule.strict.size() > 1) {
    return fail(at.position, "a rule here replaces exactly one module");
  }
  if (section_ == RuleSet::decomposition && rule.has_context()) {
    return fail(at.position, "decomposition rules have no context");
  }
  program_.uses_random = program_.uses_random || rule.weight || writer_.saw_random;
  program_.writes_globals = program_.writes_globals || writer_.wrote_global;
  program_.uses_context = program_.uses_context || rule.has_context();
  program_.uses_new_context = program_.uses_new_context || rule.left_new || rule.right_new;
  if ((rule.left_new || rule.right_new) && section_ != RuleSet::production) {
    return fail(at.position, "'<<' and '>>' belong into productions");
  }
  program_.multi_module = program_.multi_module || rule.strict.size() > 1;
  program_.frame_size = std::max(program_.frame_size, rule.slots);
  RuleTable& table = section_ == RuleSet::production      ? system().productions
                     : section_ == RuleSet::decomposition ? system().decomposition
                                                          : system().homomorphism;
  table.by_kind[rule.strict[0]].push_back(static_cast<std::int32_t>(table.rules.size()));
  table.rules.push_back(std::move(rule));
  return true;
}

}  // namespace thigmo
