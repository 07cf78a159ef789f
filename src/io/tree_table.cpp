#include "io/tree_table.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "io/json_text.h"
#include "io/scanner.h"

namespace thigmo {
namespace {

std::vector<std::string_view> split_row(std::string_view line) {
  const bool marked = line.find_first_of(",;\t") != std::string_view::npos;
  std::vector<std::string_view> cells;
  const auto trimmed = [](std::string_view cell) {
    while (!cell.empty() && (cell.front() == ' ' || cell.front() == '"')) cell.remove_prefix(1);
    while (!cell.empty() && (cell.back() == ' ' || cell.back() == '"' || cell.back() == '\r'))
      cell.remove_suffix(1);
    return cell;
  };
  for (;;) {
    const std::size_t end = std::min(line.find_first_of(marked ? ",;\t" : " "), line.size());
    const std::string_view cell = trimmed(line.substr(0, end));
    if (marked || !cell.empty()) cells.push_back(cell);
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

// Lower case without brackets, blanks and units: "Start_X (m)" and "start_x" are the same.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, name.find_first_of("([{"))) {
    if (c == ' ' || c == '-') continue;
    plain.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  }
  return plain;
}

struct Columns {
  std::vector<std::string> names;
  std::optional<std::size_t> find(std::initializer_list<const char*> candidates) const {
    for (const char* candidate : candidates) {
      const auto found = std::find(names.begin(), names.end(), candidate);
      if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    }
    return std::nullopt;
  }
};

constexpr std::initializer_list<const char*> id_words{"id", "cylinder_id", "cylinderid", "node"};
constexpr std::initializer_list<const char*> parent_words{"parent", "parent_id", "parentid"};

using Three = std::array<std::optional<std::size_t>, 3>;
bool all_there(const Three& columns) { return columns[0] && columns[1] && columns[2]; }

constexpr double empty_cell = std::numeric_limits<double>::quiet_NaN();

struct NumberTable {
  Columns columns;
  std::vector<std::vector<double>> rows;  // not a number where a cell is empty
  std::vector<int> lines;                 // in the file
};

Result<NumberTable> read_numbers(std::string_view text, std::string_view file) {
  NumberTable table;
  Scanner scanner(file, text);
  int line_number = 0;
  while (!scanner.at_end()) {
    const std::size_t offset = scanner.position();
    const std::string_view line = scanner.rest_of_line();
    ++line_number;
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '#') continue;
    const std::vector<std::string_view> cells = split_row(line.substr(first));
    std::vector<double> numbers;
    bool all_numbers = true;
    for (const std::string_view cell : cells) {
      const std::optional<double> number = cell.empty() ? empty_cell : number_from_text(cell);
      all_numbers = all_numbers && number;
      numbers.push_back(number.value_or(0));
    }
    if (table.columns.names.empty()) {
      if (!all_numbers) {
        for (const std::string_view cell : cells) table.columns.names.push_back(plain_name(cell));
        continue;
      }
      if (cells.size() != 7) {
        return scanner.failure_at(offset,
                                  "the table has no header, and no seven columns as SWC has");
      }
      table.columns.names = {"id", "type", "x", "y", "z", "radius", "parent"};
    }
    if (!all_numbers)
      return scanner.failure_at(offset, "this row holds something that is no finite number");
    if (numbers.size() != table.columns.names.size()) {
      return scanner.failure_at(offset, fmt::format("this row has {} cells, the header {}",
                                                    numbers.size(), table.columns.names.size()));
    }
    table.rows.push_back(std::move(numbers));
    table.lines.push_back(line_number);
  }
  return table;
}

Three three(const Columns& columns, const std::string& prefix) {
  const auto one = [&](const char* letter, const char* digit) {
    return columns.find({(prefix + "_" + letter).c_str(), (prefix + letter).c_str(),
                         (prefix + "_" + digit).c_str(), (prefix + digit).c_str()});
  };
  return {one("x", "1"), one("y", "2"), one("z", "3")};
}

Three numbered(const Columns& columns, const std::string& digit) {
  return {columns.find({("x" + digit).c_str()}), columns.find({("y" + digit).c_str()}),
          columns.find({("z" + digit).c_str()})};
}

// The first empty cell in columns that every row must fill, as a message; none when there is none.
std::optional<Diagnostic> find_gap(const NumberTable& table, std::string_view file,
                                   std::initializer_list<Three> needed) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (const Three& columns : needed) {
      for (const std::optional<std::size_t>& column : columns) {
        if (!column || !std::isnan(table.rows[i][*column])) continue;
        return Diagnostic{
            .message = fmt::format("the cell of '{}' is empty", table.columns.names[*column]),
            .file = std::string(file),
            .line = table.lines[i]};
      }
    }
  }
  return std::nullopt;
}

