#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.h"
#include "grammar/code_writer.h"
#include "grammar/program.h"

namespace thigmo {

namespace {

// Names of three characters; every other @ ~ ? name has two.
constexpr std::string_view three_character_names[] = {"@Gs", "@Gc", "@Ge", "@Ts", "@Ey", "@Ed",
                                                      "@Ez", "@Es", "@Ek", "@Ej", "@Em"};

constexpr std::string_view header_words[] = {"lsystem",       "derivation length",
                                             "seed",          "angle",
                                             "step",          "width",
                                             "width factor",  "axiom",
                                             "ignore",        "consider",
                                             "define",        "start",
                                             "starteach",     "endeach",
                                             "end",           "tropism",
                                             "maximum depth", "group"};

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
  bool read_ignore(Cursor& cursor, bool consider);
  bool read_axiom(Cursor& cursor, std::size_t at);
  bool read_rule(Cursor cursor, std::size_t arrow);
  bool read_predecessor(Cursor cursor, Rule& rule, Scope& scope);
  bool read_pattern(Cursor cursor, std::vector<PatternItem>& items, Rule& rule, Scope& scope);
  bool read_strict(Cursor cursor, Rule& rule, Scope& scope);
  bool read_formals(Cursor& cursor, Rule& rule, Scope& scope, int& count);
  bool read_condition(Cursor cursor, Rule& rule, Scope& scope);
  bool read_successor(Cursor& cursor, Scope& scope, Successor& successor);
  bool symbol(Cursor& cursor, std::string& name, bool in_pattern);
  bool kind(std::size_t at, const std::string& name, int arity, Kind& kind);
  std::size_t find_top_level(const Cursor& cursor, std::string_view what) const;
  void finish();
  void resolve_ignored();

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

void Compiler::prepare() {
  Kind ignored;
  kind(0, "[", 0, ignored);
  kind(0, "]", 0, ignored);
  program_.systems.emplace_back();
  ignore_lists_.emplace_back();
  program_.dt_global = writer_.global("dt", 1);
  program_.time_global = writer_.global("time", 0);
  program_.step_global = writer_.global("step", 0);
}

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Words at the start of a line, separated by one space, in lower case; `end` moves behind them.
std::string leading_words(const std::string& text, std::size_t begin, std::size_t line_end,
                          std::size_t& end) {
  std::string words;
  std::size_t i = begin;
  end = begin;
  while (i < line_end) {
    while (i < line_end && (text[i] == ' ' || text[i] == '\t')) ++i;
    std::size_t stop = i;
    while (stop < line_end && is_name_part(text[stop])) ++stop;
    if (stop == i) break;
    if (!words.empty()) words += ' ';
    words += lower(std::string_view(text).substr(i, stop - i));
    i = end = stop;
  }
  return words;
}

bool is_header_word(const std::string& words) {
  return std::find(std::begin(header_words), std::end(header_words), words) !=
         std::end(header_words);
}

bool is_section_word(const std::string& words) {
  return words == "endlsystem" || words == "homomorphism" || words == "decomposition" ||
         words == "production" || words == "ring lsystem";
}

// Does this line begin a new item, or may it continue a rule?
bool Compiler::starts_item(std::size_t begin, std::size_t end) const {
  std::size_t after = 0;
  const std::string words = leading_words(text(), begin, end, after);
  while (after < end && (text()[after] == ' ' || text()[after] == '\t')) ++after;
  if (is_section_word(words) && (after == end || text()[after] == ':')) return true;
  if (after < end && text()[after] == ':' && is_header_word(words)) return true;
  return words.substr(0, 7) == "module " || words.substr(0, 7) == "expect ";
}

// Items: a line, the indented lines that continue it, and the lines of an open { } before the arrow.
std::vector<Line> Compiler::logical_lines() {
  std::vector<Line> lines;
  const std::string& t = text();
  bool has_arrow = false;
  int depth = 0;  // of { } in front of the arrow
  const auto blank = [&](std::size_t b, std::size_t e) {
    return std::all_of(t.begin() + static_cast<std::ptrdiff_t>(b),
                       t.begin() + static_cast<std::ptrdiff_t>(e),
                       [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  };
  for (std::size_t start = 0; start < t.size();) {
    std::size_t end = t.find('\n', start);
    if (end == std::string::npos) end = t.size();
    if (!blank(start, end)) {
      std::size_t arrow = t.find("-->", start);
      if (arrow >= end) arrow = std::string::npos;
      const bool indented = t[start] == ' ' || t[start] == '\t';
      const bool continues =
          !lines.empty() &&
          (depth > 0 || (indented && !starts_item(start, end) &&
                         (arrow == std::string::npos ||
                          (!has_arrow && !starts_item(lines.back().begin, lines.back().end)))));
      if (continues) {
        lines.back().end = end;
      } else {
        lines.push_back({start, end});
        has_arrow = false;
        depth = 0;
      }
      for (std::size_t i = start; i < end && !has_arrow; ++i) {
        if (t[i] == '{') ++depth;
        if (t[i] == '}') --depth;
        if (i == arrow && depth <= 0) has_arrow = true;
      }
      if (has_arrow) depth = 0;
      // Symbols of an axiom or an ignore list may be braces.
      if (depth > 0 && !has_arrow) {
        std::size_t after = 0;
        const std::string words = leading_words(t, lines.back().begin, lines.back().end, after);
        if (words == "axiom" || words == "ignore" || words == "consider") depth = 0;
      }
    }
    start = end + 1;
  }
  return lines;
}

void Compiler::read_line(Line line) {
  Cursor at = cursor(line);
  at.skip_space();
  const std::size_t begin = at.position;
  std::size_t after = begin;
  const std::string words = leading_words(text(), begin, line.end, after);
  std::size_t colon = after;
  while (colon < line.end && (text()[colon] == ' ' || text()[colon] == '\t')) ++colon;
  const bool has_colon = colon < line.end && text()[colon] == ':';
  Cursor rest{&text(), has_colon ? colon + 1 : after, line.end};

  const bool known = (has_colon && is_header_word(words)) ||
                     (is_section_word(words) && (has_colon || colon == line.end));
  const std::size_t arrow = find_top_level(at, "-->");
  if (ended_ && words != "lsystem") {
    fail(begin, "this stands behind endlsystem");
    return;
  }
  if (words == "lsystem" || known) {
    header(words, rest, begin);
  } else if (words.substr(0, 7) == "module " && arrow == std::string::npos) {
    Cursor declaration{&text(), begin + 7, line.end};
    declare_module(declaration);
  } else if (words.substr(0, 7) == "expect " && arrow == std::string::npos) {
    Cursor expectation{&text(), begin + 7, line.end};
    read_expectation(expectation, begin);
  } else if (arrow != std::string::npos) {
    read_rule(at, arrow);
  } else {
    std::vector<std::string> candidates(std::begin(header_words), std::end(header_words));
    const std::string near = has_colon ? closest_word(words, candidates) : "";
    fail(begin, "this line is neither a rule nor a header item",
         near.empty() ? "a rule is: predecessor --> successor"
                      : fmt::format("did you mean '{}:'?", near));
  }
}

bool Compiler::number_item(Cursor& at, std::optional<double>& value) {
  double number = 0;
  if (!writer_.constant(at, number)) return false;
  if (!at.at_end()) return fail(at.position, "nothing may follow the value");
  value = number;
  return true;
}

bool Compiler::block_item(Cursor& at, Code& code) {
  Scope scope{.may_add_locals = true, .assigns_globals = true};
  const bool wrote = writer_.wrote_global;
  if (!writer_.statements(at, scope, code)) return false;
  writer_.wrote_global = wrote;  // between steps the order of rewriting is not concerned
  if (!at.at_end()) return fail(at.position, "nothing may follow the block");
  return true;
}

bool Compiler::header(const std::string& word, Cursor& rest, std::size_t at) {
  const bool main = program_.systems.size() == 1;
  if (word == "lsystem") return begin_system(rest, at);
  if (word == "endlsystem") {
    ended_ = true;
    return true;
  }
  if (word == "axiom") return read_axiom(rest, at);
  if (word == "homomorphism" || word == "decomposition" || word == "production") {
    section_ = word == "homomorphism"    ? RuleSet::homomorphism
               : word == "decomposition" ? RuleSet::decomposition
                                         : RuleSet::production;
    if (section_ != RuleSet::production) {
      RuleTable& table =
          section_ == RuleSet::homomorphism ? system().homomorphism : system().decomposition;
      table.present = true;
      table.place = place(at);
    }
    return true;
  }
  if (word == "maximum depth") {
    std::optional<double> depth;
    if (!number_item(rest, depth)) return false;
    if (!(*depth >= 0 && *depth <= 1e6)) return fail(at, "the depth is 0 to 1000000");
    if (section_ == RuleSet::production) {
      return fail(at, "'maximum depth:' belongs below decomposition or homomorphism");
    }
    (section_ == RuleSet::homomorphism ? system().homomorphism : system().decomposition)
        .maximum_depth = static_cast<int>(*depth);
    return true;
  }
  if (word == "seed") {
    if (section_ != RuleSet::production) {
      Code code;
      Scope none;
      if (!writer_.expression(rest, none, code)) return false;
      (section_ == RuleSet::homomorphism ? system().homomorphism : system().decomposition).seed =
          code;
      return true;
    }
    return number_item(rest, program_.seed);
  }
  if (word == "derivation length") {
    std::optional<double> steps;
    if (!number_item(rest, steps)) return false;
    if (!(*steps >= 0)) return fail(at, "the derivation length cannot be negative");
    if (main) program_.steps = steps;
    return true;
  }
  if (word == "angle") return number_item(rest, program_.angle_degrees);
  if (word == "step") {
    if (!number_item(rest, program_.step_length)) return false;
    return *program_.step_length >= 0 || fail(at, "the step cannot be negative");
  }
  if (word == "width") {
    if (!number_item(rest, program_.width)) return false;
    return *program_.width > 0 || fail(at, "the width must be positive");
  }
  if (word == "width factor") {
    if (!number_item(rest, program_.width_factor)) return false;
    return *program_.width_factor > 0 || fail(at, "the factor must be positive");
  }
  if (word == "ignore" || word == "consider") return read_ignore(rest, word == "consider");
  if (word == "define") {
    if (!writer_.definitions(rest)) return false;
    return rest.at_end() || fail(rest.position, "nothing may follow the block");
  }
  if (word == "start") return block_item(rest, system().start);
  if (word == "starteach") return block_item(rest, system().start_each);
  if (word == "endeach") return block_item(rest, system().end_each);
  if (word == "end") return block_item(rest, system().end);
  if (word == "ring lsystem") {
    program_.ring = true;
    return true;
  }
  if (word == "tropism") return read_tropism(rest);
  if (word == "group") {
    std::optional<double> group;
    if (!number_item(rest, group)) return false;
    if (!(*group >= 0 && *group <= 1000)) return fail(at, "a group has a number from 0 to 1000");
    group_ = static_cast<std::int32_t>(*group);
    program_.uses_groups = true;
    program_.group_global = writer_.global("group", 0);
    return true;
  }
  return fail(at, fmt::format("'{}' is not known here", word));
}

bool Compiler::begin_system(Cursor& rest, std::size_t at) {
  std::optional<double> label;
  if (!number_item(rest, label)) return false;
  if (explicit_system_) {
    if (!ended_) fail(at, "the L-system above has no 'endlsystem'");
    for (const LSystem& other : program_.systems) {
      if (other.label == static_cast<int>(*label)) {
        return fail(at, fmt::format("there are two L-systems with label {}", other.label));
      }
    }
    program_.systems.emplace_back();
  }
  explicit_system_ = true;
  ended_ = false;
  section_ = RuleSet::production;
  group_ = 0;
  system().label = static_cast<int>(*label);
  system().place = place(at);
  ignore_lists_.emplace_back();
  return true;
}

bool Compiler::read_ignore(Cursor& rest, bool consider) {
  IgnoreList list{.names = {}, .consider = consider};
  while (!rest.at_end()) {
    std::string name;
    if (!symbol(rest, name, false)) return false;
    list.names.insert(name);
  }
  ignore_lists_.push_back(std::move(list));
  return true;
}

bool Compiler::read_tropism(Cursor& rest) {
  Tropism tropism;
  for (double* value :
       {&tropism.direction.x, &tropism.direction.y, &tropism.direction.z, &tropism.elasticity}) {
    if (!writer_.constant(rest, *value)) return false;
    rest.take(",");
  }
  if (!rest.at_end()) {
    return fail(rest.position, "a tropism has four numbers", "tropism: 0, -1, 0, 0.22");
  }
  program_.tropisms.push_back(tropism);
  return true;
}

bool Compiler::declare_module(Cursor& rest) {
  rest.skip_space();
  const std::size_t at = rest.position;
  std::size_t length = 0;
  while (is_name_part(rest.peek(length))) ++length;
  const std::string name = text().substr(at, length);
  if (name.empty() || !is_name_start(name[0])) return fail(at, "expected the module's name");
  rest.position += length;
  int arity = 0;
  if (rest.take("(")) {
    Rule unused;
    Scope scope;
    --rest.position;
    if (!read_formals(rest, unused, scope, arity)) return false;
  }
  program_.declared_names.push_back(name);
  Kind made;
  if (!kind(at, name, arity, made)) return false;
  program_.kinds[made].declared = true;
  program_.kinds[made].plain_length = 1;
  Cursor ahead = rest;
  if (ahead.take("lives")) {
    rest = ahead;
    Code code;
    Scope none;
    if (arity < 1) return fail(at, "a module that lives needs its age as first parameter");
    if (!writer_.expression(rest, none, code)) return false;
    program_.kinds[made].lifetime = static_cast<std::int32_t>(program_.lifetimes.size());
    program_.lifetimes.push_back(code);
    program_.uses_time = true;
  }
  if (!rest.at_end()) return fail(rest.position, "nothing may follow the declaration");
  return true;
}

bool Compiler::read_expectation(Cursor& rest, std::size_t at) {
  Expectation expectation;
  expectation.place = place(at);
  if (rest.take("length")) {
    expectation.what = Expectation::What::length;
  } else if (rest.take("segments")) {
    expectation.what = Expectation::What::segments;
  } else if (rest.take("organs")) {
    expectation.what = Expectation::What::organs;
  } else if (rest.take("count")) {
    expectation.what = Expectation::What::count;
    rest.skip_space();
    if (!symbol(rest, expectation.symbol, false)) return false;
  } else {
    return fail(rest.position, "expected 'length', 'count SYMBOL', 'segments' or 'organs'");
  }
  if (!writer_.constant(rest, expectation.value)) return false;
  if (!rest.at_end()) return fail(rest.position, "nothing may follow the value");
  program_.expectations.push_back(expectation);
  return true;
}

bool Compiler::read_axiom(Cursor& rest, std::size_t at) {
  if (program_.systems.size() > 1) return true;  // a sub-L-system starts from what calls it
  if (has_axiom_) return fail(at, "there are two axioms");
  has_axiom_ = true;
  program_.axiom_place = place(at);
  Scope none;
  writer_.saw_random = false;
  if (!read_successor(rest, none, program_.axiom)) return false;
  program_.uses_random = program_.uses_random || writer_.saw_random;
  return rest.at_end() || fail(rest.position, "an axiom has no weight");
}

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
    for (const std::string& declared : program_.declared_names) {
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
  const bool declared = std::find(program_.declared_names.begin(), program_.declared_names.end(),
                                  name) != program_.declared_names.end();
  program_.kinds.push_back({.name = name,
                            .arity = arity,
                            .declared = declared,
                            .plain_length = declared ? 1 : static_cast<int>(name.size())});
  program_.kind_of[key] = found;
  if (name == "%" && arity == 0) program_.cut = found;
  if (name == "?" && arity == 2) program_.sub_open = found;
  if (name == "$" && arity == 0) program_.sub_close = found;
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

bool Compiler::read_strict(Cursor at, Rule& rule, Scope& scope) {
  rule.strict_slot = scope.slot_count;
  while (!at.at_end()) {
    const std::size_t begin = at.position;
    std::string name;
    int arity = 0;
    Kind found;
    if (!symbol(at, name, false) || !read_formals(at, rule, scope, arity) ||
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
    if (!symbol(at, name, true) || !read_formals(at, rule, scope, arity)) return false;
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
  if (!at.take("*") && !writer_.expression(at, scope, rule.condition)) return false;
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
    int arity = 0;
    modules.skip_space();
    if (modules.peek() == '(') {
      ++modules.position;
      do {
        Code code;
        if (!writer_.expression(modules, scope, code)) return false;
        const bool constant =
            code.end - code.begin == 1 &&
            program_.ops[static_cast<std::size_t>(code.begin)].code == OpCode::constant;
        successor.constant = successor.constant && constant;
        successor.parameters.push_back(code);
        if (constant) {
          successor.constants.push_back(program_.ops[static_cast<std::size_t>(code.begin)].value);
        }
        if (++arity > 64) return fail(begin, "a module has at most 64 parameters");
      } while (modules.take(","));
      if (!modules.take(")")) return fail(modules.position, "expected ')' or ','");
    }
    Kind found;
    if (!kind(begin, name, arity, found)) return false;
    successor.kinds.push_back(found);
  }
  if (!successor.constant) successor.constants.clear();
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
    if (!writer_.expression(after, scope, weight)) return false;
    if (!after.at_end()) return fail(after.position, "nothing may follow the weight");
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
  program_.multi_module = program_.multi_module || rule.strict.size() > 1;
  program_.frame_size = std::max(program_.frame_size, rule.slots);
  RuleTable& table = section_ == RuleSet::production      ? system().productions
                     : section_ == RuleSet::decomposition ? system().decomposition
                                                          : system().homomorphism;
  table.by_kind[rule.strict[0]].push_back(static_cast<std::int32_t>(table.rules.size()));
  table.rules.push_back(std::move(rule));
  return true;
}

void Compiler::resolve_ignored() {
  for (const IgnoreList& list : ignore_lists_) {
    KindSet set;
    for (std::size_t k = 2; k < program_.kinds.size(); ++k) {  // never the brackets
      set[k] = list.names.contains(program_.kinds[k].name) != list.consider;
    }
    program_.ignored.push_back(set);
  }
}

void Compiler::finish() {
  resolve_ignored();
  if (!has_axiom_) {
    fail(0, "the model has no axiom", "add a line 'Axiom: ...'");
  }
}

}  // namespace

Program compile(Source source, Diagnostics& diagnostics) {
  Program program;
  program.source = std::move(source);
  Compiler(program, diagnostics).run();
  return program;
}

}  // namespace thigmo
