#include "scenario/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/budget.h"

namespace thigmo {

void add_to_hash(const toml::node& node, Hasher& hasher) {
  hasher.add(static_cast<std::uint64_t>(node.is_integer() ? toml::node_type::floating_point
                                                          : node.type()));
  if (const toml::table* table = node.as_table()) {
    hasher.add(static_cast<std::uint64_t>(table->size()));
    for (const auto& [key, value] : *table) {  // sorted by key
      hasher.add(std::string_view(key.str()));
      add_to_hash(value, hasher);
    }
  } else if (const toml::array* array = node.as_array()) {
    hasher.add(static_cast<std::uint64_t>(array->size()));
    for (const toml::node& value : *array) add_to_hash(value, hasher);
  } else if (const auto* text = node.as_string()) {
    hasher.add(std::string_view(text->get()));
  } else if (const auto* integer = node.as_integer()) {
    // Large ones, as seeds may be, differ where their doubles do not.
    hasher.add(static_cast<double>(integer->get()));
    if (std::abs(static_cast<double>(integer->get())) > 9e15)
      hasher.add(static_cast<std::uint64_t>(integer->get()));
  } else if (const auto* number = node.as_floating_point()) {
    hasher.add(number->get());
  } else if (const auto* truth = node.as_boolean()) {
    hasher.add(static_cast<std::uint64_t>(truth->get()));
  }
}

std::string text_without(const toml::table& table, std::span<const std::string_view> keys) {
  toml::table rest = table;
  for (const std::string_view key : keys) rest.erase(key);
  std::ostringstream text;
  text << toml::toml_formatter{rest};
  return text.str();
}

TomlReader::TomlReader(const toml::table& table, std::string what, TomlSource& source)
    : table_(table), what_(std::move(what)), source_(source) {}

const toml::node* TomlReader::node(std::string_view key) {
  known_.emplace(key);
  return table_.get(key);
}

bool TomlReader::has(std::string_view key) { return node(key) != nullptr; }

// What --set put in stands nowhere in the file: its complaints have no line.
void TomlReader::place(const toml::source_region& source, Diagnostic& diagnostic) const {
  if (source.begin.line == 0 || !source.path || *source.path != source_.file) return;
  diagnostic.line = static_cast<int>(source.begin.line);
  diagnostic.column = static_cast<int>(source.begin.column);
  show_line(text_line(source_.text, diagnostic.line), diagnostic);
}

Diagnostic TomlReader::place_of_table() const { return place_of(table_); }

Diagnostic TomlReader::place_of(const toml::node& node) const {
  Diagnostic diagnostic{.message = {}, .file = source_.file};
  place(node.source(), diagnostic);
  return diagnostic;
}

void TomlReader::complain(const toml::node* at, std::string message, std::string hint) {
  Diagnostic diagnostic{
      .message = shortened(std::move(message)), .file = source_.file, .hint = std::move(hint)};
  place(at ? at->source() : table_.source(), diagnostic);
  source_.diagnostics.push_back(std::move(diagnostic));
}

void TomlReader::complain_at_key(std::string_view key, std::string message, std::string hint) {
  complain(table_.get(key), std::move(message), std::move(hint));
}

void TomlReader::complain_missing(std::string_view key, std::string hint) {
  missing_.emplace_back(key, std::move(hint));
}

std::optional<double> TomlReader::number(std::string_view key, Range range) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  const std::optional<double> value = found->value<double>();
  if (!found->is_number() || !value) {
    complain(found, fmt::format("'{}' must be a number", key));
    return std::nullopt;
  }
  if (!std::isfinite(*value)) {
    complain(found, fmt::format("'{}' must be a finite number", key));
    return std::nullopt;
  }
  if (range == Range::positive && !(*value > 0)) {
    complain(found, fmt::format("'{}' must be greater than 0, not {}", key, *value));
    return std::nullopt;
  }
  if (range == Range::not_negative && *value < 0) {
    complain(found, fmt::format("'{}' must not be negative, it is {}", key, *value));
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> TomlReader::integer(std::string_view key, std::int64_t least,
                                                std::int64_t most) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  const toml::value<std::int64_t>* value = found->as_integer();
  if (!value) {
    complain(found, fmt::format("'{}' must be a whole number", key));
    return std::nullopt;
  }
  if (value->get() < least || value->get() > most) {
    complain(found, fmt::format("'{}' must lie between {} and {}, not {}", key, least, most,
                                value->get()));
    return std::nullopt;
  }
  return value->get();
}

std::optional<std::string> TomlReader::text(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_string()) {
    complain(found, fmt::format("'{}' must be a text in quotes", key));
    return std::nullopt;
  }
  return found->value<std::string>();
}