// A size, unless the cell is empty.
std::optional<double> size_at(const std::vector<double>& row, std::size_t column) {
  if (std::isnan(row[column])) return std::nullopt;
  return row[column];
}

Vec3 vector_at(const std::vector<double>& row, const Three& columns) {
  return {row[*columns[0]], row[*columns[1]], row[*columns[2]]};
}

// What a file without ids calls its first row. A negative parent is none, so that 0 is a row; roots
// without any number leave 0 to be a row as well; else 0 is none.
std::int64_t first_row_number(const NumberTable& table, std::size_t parent) {
  bool negative = false, empty = false, zero = false;
  for (const std::vector<double>& row : table.rows) {
    negative = negative || row[parent] < 0;
    empty = empty || std::isnan(row[parent]);
    zero = zero || row[parent] == 0;
  }
  return negative || (empty && zero) ? 0 : 1;
}

// The row of each row's parent, by what the file calls them.
Result<std::vector<Index>> resolve_parents(const NumberTable& table, std::string_view file) {
  const std::optional<std::size_t> id = table.columns.find(id_words);
  const std::optional<std::size_t> parent = table.columns.find(parent_words);
  const auto failure = [&](std::size_t row, std::string message) {
    return Diagnostic{
        .message = std::move(message), .file = std::string(file), .line = table.lines[row]};
  };
  std::vector<Index> parents(table.rows.size(), no_index);
  if (!parent)
    return Diagnostic{.message = "there is no column 'parent'", .file = std::string(file)};
  std::unordered_map<std::int64_t, Index> row_of;
  const std::int64_t first = id ? 0 : first_row_number(table, *parent);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double number =
        id ? table.rows[i][*id] : static_cast<double>(first + static_cast<std::int64_t>(i));
    if (number != std::floor(number) || !(std::abs(number) <= 1e15))
      return failure(i, "an id must be a whole number");
    if (!row_of.try_emplace(static_cast<std::int64_t>(number), static_cast<Index>(i)).second) {
      return failure(i, fmt::format("the id {} is there twice", number));
    }
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const double number = table.rows[i][*parent];
    if (std::isnan(number)) continue;
    if (number != std::floor(number) || std::abs(number) > 1e15)
      return failure(i, "a parent must be a whole number");
    const auto found = row_of.find(static_cast<std::int64_t>(number));
    if (found != row_of.end()) {
      parents[i] = found->second;
    } else if (number > 0 && id) {
      return failure(i, fmt::format("there is no row with the id {}", number));
    } else if (number > 0) {
      return failure(
          i, fmt::format("there is no row {}: without ids they count from {}", number, first));
    }
  }
  return parents;
}

// Columns that say where the pieces are, how thick and long, and whose: the plant has that, and beside
// it they would be wrong once it is scaled.
struct Understood {
  std::vector<bool> columns;

  void add(const std::optional<std::size_t>& column) {
    if (column) columns[*column] = true;
  }
  void add(const Three& three) {
    for (const std::optional<std::size_t>& column : three) add(column);
  }
};

