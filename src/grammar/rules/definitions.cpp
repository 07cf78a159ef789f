#include "grammar/rules/definitions.h"

#include <fmt/format.h>

#include <cmath>

#include "grammar/rules/expressions.h"

namespace thigmo {

namespace {

constexpr std::int64_t elements_limit = 10'000'000;  // of all arrays together: 80 MB

// "[n][m].." behind an array's name.
Result<Done> read_sizes(CodeWriter& w, Cursor& cursor, std::size_t at, Array& array,
                        std::int64_t& size) {
  while (cursor.take("[")) {
    const Result<double> n = read_constant(w, cursor);
    if (!n) return n.diagnostics();
    if (!(*n >= 1 && *n <= 1e5) || *n != std::floor(*n)) {
      return fault(w, at, "an array's size is a whole number from 1 to 100000");
    }
    if (!cursor.take("]")) return fault(w, cursor.position, "expected ']'");
    array.sizes.push_back(static_cast<int>(*n));
    size *= static_cast<int>(*n);
    if (size > 100000 || array.sizes.size() > 4) {
      return fault(w, at, "an array has at most 4 dimensions and 100000 elements");
    }
  }
  if (array.sizes.empty()) return fault(w, cursor.position, "expected '[size]'");
  return Done{};
}

// "{..}" may nest; only the order of the values counts.
Result<Done> read_values(CodeWriter& w, Cursor& cursor, std::vector<double>& values) {
  int depth = 0;
  do {
    if (cursor.take("{")) {
      ++depth;
    } else if (cursor.take("}")) {
      --depth;
    } else if (!cursor.take(",")) {
      const Result<double> value = read_constant(w, cursor);
      if (!value) return value.diagnostics();
      values.push_back(*value);
    }
    if (cursor.at_end()) return fault(w, cursor.position, "expected '}'");
  } while (depth > 0);
  return Done{};
}

Result<Done> define_array(CodeWriter& w, Cursor& cursor) {
  cursor.skip_space();
  const std::size_t at = cursor.position;
  Array array;
  array.name = read_name(cursor);
  if (array.name.empty()) return fault(w, at, "expected the array's name");
  std::int64_t size = 1;
  if (auto done = read_sizes(w, cursor, at, array, size); !done) return done;
  std::vector<double> values;
  if (cursor.take("=")) {
    if (auto done = read_values(w, cursor, values); !done) return done;
    if (static_cast<std::int64_t>(values.size()) > size) {
      return fault(
          w, at,
          fmt::format("'{}' has {} elements but {} values", array.name, size, values.size()));
    }
  }
  if (static_cast<std::int64_t>(w.program.global_values.size()) + size > elements_limit) {
    return fault(w, at, fmt::format("all arrays together have at most {} elements", elements_limit),
                 "use fewer or smaller arrays");
  }
  values.resize(static_cast<std::size_t>(size), 0.0);
  // Elements share the store of the variables.
  array.begin = static_cast<std::int32_t>(w.program.global_values.size());
  w.program.global_values.insert(w.program.global_values.end(), values.begin(), values.end());
  w.program.array_of.try_emplace(array.name, static_cast<std::int32_t>(w.program.arrays.size()));
  w.program.arrays.push_back(std::move(array));
  return Done{};
}

Result<Done> define_curve(CodeWriter& w, Cursor& cursor) {
  Curve curve;
  std::string word = read_name(cursor);
  if (word == "smooth") {
    curve.smooth = true;
    word = read_name(cursor);
  }
  if (word != "curve") return fault(w, cursor.position, "expected 'curve'");
  cursor.skip_space();
  const std::size_t at = cursor.position;
  curve.name = read_name(cursor);
  if (curve.name.empty()) return fault(w, at, "expected the curve's name");
  if (!cursor.take("=") || !cursor.take("{")) {
    return fault(w, cursor.position, "expected '= {'", "curve taper = { 0:1, 0.5:0.8, 1:0 };");
  }
  do {
    const Result<double> x = read_constant(w, cursor);
    if (!x) return x.diagnostics();
    if (!cursor.take(":"))
      return fault(w, cursor.position, "expected ':' between x and y of a point");
    const Result<double> y = read_constant(w, cursor);
    if (!y) return y.diagnostics();
    if (!curve.x.empty() && !(*x > curve.x.back())) {
      return fault(w, cursor.position, "the x of a curve's points must rise");
    }
    curve.x.push_back(*x);
    curve.y.push_back(*y);
  } while (cursor.take(","));
  if (!cursor.take("}")) return fault(w, cursor.position, "expected '}' or ','");
  prepare_slopes(curve);
  w.program.curve_of.try_emplace(curve.name, static_cast<std::int32_t>(w.program.curves.size()));
  w.program.curves.push_back(std::move(curve));
  return Done{};
}

}  // namespace

Result<Done> read_definitions(CodeWriter& w, Cursor& cursor) {
  if (!cursor.take("{")) return fault(w, cursor.position, "expected '{'");
  while (!cursor.take("}")) {
    if (cursor.at_end()) return fault(w, cursor.position, "expected '}'");
    if (cursor.take(";")) continue;
    Cursor ahead = cursor;
    const std::string word = read_name(ahead);
    if (word == "array") {
      cursor.position = ahead.position;
      do {
        if (auto done = define_array(w, cursor); !done) return done;
      } while (cursor.take(","));
    } else if (word == "curve" || word == "smooth") {
      if (auto done = define_curve(w, cursor); !done) return done;
    } else {
      const std::size_t begin = cursor.position;
      const std::string variable = read_name(cursor);
      if (variable.empty()) return fault(w, begin, "expected 'array', 'curve' or a variable");
      if (!cursor.take("=")) return fault(w, cursor.position, "expected '='");
      const Result<double> value = read_constant(w, cursor);
      if (!value) return value.diagnostics();
      at(w.program.global_values, make_global(w, variable, *value)) = *value;
    }
    if (!cursor.take(";")) return fault(w, cursor.position, "expected ';'");
  }
  return Done{};
}

}  // namespace thigmo