std::optional<bool> TomlReader::truth(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_boolean()) {
    complain(found, fmt::format("'{}' must be true or false", key));
    return std::nullopt;
  }
  return found->value<bool>();
}

std::optional<Vec3> TomlReader::vector(std::string_view key) {
  double values[3];
  if (!numbers(key, "three numbers: [x, y, z]", values)) return std::nullopt;
  return Vec3{values[0], values[1], values[2]};
}

std::optional<std::array<double, 2>> TomlReader::pair(std::string_view key) {
  std::array<double, 2> values;
  if (!numbers(key, "two numbers: [a, b]", values)) return std::nullopt;
  return values;
}

bool TomlReader::numbers(std::string_view key, std::string_view expected,
                         std::span<double> values) {
  const toml::node* found = node(key);
  if (!found) return false;
  const toml::array* array = found->as_array();
  if (!array || array->size() != values.size()) {
    complain(found, fmt::format("'{}' must be {}", key, expected));
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const toml::node* element = array->get(i);
    const std::optional<double> value = element->value<double>();
    if (!element->is_number() || !value || !std::isfinite(*value)) {
      complain(element, fmt::format("'{}' must hold finite numbers", key));
      return false;
    }
    values[i] = *value;
  }
  return true;
}

std::optional<std::size_t> TomlReader::choice(std::string_view key,
                                              const std::vector<std::string>& choices) {
  const std::optional<std::string> value = text(key);
  if (!value) return std::nullopt;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == *value) return i;
  }
  const std::string near = closest_word(*value, choices);
  std::string hint =
      near.empty() ? "it can be " : fmt::format("did you mean '{}'? It can be ", near);
  for (std::size_t i = 0; i < choices.size(); ++i) hint += (i ? ", " : "") + choices[i];
  complain_at_key(key, fmt::format("'{}' cannot be '{}'", key, *value), hint);
  return std::nullopt;
}

const toml::table* TomlReader::table(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return nullptr;
  if (!found->is_table()) {
    complain(found, fmt::format("'{}' must be a table: [{}]", key, key));
    return nullptr;
  }
  return found->as_table();
}

std::vector<const toml::table*> TomlReader::tables(std::string_view key) {
  std::vector<const toml::table*> found_tables;
  const toml::node* found = node(key);
  if (!found) return found_tables;
  if (found->is_array() && found->as_array()->empty()) return found_tables;
  if (!found->is_array_of_tables()) {
    // "[[plant]]" holds [[plant.wood]].
    const std::size_t name = what_.find_first_not_of('[');
    const std::string inside = name == 0 ? "" : what_.substr(name, what_.find(']') - name) + ".";
    complain(found, fmt::format("'{}' is a list of tables: write [[{}{}]]", key, inside, key));
    return found_tables;
  }
  for (const toml::node& element : *found->as_array()) found_tables.push_back(element.as_table());
  return found_tables;
}

void TomlReader::finish() {
  std::set<std::string> suggested;
  for (const auto& [key, value] : table_) {
    if (known_.contains(key.str())) continue;
    const std::string near = closest_word(key.str(), {known_.begin(), known_.end()});
    suggested.insert(near);
    std::string hint;
    if (!near.empty()) {
      hint = fmt::format("did you mean '{}'?", near);
    } else {
      hint = fmt::format("known keys: {}", fmt::join(known_, ", "));
    }
    Diagnostic diagnostic{.message = fmt::format("unknown key '{}' in {}", key.str(), what_),
                          .file = source_.file,
                          .hint = hint};
    place(key.source(), diagnostic);
    source_.diagnostics.push_back(std::move(diagnostic));
  }
  for (const auto& [key, hint] : missing_) {
    if (!suggested.contains(key))
      complain(nullptr, fmt::format("{} needs the key '{}'", what_, key), hint);
  }
}

