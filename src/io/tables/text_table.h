#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "io/tables/attribute.h"

namespace thigmo {

// A heading taken apart: "Start_X (cm)" is start_x in cm.
struct Heading {
  std::string name;  // lower case, without blanks
  std::string unit;  // as in the brackets; empty: none
};

// A table with a header, its cells as numbers where they are some. The text must outlive it.
struct TextTable {
  std::vector<Heading> headings;
  std::vector<std::vector<double>> rows;  // not a number: an empty cell, or words
  std::vector<std::vector<std::string_view>>
      cells;               // as they stand in the text, without outer quotes
  std::vector<int> lines;  // in the file
  std::unordered_map<std::string, std::size_t> column_of = {};  // the first of each name

  // Fills `column_of` from the headings.
  void name_columns();
  std::optional<std::size_t> find(std::initializer_list<const char*> candidates) const;
};

// Cells are parted by semicolons, commas, tabs or blanks, whichever of them the first line has; quotes
// hold a cell together. Empty cells and NA, NaN or null have no number. A first line of seven numbers is
// SWC without a header: id, type, x, y, z, radius, parent. Lines that begin with # are comments.
Result<TextTable> read_text_table(std::string_view text, std::string_view file);

// Whether a cell that is no number holds nothing.
bool is_gap(std::string_view cell);

// A column as an attribute of some rows: numbers, or words where a cell holds anything else. Its unit
// becomes a part of its name: dbh_cm.
Attribute attribute_from_column(const TextTable& table, std::size_t column,
                                const std::vector<std::size_t>& rows);

// Metres in a unit of length: m, dm, cm, mm, km, in, ft and their long names; 1 for none.
std::optional<double> metres_from_unit(std::string_view unit);

}  // namespace thigmo
