#include "io/tables/tree_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "io/tables/text_table.h"
#include "io/text/json_text.h"
#include "io/text/scanner.h"

namespace thigmo {
namespace {

constexpr std::initializer_list<const char*> id_words{"id", "cylinder_id", "cylinderid", "node"};
constexpr std::initializer_list<const char*> parent_words{"parent", "parent_id", "parentid"};

using Column = std::optional<std::size_t>;
using Three = std::array<Column, 3>;
bool all_there(const Three& columns) { return columns[0] && columns[1] && columns[2]; }

Three three(const TextTable& table, const std::string& prefix) {
  const auto one = [&](const char* letter, const char* digit) {
    return table.find({(prefix + "_" + letter).c_str(), (prefix + letter).c_str(),
                       (prefix + "_" + digit).c_str(), (prefix + digit).c_str()});
  };
  return {one("x", "1"), one("y", "2"), one("z", "3")};
}

Three numbered(const TextTable& table, const std::string& digit) {
  return {table.find({("x" + digit).c_str()}), table.find({("y" + digit).c_str()}),
          table.find({("z" + digit).c_str()})};
}

// Which columns say what.
struct Layout {
  // A piece goes from start to end, or along the axis by the length; where rows are points, from the
  // parent's end to the own.
  Three start, end, axis;
  Column length;
  Column radius, radius_tip;
  double radius_factor = 1;
  bool points = false, z_up = false;
  // The plant has what these columns say, and beside it they would be wrong once it is scaled.
  std::vector<bool> understood;
};

std::optional<Layout> find_layout(const TextTable& table) {
  Layout layout;
  const Three base = three(table, "base"), tip = three(table, "tip");
  const Three position{table.find({"x"}), table.find({"y"}), table.find({"z"})};
  layout.axis = three(table, "axis");
  if (!all_there(layout.axis))
    layout.axis = {table.find({"dx"}), table.find({"dy"}), table.find({"dz"})};
  layout.length = table.find({"length", "len"});
  layout.radius = table.find({"radius", "r"});
  layout.radius_tip = table.find({"radius_tip"});
  // start_x … end_x …; x0 … x1 …; x1 … x2 …
  layout.start = three(table, "start");
  layout.end = three(table, "end");
  for (const auto& [first, second] : {std::pair{"0", "1"}, std::pair{"1", "2"}}) {
    const Three from = numbered(table, first), to = numbered(table, second);
    if (!all_there(layout.start) && all_there(from) && all_there(to)) {
      layout.start = from;
      layout.end = to;
    }
  }
  // x y z with a direction and a length are where a cylinder starts, else where a piece ends.
  const bool along = all_there(layout.axis) && layout.length;
  if (along && !all_there(layout.start) && all_there(position)) layout.start = position;
  if (all_there(base) && all_there(tip)) {
    layout.start = base;
    layout.end = tip;
  } else if (all_there(layout.start) && (all_there(layout.end) || along)) {
    layout.z_up = true;
  } else if (all_there(position)) {
    layout.points = true;
    layout.start = {};
    layout.axis = {};
    layout.end = position;
  } else {
    return std::nullopt;
  }
  const Column diameter =
      layout.points ? table.find({"diameter", "width"}) : table.find({"diameter"});
  if (!layout.radius && diameter) {
    layout.radius = diameter;
    layout.radius_factor = 0.5;
  }
  layout.understood.assign(table.headings.size(), false);
  for (const Three& columns : {layout.start, layout.end, layout.axis}) {
    for (const Column& column : columns) {
      if (column && all_there(columns)) layout.understood[*column] = true;
    }
  }
  for (const Column& column :
       {table.find(id_words), table.find(parent_words), table.find({"radius"}), table.find({"r"}),
        layout.radius_tip, diameter, table.find({"length"}), table.find({"len"})}) {
    if (column) layout.understood[*column] = true;
  }
  return layout;
}

// Brings lengths into metres.
Result<Done> apply_units(const Layout& layout, std::string_view file, TextTable& table,
                         std::vector<std::string>& notes) {
  std::vector<std::size_t> lengths;
  for (const Three& columns : {layout.start, layout.end}) {
    for (const Column& column : columns) {
      if (column && all_there(columns)) lengths.push_back(*column);
    }
  }
  for (const Column& column : {layout.length, layout.radius, layout.radius_tip}) {
    if (column) lengths.push_back(*column);
  }
  std::string told;
  for (const std::size_t column : lengths) {
    const auto& [name, unit] = table.headings[column];
    const std::optional<double> metres = metres_from_unit(unit);
    if (!metres)
      return Diagnostic{.message = fmt::format("the unit '{}' of the column '{}' is not known",
                                               shown(unit), shown(name)),
                        .file = std::string(file),
                        .hint = "units of length are m, dm, cm, mm, km, in and ft"};
    if (*metres == 1) continue;
    told += fmt::format("{}{} in {}", told.empty() ? "" : ", ", shown(name), unit);
    for (std::vector<double>& row : table.rows) row[column] *= *metres;
  }
  if (!told.empty()) notes.push_back(fmt::format("the header gives units: {}", told));
  return Done{};
}

// Whether every cell that should hold a number does. A radius may be missing.
Result<Done> check_cells(const TextTable& table, const Layout& layout, std::string_view file) {
  std::vector<std::pair<std::size_t, bool>> needed;  // column; whether it may be empty
  for (const Three& columns :
       {layout.start, layout.end, all_there(layout.end) ? Three{} : layout.axis}) {
    for (const Column& column : columns) {
      if (column && all_there(columns)) needed.push_back({*column, false});
    }
  }
  if (layout.length && !all_there(layout.end)) needed.push_back({*layout.length, false});
  for (const Column& column : {layout.radius, layout.radius_tip}) {
    if (column) needed.push_back({*column, true});
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (const auto& [column, optional] : needed) {
      if (!std::isnan(table.rows[i][column])) continue;
      const std::string_view cell = table.cells[i][column];
      if (is_gap(cell) && optional) continue;
      const std::string& name = table.headings[column].name;
      return Diagnostic{.message = is_gap(cell)
                                       ? fmt::format("the cell of '{}' is empty", shown(name))
                                       : fmt::format("'{}' in the column '{}' is no finite number",
                                                     shown(cell), shown(name)),
                        .file = std::string(file),
                        .line = table.lines[i]};
    }
  }
  return Done{};
}

std::optional<double> radius_at(const std::vector<double>& row, const Column& column,
                                double factor) {
  if (!column || std::isnan(row[*column])) return std::nullopt;
  return row[*column] * factor;
}

Vec3 vector_at(const std::vector<double>& row, const Three& columns) {
  return {row[*columns[0]], row[*columns[1]], row[*columns[2]]};
}

// What a file without ids calls its first row. Where roots have a negative parent or none at all and
// something stands on 0, that is a row; else rows count from 1, and 0 is none.
std::int64_t first_row_number(const TextTable& table, std::size_t parent) {
  bool negative = false, empty = false, zero = false;
  for (const std::vector<double>& row : table.rows) {
    negative = negative || row[parent] < 0;
    empty = empty || std::isnan(row[parent]);
    zero = zero || row[parent] == 0;
  }
  return zero && (negative || empty) ? 0 : 1;
}

// The row of each row's parent, by what the file calls them.
Result<std::vector<Index>> resolve_parents(const TextTable& table, std::string_view file) {
  const std::optional<std::size_t> id = table.find(id_words);
  const std::optional<std::size_t> parent = table.find(parent_words);
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
    if (std::isnan(number) && is_gap(table.cells[i][*parent])) continue;
    if (number != std::floor(number) || !(std::abs(number) <= 1e15))
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

// The columns that were not understood, as attributes of these rows.
std::vector<Attribute> other_columns(const TextTable& table, const std::vector<std::size_t>& rows,
                                     const Layout& layout) {
  std::vector<Attribute> attributes;
  for (std::size_t c = 0; c < table.headings.size(); ++c) {
    const std::string& name = table.headings[c].name;
    // The first of several counts.
    if (layout.understood[c] || name.empty() || table.find({name.c_str()}) != c) continue;
    Attribute column = attribute_from_column(table, c, rows);
    // Text does not tell 3 from 3.0; of these it is known.
    constexpr std::array counted{"axis", "order", "colour", "kind", "generation", "gen", "plant"};
    if (column.type == Attribute::Type::real &&
        std::find(counted.begin(), counted.end(), name) != counted.end() &&
        std::all_of(column.values.begin(), column.values.end(),
                    [](double v) { return fits_integer(v); })) {
      column.type = Attribute::Type::integer;
    }
    attributes.push_back(std::move(column));
  }
  return attributes;
}

void note_doubles(const TextTable& table, std::vector<std::string>& notes) {
  constexpr std::size_t most_told = 10;
  std::size_t doubles = 0;
  for (std::size_t c = 0; c < table.headings.size(); ++c) {
    const std::string& name = table.headings[c].name;
    if (name.empty() || table.find({name.c_str()}) == c) continue;
    if (++doubles <= most_told)
      notes.push_back(fmt::format("the column '{}' is there twice; the first counts", shown(name)));
  }
  if (doubles > most_told) notes.push_back(fmt::format("so are {} others", doubles - most_told));
}

void add_cylinders(const TextTable& table, const std::vector<Index>& parents, const Layout& layout,
                   SegmentTable& out) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::vector<double>& row = table.rows[i];
    const Vec3 from = vector_at(row, layout.start);
    const Vec3 to = all_there(layout.end)
                        ? vector_at(row, layout.end)
                        : from + vector_at(row, layout.axis) * row[*layout.length];
    const std::optional<double> radius = radius_at(row, layout.radius, layout.radius_factor);
    const std::optional<double> radius_tip = radius_at(row, layout.radius_tip, 1);
    out.rows.push_back({.start_world = from,
                        .end_world = to,
                        .parent = parents[i],
                        .radius_start = radius,
                        .radius_end = radius_tip ? radius_tip : radius,
                        .line = table.lines[i]});
    rows.push_back(i);
  }
  out.attributes = other_columns(table, rows, layout);
}

// Points say how thick the stem is there. Where several pieces leave a point the thickest goes on from
// it, the first of equals; the others are as thick at their begin as at their end: a twig does not
// begin as thick as the trunk it stands on.
void narrow_side_branches(const std::vector<Index>& start_point, SegmentTable& out) {
  std::unordered_map<Index, std::size_t> thickest;  // piece that goes on from each point
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    const auto [best, first] = thickest.try_emplace(start_point[i], i);
    if (!first && out.rows[i].radius_end > out.rows[best->second].radius_end) best->second = i;
  }
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    SegmentRow& row = out.rows[i];
    if (thickest.at(start_point[i]) == i || !row.radius_end || !(*row.radius_end > 0)) continue;
    row.radius_start = std::min(row.radius_start.value_or(*row.radius_end), *row.radius_end);
  }
}