// The others, as attributes of these rows.
std::vector<Attribute> other_columns(const NumberTable& table, const std::vector<std::size_t>& rows,
                                     const Understood& understood,
                                     std::vector<std::string>& notes) {
  std::vector<Attribute> attributes;
  for (std::size_t c = 0; c < table.columns.names.size(); ++c) {
    const std::string& name = table.columns.names[c];
    if (understood.columns[c]) continue;
    if (find_attribute(attributes, name) != nullptr) {
      notes.push_back(fmt::format("the column '{}' is there twice; the first counts", name));
      continue;
    }
    Attribute column{.name = name, .type = Attribute::Type::real, .size = 1, .values = {}};
    for (const std::size_t r : rows) column.values.push_back(table.rows[r][c]);
    // Text does not tell 3 from 3.0; of these it is known.
    constexpr std::array counted{"axis", "order", "colour", "kind", "generation", "gen", "plant"};
    if (std::find(counted.begin(), counted.end(), name) != counted.end() &&
        std::all_of(column.values.begin(), column.values.end(),
                    [](double v) { return v == std::floor(v); })) {
      column.type = Attribute::Type::integer;
    }
    attributes.push_back(std::move(column));
  }
  return attributes;
}

SegmentTable cylinders(const NumberTable& table, const std::vector<Index>& parents,
                       const Understood& understood, const Three& start, const Three& axis,
                       const Three& end, std::optional<std::size_t> length_column,
                       std::size_t radius) {
  SegmentTable out;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::vector<double>& row = table.rows[i];
    const Vec3 from = vector_at(row, start);
    const Vec3 to =
        all_there(end) ? vector_at(row, end) : from + vector_at(row, axis) * row[*length_column];
    out.rows.push_back({.start_world = from,
                        .end_world = to,
                        .parent = parents[i],
                        .radius_start = size_at(row, radius),
                        .radius_end = size_at(row, radius),
                        .line = table.lines[i]});
    rows.push_back(i);
  }
  out.attributes = other_columns(table, rows, understood, out.notes);
  return out;
}

// Rows are nodes; a piece goes from the parent's node to its own. Roots are points without a piece.
SegmentTable nodes(const NumberTable& table, const std::vector<Index>& parents,
                   const Understood& understood, const Three& position,
                   std::optional<std::size_t> radius, double radius_factor) {
  SegmentTable out;
  std::vector<Index> piece_of(table.rows.size(), no_index);
  std::vector<std::size_t> rows, starts;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (parents[i] != no_index) {
      piece_of[i] = static_cast<Index>(rows.size());
      rows.push_back(i);
    }
  }
  const auto radius_at = [&](std::size_t row) -> std::optional<double> {
    if (!radius) return std::nullopt;
    const std::optional<double> size = size_at(table.rows[row], *radius);
    return size ? std::optional(*size * radius_factor) : std::nullopt;
  };
  for (const std::size_t i : rows) {
    const auto parent = static_cast<std::size_t>(parents[i]);
    if (piece_of[parent] == no_index) starts.push_back(parent);
    out.rows.push_back({.start_world = vector_at(table.rows[parent], position),
                        .end_world = vector_at(table.rows[i], position),
                        .parent = piece_of[parent],
                        .radius_start = radius_at(parent),
                        .radius_end = radius_at(i),
                        .line = table.lines[i]});
  }
  out.attributes = other_columns(table, rows, understood, out.notes);
  std::vector<std::string> told;
  out.start_attributes = other_columns(table, starts, understood, told);
  return out;
}

}  // namespace

