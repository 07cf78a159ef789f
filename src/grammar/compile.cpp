#include <fmt/format.h>

#include <cmath>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.h"
#include "grammar/compiler.h"

namespace thigmo {

namespace {

constexpr std::size_t system_limit = 255;

constexpr std::string_view header_words[] = {"lsystem",       "derivation length",
                                             "seed",          "angle",
                                             "step",          "width",
                                             "width factor",  "axiom",
                                             "ignore",        "consider",
                                             "define",        "start",
                                             "starteach",     "endeach",
                                             "end",           "tropism",
                                             "maximum depth", "group",
                                             "time step",     "interpretation",
                                             "material",      "environment"};

}  // namespace

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

namespace {

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

}  // namespace

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
  bool lists_symbols = false;  // those of an axiom or an ignore list may be braces
  int depth = 0;               // of { } in front of the arrow
  const auto blank = [&](std::size_t b, std::size_t e) {
    return std::all_of(t.begin() + static_cast<std::ptrdiff_t>(b),
                       t.begin() + static_cast<std::ptrdiff_t>(e),
                       [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  };
  for (std::size_t start = 0; start < t.size();) {
    std::size_t end = t.find('\n', start);
    if (end == std::string::npos) end = t.size();
    if (!blank(start, end)) {
      std::size_t arrow = std::string_view(t).substr(start, end - start).find("-->");
      if (arrow != std::string::npos) arrow += start;
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
        std::size_t after = 0;
        const std::string words = leading_words(t, start, end, after);
        lists_symbols = words == "axiom" || words == "ignore" || words == "consider";
      }
      for (std::size_t i = start; i < end && !has_arrow; ++i) {
        if (t[i] == '{') ++depth;
        if (t[i] == '}') --depth;
        if (i == arrow && depth <= 0) has_arrow = true;
      }
      if (has_arrow) depth = 0;
      if (lists_symbols && !has_arrow) depth = std::min(depth, 0);
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
    if (!(*depth >= 0 && *depth <= 1e4)) return fail(at, "the depth is 0 to 10000");
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
    if (!number_item(rest, program_.seed)) return false;
    const double seed = *program_.seed;
    // Whole numbers that a double holds exactly.
    if (seed >= 0 && seed <= 9007199254740992.0 && seed == std::floor(seed)) return true;
    return fail(at, "the seed must be a whole number from 0 to 2^53");
  }
  if (word == "derivation length") {
    std::optional<double> steps;
    rest.skip_space();
    const std::size_t value_at = rest.position;
    if (!number_item(rest, steps)) return false;
    if (!(*steps >= 0)) return fail(value_at, "the derivation length cannot be negative");
    if (main) {
      program_.steps = steps;
      program_.steps_place = place(value_at);
    }
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
  if (word == "material") return read_material(rest, at);
  if (word == "environment") return read_environment(rest);
  if (word == "interpretation") {
    program_.articulated = rest.take("articulated");
    if (!program_.articulated && !rest.take("turtle")) {
      return fail(rest.position, "expected 'turtle' or 'articulated'");
    }
    return rest.at_end() || fail(rest.position, "nothing may follow it");
  }
  if (word == "time step") {
    if (!number_item(rest, program_.time_step)) return false;
    return *program_.time_step > 0 || fail(at, "the time step must be positive");
  }
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
    if (program_.systems.size() >= system_limit) {
      return fail(at, fmt::format("a model has at most {} L-systems", system_limit));
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
    // Old models list ~ alone, where its letter stands for a surface.
    if (rest.peek() == '~' && !is_name_part(rest.peek(1))) {
      ++rest.position;
      continue;
    }
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
  if (program_.tropisms.size() == 4) return fail(rest.position, "there are at most 4 tropisms");
  program_.tropisms.push_back(tropism);
  return true;
}

bool Compiler::read_environment(Cursor& rest) {
  rest.skip_space();
  const std::size_t begin = rest.position;
  if (rest.take("light")) {
    program_.environment.name = "light";
  } else if (rest.take("space")) {
    program_.environment.name = "space";
  } else {
    return fail(begin, "there is no such environment", "environment: light, or environment: space");
  }
  if (!rest.at_end()) {
    if (!writer_.constant(rest, program_.environment.size)) return false;
    if (!(program_.environment.size > 0)) return fail(begin, "its size must be positive");
  }
  return rest.at_end() || fail(rest.position, "nothing may follow the size");
}

bool Compiler::declare_module(Cursor& rest) {
  rest.skip_space();
  const std::size_t at = rest.position;
  std::size_t length = 0;
  while (is_name_part(rest.peek(length))) ++length;
  const std::string name = text().substr(at, length);
  if (name.empty() || !is_name_start(name[0])) return fail(at, "expected the module's name");
  rest.position += length;
  if (program_.declared.contains(name)) {
    return fail(at, fmt::format("the module '{}' is declared twice", name));
  }
  int arity = 0;
  Rule formals;
  Scope scope;
  if (!read_formals(rest, formals, scope, arity)) return false;
  Kind made;
  if (!kind(at, name, arity, made)) return false;
  program_.declared[name] = formals.parameter_names;
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

void Compiler::resolve_ignored() {
  for (const IgnoreList& list : ignore_lists_) {
    KindSet set;
    for (std::size_t k = 0; k < program_.kinds.size(); ++k) {
      set[k] = list.names.contains(program_.kinds[k].name) != list.consider;
    }
    // Brackets are passed over together or not at all.
    const bool named = list.names.contains("[") || list.names.contains("]");
    set[program_.open_bracket] = set[program_.close_bracket] = named != list.consider;
    program_.ignored.push_back(set);
  }
}

// Tables for the first look at a neighbour; most rules are refused by it.
void Compiler::prepare_context() {
  const auto fill = [this](const std::vector<PatternItem>& items, const KindSet& ignored,
                           std::array<std::uint8_t, 256>& says) {
    for (std::size_t k = 0; k < 256; ++k) {
      const bool search = items.empty() || items[0].type != PatternItem::Type::module ||
                          is_bracket(program_, static_cast<Kind>(k)) || ignored[k];
      says[k] = search ? 2 : k == items[0].kind ? 1 : 0;
    }
    for (const PatternItem& item : items) {
      const bool module = item.type == PatternItem::Type::module;
      program_.context_has_parameters =
          program_.context_has_parameters || (module && program_.kinds[item.kind].arity > 0);
    }
  };
  for (LSystem& system : program_.systems) {
    for (RuleTable* table : {&system.productions, &system.homomorphism}) {
      for (Rule& rule : table->rules) {
        const KindSet& ignored = program_.ignored[static_cast<std::size_t>(rule.ignore)];
        fill(rule.left, ignored, rule.left_says);
        fill(rule.right, ignored, rule.right_says);
      }
    }
  }
}

// << needs the string rewritten from the left, >> from the right; one step cannot do both, whatever
// L-systems it calls.
void Compiler::check_directions() {
  std::set<std::int32_t> from_left;  // groups with <<
  for (const LSystem& system : program_.systems) {
    for (const Rule& rule : system.productions.rules) {
      if (rule.left_new) from_left.insert(rule.group);
    }
  }
  for (const LSystem& system : program_.systems) {
    for (const Rule& rule : system.productions.rules) {
      if (!rule.right_new || from_left.empty()) continue;
      if (rule.group != 0 && !from_left.contains(0) && !from_left.contains(rule.group)) continue;
      diagnostics_.push_back(
          diagnostic_in(program_.source, rule.place, "'>>' stands in a group that also has '<<'",
                        "give the rules different groups, and choose the group in StartEach"));
      return;
    }
  }
}

// ?(n,s) must name an L-system of the file; where n is computed, only the derivation can tell.
void Compiler::check_calls() {
  if (program_.sub_open == 256) return;
  const auto check = [this](const Successor& successor) {
    std::size_t parameter = 0;
    for (std::size_t m = 0; m < successor.kinds.size(); ++m) {
      const Kind kind = successor.kinds[m];
      const Code label =
          successor.parameters.empty()
              ? Code{}
              : successor.parameters[std::min(parameter, successor.parameters.size() - 1)];
      parameter += static_cast<std::size_t>(program_.kinds[kind].arity);
      if (kind != program_.sub_open || label.end - label.begin != 1) continue;
      const Op& op = program_.ops[static_cast<std::size_t>(label.begin)];
      const bool known = std::any_of(
          program_.systems.begin(), program_.systems.end(),
          [&](const LSystem& system) { return static_cast<double>(system.label) == op.value; });
      if (op.code != OpCode::constant || known) continue;
      diagnostics_.push_back(
          diagnostic_in(program_.source, successor.places[m],
                        fmt::format("there is no L-system with label {}", op.value),
                        "it begins with a line 'Lsystem: label'"));
    }
  };
  check(program_.axiom);
  for (const LSystem& system : program_.systems) {
    for (const RuleTable* table :
         {&system.productions, &system.decomposition, &system.homomorphism}) {
      for (const Rule& rule : table->rules) check(rule.successor);
    }
  }
}

void Compiler::finish() {
  resolve_ignored();
  check_calls();
  prepare_context();
  check_directions();
  if (!has_axiom_) {
    fail(0, "the model has no axiom", "add a line 'Axiom: ...'");
  }
}

Program compile(Source source, Diagnostics& diagnostics) {
  Program program;
  program.source = std::move(source);
  Compiler(program, diagnostics).run();
  return program;
}

}  // namespace thigmo