// Rows are nodes; a piece goes from the parent's node to its own. Roots are points without a piece.
void add_nodes(const TextTable& table, const std::vector<Index>& parents, const Layout& layout,
               SegmentTable& out) {
  std::vector<Index> piece_of(table.rows.size(), no_index);
  std::vector<std::size_t> rows, starts;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (parents[i] != no_index) {
      piece_of[i] = static_cast<Index>(rows.size());
      rows.push_back(i);
    }
  }
  for (const std::size_t i : rows) {
    const auto parent = as_size(parents[i]);
    if (piece_of[parent] == no_index) starts.push_back(parent);
    out.rows.push_back(
        {.start_world = vector_at(table.rows[parent], layout.end),
         .end_world = vector_at(table.rows[i], layout.end),
         .parent = piece_of[parent],
         .radius_start = radius_at(table.rows[parent], layout.radius, layout.radius_factor),
         .radius_end = radius_at(table.rows[i], layout.radius, layout.radius_factor),
         .line = table.lines[i]});
  }
  std::vector<Index> start_point;
  for (const std::size_t i : rows) start_point.push_back(parents[i]);
  narrow_side_branches(start_point, out);
  out.attributes = other_columns(table, rows, layout);
  out.start_attributes = other_columns(table, starts, layout);
}

}  // namespace