Result<SegmentTable> table_from_csv(std::string_view text, std::string_view file, bool& z_up) {
  z_up = false;
  const Result<NumberTable> table = read_numbers(text, file);
  if (!table) return table.diagnostics();
  const Result<std::vector<Index>> parents = resolve_parents(*table, file);
  if (!parents) return parents.diagnostics();
  const Columns& columns = table->columns;
  const Three axis = three(columns, "axis");
  // start_x … end_x …; x0 … x1 …; x1 … x2 …
  Three start = three(columns, "start"), end = three(columns, "end");
  for (const auto& [first, second] : {std::pair{"0", "1"}, std::pair{"1", "2"}}) {
    const Three from = numbered(columns, first), to = numbered(columns, second);
    if (!all_there(start) && all_there(from) && all_there(to)) {
      start = from;
      end = to;
    }
  }
  const std::optional<std::size_t> radius = columns.find({"radius", "r"});
  const std::optional<std::size_t> length_column = columns.find({"length", "len"});
  const Three base = three(columns, "base"), tip = three(columns, "tip");
  Understood understood{std::vector<bool>(columns.names.size(), false)};
  for (const auto& words : {parent_words, id_words}) understood.add(columns.find(words));
  for (const char* word : {"radius", "r", "radius_tip", "diameter", "length", "len"}) {
    understood.add(columns.find({word}));
  }
  if (all_there(base) && all_there(tip) && radius) {
    if (const auto gap = find_gap(*table, file, {base, tip})) return *gap;
    understood.add(base);
    understood.add(tip);
    SegmentTable own = cylinders(*table, *parents, understood, base, {}, tip, {}, *radius);
    if (const auto radius_tip = columns.find({"radius_tip"})) {
      for (std::size_t i = 0; i < own.rows.size(); ++i) {
        own.rows[i].radius_end = size_at(table->rows[i], *radius_tip);
      }
    }
    return own;
  }
  z_up = all_there(start);
  if (all_there(start) && radius && (all_there(end) || (all_there(axis) && length_column))) {
    const auto gap = all_there(end) ? find_gap(*table, file, {start, end})
                                    : find_gap(*table, file, {start, axis, {length_column}});
    if (gap) return *gap;
    for (const Three& place : {start, axis, end}) {
      if (all_there(place)) understood.add(place);
    }
    return cylinders(*table, *parents, understood, start, axis, end, length_column, *radius);
  }
  const Three position{columns.find({"x"}), columns.find({"y"}), columns.find({"z"})};
  if (all_there(position)) {
    if (const auto gap = find_gap(*table, file, {position})) return *gap;
    const std::optional<std::size_t> diameter = columns.find({"diameter", "width"});
    understood.add(position);
    understood.add(diameter);
    return radius ? nodes(*table, *parents, understood, position, radius, 1.0)
                  : nodes(*table, *parents, understood, position, diameter, 0.5);
  }
  return Diagnostic{
      .message = "the header does not say where the segments are",
      .file = std::string(file),
      .hint =
          "name the columns of a cylinder start_x, start_y, start_z, end_x … (or axis_x … "
          "and length) and radius; those of a point x, y, z and radius or width"};
}

Result<SegmentTable> table_from_qsm_json(std::string_view text, std::string_view file) {
  const Result<nlohmann::json> root = parse_json(text, file);
  if (!root) return root.diagnostics();
  const auto failure = [&](std::string message) {
    return Diagnostic{.message = std::move(message), .file = std::string(file)};
  };
  const auto list = [&](const char* key) -> const nlohmann::json* {
    const auto found = root->is_object() ? root->find(key) : root->end();
    return found != root->end() && found->is_array() ? &*found : nullptr;
  };
  const nlohmann::json *xyz = list("xyz"), *parent = list("parent"), *radius = list("radius");
  if (xyz == nullptr || parent == nullptr || radius == nullptr)
    return failure("'xyz', 'parent' and 'radius' are expected");
  if (parent->size() != xyz->size() || radius->size() != xyz->size())
    return failure("'xyz', 'parent' and 'radius' differ in length");
  NumberTable table;
  table.columns.names = {"x", "y", "z", "radius"};
  std::vector<Index> parents;
  const auto count = static_cast<double>(xyz->size());
  for (std::size_t i = 0; i < xyz->size(); ++i) {
    const nlohmann::json &p = (*xyz)[i], &up = (*parent)[i], &r = (*radius)[i];
    const bool good = p.is_array() && p.size() == 3 && p[0].is_number() && p[1].is_number() &&
                      p[2].is_number() && up.is_number() && r.is_number();
    if (!good)
      return failure(fmt::format("node {} is not three coordinates, a parent and a radius", i));
    const double number = up.get<double>();
    if (number != std::floor(number) || number < -1 || number >= count)
      return failure(fmt::format("node {} has the parent {}", i, number));
    parents.push_back(static_cast<Index>(number));
    table.rows.push_back(
        {p[0].get<double>(), p[1].get<double>(), p[2].get<double>(), r.get<double>()});
    table.lines.push_back(0);
  }
  SegmentTable out = nodes(table, parents, {std::vector<bool>(4, true)}, {0, 1, 2}, 3, 1.0);
  // The radius is that of the whole cylinder.
  for (SegmentRow& row : out.rows) row.radius_start = row.radius_end;
  const auto name = root->find("tree");
  if (name != root->end() && name->is_string()) out.name = name->get<std::string>();
  return out;
}

}  // namespace thigmo
