#include "io/tables/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "base/budget.h"
#include "io/text/scanner.h"

namespace thigmo {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

std::string lower(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return low;
}

std::string_view trimmed(std::string_view cell) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = cell.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return cell.substr(first, cell.find_last_not_of(blanks) - first + 1);
}

// A blank as separator stands for any number of blanks and tabs. Of a row with more than `most` cells the
// others are only counted.
struct SplitRow {
  std::vector<std::string_view> cells;
  std::size_t count = 0;   // of all cells
  std::size_t filled = 0;  // up to the last that is not empty
  const char* fault = nullptr;
};
SplitRow split_row(std::string_view line, char separator,
                   std::size_t most = std::numeric_limits<std::size_t>::max()) {
  SplitRow row;
  const auto parts = [separator](char c) {
    return c == separator || (separator == ' ' && c == '\t');
  };
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && (line[at] == ' ' || (line[at] == '\t' && separator != '\t'))) ++at;
    const bool quoted = at < line.size() && line[at] == '"';
    const std::size_t start = at + quoted;
    if (quoted) {
      // Two quotes in a quoted cell are one that belongs to it.
      for (++at; at < line.size(); ++at) {
        if (line[at] != '"') continue;
        if (at + 1 < line.size() && line[at + 1] == '"') {
          ++at;
        } else {
          break;
        }
      }
    }
    const std::size_t close = std::min(at, line.size());
    if (quoted && close == line.size())
      row.fault = "a quote is never closed; a cell has no line breaks";
    while (at < line.size() && !parts(line[at])) ++at;
    if (quoted && !row.fault && !trimmed(line.substr(close + 1, at - close - 1)).empty())
      row.fault = "text stands behind a closing quote";
    const std::string_view cell = quoted ? line.substr(start, std::max(close, start) - start)
                                         : trimmed(line.substr(start, at - start));
    if (separator != ' ' || !cell.empty() || quoted) {
      ++row.count;
      if (!cell.empty()) row.filled = row.count;
      if (row.count <= most) row.cells.push_back(cell);
    }
    if (at >= line.size()) return row;
    ++at;
  }
}

std::vector<double> numbers_in(const std::vector<std::string_view>& cells) {
  std::vector<double> numbers;
  for (const std::string_view cell : cells)
    numbers.push_back(number_from_text(trimmed(cell)).value_or(no_number));
  return numbers;
}

// Numbers too large for a double are numbers, and no headings: what is wrong with them is said later.
bool all_numbers(const std::vector<std::string_view>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](std::string_view cell) {
    if (is_gap(cell) || number_from_text(trimmed(cell))) return true;
    const std::string_view word = trimmed(cell);
    return word.find_first_not_of("0123456789+-.eE") == std::string_view::npos &&
           word.find_first_of("0123456789") != std::string_view::npos;
  });
}

char separator_of(std::string_view first_line) {
  for (const char c : {';', ','}) {
    if (first_line.find(c) != std::string_view::npos) return c;
  }
  // Rows of numbers mix tabs and blanks; headings may have blanks inside.
  const bool tabs = first_line.find('\t') != std::string_view::npos;
  return tabs && !all_numbers(split_row(first_line, ' ').cells) ? '\t' : ' ';
}

// Whether a column of this name holds a length, so that "radius_mm" is a radius in millimetres.
bool is_length(std::string_view name) {
  constexpr std::array words{"x",          "y",        "z",     "r",      "radius",
                             "radius_tip", "diameter", "width", "length", "len"};
  if (std::find(words.begin(), words.end(), name) != words.end()) return true;
  for (const std::string_view prefix : {"base_", "tip_", "start_", "end_"}) {
    if (name.starts_with(prefix) && name.size() == prefix.size() + 1) return true;
  }
  return name.size() == 2 && name[0] >= 'x' && name[0] <= 'z' &&
         std::isdigit(static_cast<unsigned char>(name[1]));
}

Heading heading_from(std::string_view text) {
  Heading heading;
  const std::size_t open = text.find_first_of("([{");
  for (const char c : lower(text.substr(0, open))) {
    if (c != ' ' && c != '-' && c != '\t') heading.name.push_back(c);
  }
  if (open != std::string_view::npos) {
    const std::size_t close = std::min(text.find_first_of(")]}", open), text.size());
    heading.unit = trimmed(text.substr(open + 1, close - open - 1));
    while (heading.name.ends_with("_")) heading.name.pop_back();
    return heading;
  }
  const std::size_t dash = heading.name.rfind('_');
  if (dash == std::string::npos) return heading;
  const std::string stem = heading.name.substr(0, dash), unit = heading.name.substr(dash + 1);
  if (is_length(stem) && !unit.empty() && metres_from_unit(unit)) return {stem, unit};
  return heading;
}

std::string unescaped(std::string_view cell) {
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    text.push_back(cell[i]);
    if (cell[i] == '"' && i + 1 < cell.size() && cell[i + 1] == '"') ++i;
  }
  return text;
}

}  // namespace

bool is_gap(std::string_view cell) {
  const std::string word = lower(trimmed(cell));
  return word.empty() || word == "na" || word == "nan" || word == "null";
}

std::optional<std::size_t> TextTable::find(std::initializer_list<const char*> candidates) const {
  for (const char* candidate : candidates) {
    const auto found = column_of.find(candidate);
    if (found != column_of.end()) return found->second;
  }
  return std::nullopt;
}