Result<SegmentTable> table_from_csv(std::string_view text, std::string_view file, bool& z_up) {
  z_up = false;
  const auto failure = [&](std::string message, std::string hint) {
    return Diagnostic{
        .message = std::move(message), .file = std::string(file), .hint = std::move(hint)};
  };
  Result<TextTable> table = read_text_table(text, file);
  if (!table) return table.diagnostics();
  const Result<std::vector<Index>> parents = resolve_parents(*table, file);
  if (!parents) return parents.diagnostics();
  const std::optional<Layout> layout = find_layout(*table);
  if (!layout) {
    return failure("the header does not say where the segments are",
                   "name the columns of a cylinder start_x, start_y, start_z, end_x … (or axis_x … "
                   "and length) and radius; those of a point x, y, z and radius or width");
  }
  z_up = layout->z_up;
  if (const Result<Done> done = check_cells(*table, *layout, file); !done)
    return done.diagnostics();
  SegmentTable out;
  if (const Result<Done> done = apply_units(*layout, file, *table, out.notes); !done)
    return done.diagnostics();
  note_doubles(*table, out.notes);
  layout->points ? add_nodes(*table, *parents, *layout, out)
                 : add_cylinders(*table, *parents, *layout, out);
  return out;
}

Result<SegmentTable> table_from_qsm_json(std::string_view text, std::string_view file) {
  Budget budget{.file = std::string(file)};
  const Result<ParsedJson> parsed = parse_json(text, file, budget);
  if (!parsed) return parsed.diagnostics();
  const nlohmann::json& root = parsed->root;
  const auto failure = [&](std::string message) {
    return Diagnostic{.message = std::move(message), .file = std::string(file)};
  };
  const auto list = [&](const char* key) -> const nlohmann::json* {
    const auto found = root.is_object() ? root.find(key) : root.end();
    return found != root.end() && found->is_array() ? &*found : nullptr;
  };
  const nlohmann::json *xyz = list("xyz"), *parent = list("parent"), *radius = list("radius");
  if (xyz == nullptr || parent == nullptr || radius == nullptr)
    return failure("'xyz', 'parent' and 'radius' are expected");
  if (parent->size() != xyz->size() || radius->size() != xyz->size())
    return failure("'xyz', 'parent' and 'radius' differ in length");
  const auto nodes = static_cast<double>(xyz->size());
  if (const Result<Done> done = spend(budget, nodes, bytes_of_piece, "nodes"); !done)
    return done.diagnostics();
  TextTable table{.headings = {{"x", ""}, {"y", ""}, {"z", ""}, {"radius", ""}}};
  table.name_columns();
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
  SegmentTable out;
  add_nodes(table, parents, *find_layout(table), out);
  // The radius is that of the whole cylinder.
  for (SegmentRow& row : out.rows) row.radius_start = row.radius_end;
  const auto name = root.find("tree");
  if (name != root.end() && name->is_string()) out.name = name->get<std::string>();
  return out;
}

}  // namespace thigmo