namespace {

// The end of the text in quotes that begins at `i`, past its last quote; of a multi-line one the quotes
// may be up to five, two of them its own.
std::size_t end_of_quoted(std::string_view text, std::size_t i) {
  const char quote = text[i];
  const bool multiline = text.substr(i, 3) == std::string(3, quote);
  i += multiline ? 3 : 1;
  while (i < text.size()) {
    if (text[i] == '\\' && quote == '"') {
      i += 2;
    } else if (text[i] == quote) {
      const std::size_t run = std::min(text.find_first_not_of(quote, i), text.size()) - i;
      if (!multiline) return i + 1;
      i += run;
      if (run >= 3) return i;
    } else if (text[i] == '\n' && !multiline) {
      return i;
    } else {
      ++i;
    }
  }
  return text.size();
}

// The line with a key of more than so many parts (a.b.c…), 0 when there is none. The parser recurses
// once a part, when it reads and when it frees them.
int line_of_deep_key(std::string_view text) {
  constexpr int most_dots = 100;
  int dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      i = end_of_quoted(text, i);
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots = 0;
    if (c == '.' && ++dots > most_dots) {
      return 1 +
             static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(i), '\n'));
    }
    ++i;
  }
  return 0;
}

}  // namespace

Result<toml::table> parse_toml(TomlSource& source) {
  // A number of two bytes becomes a node of some ninety.
  Budget budget{.file = source.file};
  const auto size = static_cast<double>(source.text.size());
  if (const Result<Done> done = spend(budget, size, 48, "bytes of TOML"); !done)
    return done.diagnostics();
  if (const int line = line_of_deep_key(source.text); line > 0) {
    Diagnostic deep{.message = "this key has more than a hundred parts",
                    .file = source.file,
                    .line = line,
                    .column = 1};
    show_line(text_line(source.text, line), deep);
    return deep;
  }
  try {
    return toml::parse(source.text, source.file);
  } catch (const toml::parse_error& failure) {
    const int line = static_cast<int>(failure.source().begin.line);
    Diagnostic diagnostic{.message = std::string(failure.description()),
                          .file = source.file,
                          .line = line,
                          .column = static_cast<int>(failure.source().begin.column)};
    show_line(text_line(source.text, line), diagnostic);
    return diagnostic;
  }
}

namespace {

// The element of an array that a path's part names: by number, or by its "name" key.
toml::node* array_element(toml::array& array, std::string_view part) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (std::to_string(i) == part) return array.get(i);
    const toml::table* table = array.get(i)->as_table();
    if (table && (*table)["name"].value<std::string_view>() == part) return array.get(i);
  }
  return nullptr;
}

}  // namespace

Result<Done> override_toml(toml::table& table, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return error(fmt::format("--set '{}' is not key=value", assignment),
                 "for example --set duration=5 or --set plant.0.segments=50");
  }
  const std::string path(assignment.substr(0, equals));
  const std::string value_text(assignment.substr(equals + 1));
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value_text);
  } catch (const toml::parse_error&) {
    // A bare word is a text.
    try {
      parsed = toml::parse("value = \"" + value_text + "\"");
    } catch (const toml::parse_error&) {
      return error(fmt::format("--set {}: '{}' is not a value", path, value_text),
                   "numbers, \"texts\", true, false and [lists] as in the scenario file");
    }
  }

  toml::node* here = &table;
  std::size_t start = 0;
  while (true) {
    const std::size_t dot = path.find('.', start);
    const std::string part = path.substr(start, dot - start);
    const bool last = dot == std::string::npos;
    if (toml::table* inner = here->as_table()) {
      if (last) {
        inner->insert_or_assign(part, std::move(*parsed.get("value")));
        return Done{};
      }
      if (!inner->get(part)) inner->insert(part, toml::table{});
      here = inner->get(part);
    } else if (toml::array* array = here->as_array(); array && !last) {
      here = array_element(*array, part);
    } else {
      here = nullptr;
    }
    if (!here) {
      return error(
          fmt::format("--set {}: there is no '{}'", path, path.substr(0, dot)),
          "elements of lists are named by number or name: plant.0.segments, plant.oak.steps");
    }
    start = dot + 1;
  }
}

}  // namespace thigmo