void TextTable::name_columns() {
  for (std::size_t c = 0; c < headings.size(); ++c) column_of.try_emplace(headings[c].name, c);
}

Result<TextTable> read_text_table(std::string_view text, std::string_view file) {
  TextTable table;
  Budget budget{.file = std::string(file)};
  Scanner scanner(file, text);
  int line_number = 0;
  std::optional<char> separator;
  while (!scanner.at_end()) {
    const std::size_t offset = scanner.position();
    const std::string_view line = scanner.rest_of_line();
    ++line_number;
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '#') continue;
    if (!separator) separator = separator_of(line);
    // A leading tab is an empty cell of a table that tabs part.
    const std::string_view row_text = *separator == '\t' ? line : line.substr(first);
    const bool has_header = !table.headings.empty();
    SplitRow row = has_header ? split_row(row_text, *separator, table.headings.size())
                              : split_row(row_text, *separator);
    if (row.fault != nullptr) return scanner.failure_at(offset, row.fault);
    std::vector<std::string_view>& cells = row.cells;
    if (!has_header) {
      if (!all_numbers(cells)) {
        while (cells.size() > 1 && cells.back().empty()) cells.pop_back();
        // A heading, a column of its own, and its name once or twice.
        const auto columns = static_cast<double>(cells.size());
        if (const Result<Done> done = spend(budget, columns, 500, "columns"); !done)
          return done.diagnostics();
        for (const std::string_view cell : cells) table.headings.push_back(heading_from(cell));
        table.name_columns();
        continue;
      }
      if (cells.size() != 7) {
        return scanner.failure_at(offset,
                                  "the table has no header, and no seven columns as SWC has");
      }
      for (const char* name : {"id", "type", "x", "y", "z", "radius", "parent"}) {
        table.headings.push_back({name, ""});
      }
      table.name_columns();
    }
    // Empty cells beyond the header are those of a spreadsheet.
    const std::size_t count =
        row.count > table.headings.size() ? std::max(row.filled, table.headings.size()) : row.count;
    if (count != table.headings.size()) {
      return scanner.failure_at(offset, fmt::format("this row has {} cells, the header {}", count,
                                                    table.headings.size()));
    }
    // A row with its segment, and a cell as text, number and column.
    const double bytes = 400 + 48 * static_cast<double>(count);
    if (const Result<Done> done = spend(budget, 1, bytes, "more row"); !done) {
      return scanner.failure_at(
          offset, fmt::format("{} rows of {} cells are more than one file may have in memory",
                              table.rows.size(), count));
    }
    table.rows.push_back(numbers_in(cells));
    table.cells.push_back(std::move(cells));
    table.lines.push_back(line_number);
  }
  return table;
}

Attribute attribute_from_column(const TextTable& table, std::size_t column,
                                const std::vector<std::size_t>& rows) {
  const Heading& heading = table.headings[column];
  Attribute attribute{.name = heading.name, .type = Attribute::Type::real, .size = 1, .values = {}};
  std::string unit;
  for (const char c : lower(heading.unit)) {
    if (std::isalnum(static_cast<unsigned char>(c))) unit.push_back(c);
  }
  if (!unit.empty()) attribute.name += "_" + unit;
  const auto is_word = [&](std::size_t r) {
    return std::isnan(table.rows[r][column]) && !is_gap(table.cells[r][column]);
  };
  bool words = false;
  for (std::size_t r = 0; r < table.rows.size() && !words; ++r) words = is_word(r);
  if (!words) {
    for (const std::size_t r : rows) attribute.values.push_back(table.rows[r][column]);
    return attribute;
  }
  attribute.type = Attribute::Type::word;
  std::map<std::string, std::size_t> numbers;
  for (const std::size_t r : rows) {
    const auto [place, is_new] =
        numbers.try_emplace(unescaped(table.cells[r][column]), attribute.words.size());
    if (is_new) attribute.words.push_back(place->first);
    attribute.values.push_back(static_cast<double>(place->second));
  }
  return attribute;
}

std::optional<double> metres_from_unit(std::string_view unit) {
  static const std::map<std::string, double, std::less<>> metres{{"", 1},
                                                                 {"m", 1},
                                                                 {"metre", 1},
                                                                 {"metres", 1},
                                                                 {"meter", 1},
                                                                 {"meters", 1},
                                                                 {"dm", 0.1},
                                                                 {"decimetre", 0.1},
                                                                 {"decimeter", 0.1},
                                                                 {"cm", 0.01},
                                                                 {"centimetre", 0.01},
                                                                 {"centimetres", 0.01},
                                                                 {"centimeter", 0.01},
                                                                 {"centimeters", 0.01},
                                                                 {"mm", 1e-3},
                                                                 {"millimetre", 1e-3},
                                                                 {"millimetres", 1e-3},
                                                                 {"millimeter", 1e-3},
                                                                 {"millimeters", 1e-3},
                                                                 {"km", 1e3},
                                                                 {"in", 0.0254},
                                                                 {"inch", 0.0254},
                                                                 {"inches", 0.0254},
                                                                 {"ft", 0.3048},
                                                                 {"foot", 0.3048},
                                                                 {"feet", 0.3048}};
  const auto found = metres.find(lower(unit));
  if (found == metres.end()) return std::nullopt;
  return found->second;
}

}  // namespace thigmo
