#include "scenario/scenario_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace thigmo {
namespace {

// A row of finite numbers, time first.
bool read_row(const toml::node& node, std::span<double> row) {
  const toml::array* numbers = node.as_array();
  if (!numbers || numbers->size() != row.size()) return false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const toml::node* number = numbers->get(i);
    row[i] = number->is_number() ? number->value<double>().value_or(NAN) : NAN;
    if (!std::isfinite(row[i])) return false;
  }
  return true;
}

// Rows of `columns` numbers whose times rise; none where that is not so, which is said.
using Rows = std::vector<std::array<double, 4>>;
std::optional<Rows> read_rows(TomlReader& reader, std::string_view key, std::size_t columns) {
  const toml::table* table = reader.node(key)->as_table();
  const std::string shape =
      fmt::format("{} = {{ keys = [[0, {}], [5, {}]] }}", key, columns == 2 ? "1" : "1, 0, 0",
                  columns == 2 ? "2" : "2, 0, 0");
  const toml::array* list = table->get_as<toml::array>("keys");
  if (!list || list->empty() || table->size() != 1) {
    reader.complain(table, fmt::format("'{}' is given by 'keys', rows of a time and a value", key),
                    shape);
    return std::nullopt;
  }
  Rows rows;
  for (const toml::node& node : *list) {
    std::array<double, 4> row{};
    if (!read_row(node, std::span(row).first(columns))) {
      reader.complain(&node, fmt::format("a row of '{}' must hold {} finite numbers", key, columns),
                      shape);
      return std::nullopt;
    }
    if (!rows.empty() && row[0] <= rows.back()[0]) {
      reader.complain(&node, fmt::format("the times of '{}' must ascend", key));
      return std::nullopt;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

bool is_keyed(TomlReader& reader, std::string_view key) {
  const toml::node* node = reader.node(key);
  return node && node->is_table();
}

std::optional<KeyedValue<Vec3>> read_keyed_vector(TomlReader& reader, std::string_view key) {
  const std::optional<Rows> rows = read_rows(reader, key, 4);
  if (!rows) return std::nullopt;
  KeyedValue<Vec3> keyed;
  for (const auto& row : *rows) {
    keyed.times.push_back(row[0]);
    keyed.values.push_back({row[1], row[2], row[3]});
  }
  return keyed;
}

std::optional<double> read_number_or_keys(TomlReader& reader, std::string_view key, Range range,
                                          KeyedValue<double>& over_start) {
  if (!reader.has(key)) return std::nullopt;
  over_start = {};
  if (!is_keyed(reader, key)) return reader.number(key, range);
  const std::optional<Rows> rows = read_rows(reader, key, 2);
  if (!rows) return std::nullopt;
  KeyedValue<double> keyed;
  for (const auto& row : *rows) {
    keyed.times.push_back(row[0]);
    keyed.values.push_back(row[1]);
  }
  const double least = *std::min_element(keyed.values.begin(), keyed.values.end());
  const double start = value_at(keyed, 0);
  if (least < 0 || (range == Range::positive && least == 0) || start == 0) {
    reader.complain_at_key(
        key, fmt::format("all values of '{}' must be {}", key,
                         range == Range::positive ? "greater than 0"
                                                  : "0 or more, and that at the start above 0"));
    return std::nullopt;
  }
  for (double& value : keyed.values) value /= start;
  over_start = std::move(keyed);
  return start;
}

}  // namespace thigmo
