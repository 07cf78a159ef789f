#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"

namespace thigmo {

// A named column of a foreign file: numbers, or words as indices into a table. `size` numbers
// belong to each element (a point, an edge, a segment).
struct Attribute {
  enum class Type { integer, real, vector, word };
  std::string name;
  Type type = Type::real;
  int size = 1;
  std::vector<double> values;
  std::vector<std::string> words = {};
  bool on_lines = false;  // of the line that leads to a point, not of the point
};

// Columns that came with a plant: one element a segment, and one for each root, of its base.
struct PlantColumns {
  std::vector<Attribute> attributes, start_attributes;
};

inline const Attribute* find_attribute(const std::vector<Attribute>& attributes,
                                       std::string_view name) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [name](const Attribute& a) { return a.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

// Whether a number can stand in a column of whole numbers, which have 32 bits wherever they go.
inline bool fits_integer(double value) {
  return value == std::floor(value) && value >= INT32_MIN && value <= INT32_MAX;
}

// Whether a number names a word of a table of so many; -1 is none.
inline bool fits_word(double value, std::size_t words) {
  return value == std::floor(value) && value >= -1 && value < static_cast<double>(words);
}

// How many numbers the columns have for one element.
inline double numbers_of_element(const std::vector<Attribute>& attributes) {
  double sum = 0;
  for (const Attribute& a : attributes) sum += a.size;
  return sum;
}

// Appends the numbers of one element of `from` to `to`.
inline void copy_element(const Attribute& from, std::size_t element, Attribute& to) {
  const auto size = as_size(from.size);
  for (std::size_t k = 0; k < size; ++k) to.values.push_back(from.values[element * size + k]);
}

// What an element has in a column that its plant does not have: no word, or zero.
inline double nothing_of(const Attribute& column) {
  return column.type == Attribute::Type::word ? -1 : 0;
}

// The same columns, empty.
inline std::vector<Attribute> empty_like(const std::vector<Attribute>& attributes) {
  std::vector<Attribute> empty = attributes;
  for (Attribute& a : empty) a.values.clear();
  return empty;
}

}  // namespace thigmo
