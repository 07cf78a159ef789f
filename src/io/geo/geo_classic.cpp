#include "io/geo/geo_classic.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "io/text/scanner.h"

namespace thigmo {
namespace {

constexpr std::string_view brackets = "()[]";

class ClassicReader {
 public:
  ClassicReader(std::string_view text, std::string_view file)
      : in_(file, text), budget_{.file = std::string(file)} {}

  Result<LineGeometry> read() {
    if (in_.word() != "PGEOMETRY") return in_.failure("this is no classic Houdini geometry");
    in_.skip_line();
    for (const auto part : {&ClassicReader::read_header, &ClassicReader::read_point_columns,
                            &ClassicReader::read_points, &ClassicReader::read_vertex_columns,
                            &ClassicReader::read_primitive_columns, &ClassicReader::read_primitives,
                            &ClassicReader::read_end}) {
      if (const Result<Done> done = (this->*part)(); !done) return done.diagnostics();
    }
    const auto edges = static_cast<double>(lines_.edges.size());
    if (const Result<Done> done = spend(budget_, edges, bytes_of_edge, "lines"); !done)
      return done.diagnostics();
    if (const Result<Done> done =
            spread_columns(primitive_attributes_, primitive_of_edge_, budget_, lines_);
        !done)
      return done.diagnostics();
    return std::move(lines_);
  }

 private:
  Result<Done> read_header() {
    for (const auto& [key, target] : {std::pair{"NPoints", &points_},
                                      {"NPrims", &primitives_},
                                      {"NPointGroups", &point_groups_},
                                      {"NPrimGroups", &primitive_groups_},
                                      {"NPointAttrib", &point_columns_},
                                      {"NVertexAttrib", &vertex_columns_},
                                      {"NPrimAttrib", &primitive_columns_},
                                      {"NAttrib", &detail_columns_}}) {
      if (in_.word() != key) return in_.failure(fmt::format("here '{}' is expected", key));
      // Each element takes at least two bytes, so a count beyond the file's size is a lie.
      const std::optional<std::uint64_t> count = in_.count(in_.left());
      if (!count) return in_.failure("the count must be a whole number that fits into the file");
      *target = *count;
    }
    return Done{};
  }

  Result<Done> read_point_columns() {
    return read_dictionary("PointAttrib", point_columns_, lines_.point_attributes);
  }
  Result<Done> read_vertex_columns() {
    return read_dictionary("VertexAttrib", vertex_columns_, vertex_attributes_);
  }
  Result<Done> read_primitive_columns() {
    return read_dictionary("PrimitiveAttrib", primitive_columns_, primitive_attributes_);
  }

  Result<Done> read_dictionary(std::string_view title, std::uint64_t count,
                               std::vector<Attribute>& columns) {
    if (count == 0) return Done{};
    if (in_.word() != title) return in_.failure(fmt::format("here '{}' is expected", title));
    for (std::uint64_t i = 0; i < count; ++i) {
      Attribute column;
      column.name = in_.word();
      const std::optional<std::uint64_t> size = in_.count(64);
      if (column.name.empty() || !size || *size < 1)
        return in_.failure("a column needs a name and a size");
      column.size = static_cast<int>(*size);
      const std::string_view type = in_.word();
      if (type == "index") {
        column.type = Attribute::Type::word;
        if (Result<Done> done = read_words(column); !done) return done;
        columns.push_back(std::move(column));
        continue;
      }
      if (type != "float" && type != "int" && type != "vector") {
        return in_.failure(fmt::format("columns of type '{}' are not understood", shown(type)),
                           "known are float, int, vector and index");
      }
      column.type = type == "int"      ? Attribute::Type::integer
                    : type == "vector" ? Attribute::Type::vector
                                       : Attribute::Type::real;
      for (std::uint64_t k = 0; k < *size; ++k) {
        if (!in_.number()) return in_.failure("the column's default must be numbers");
      }
      columns.push_back(std::move(column));
    }
    return Done{};
  }

  Result<Done> read_words(Attribute& column) {
    const std::optional<std::uint64_t> count = in_.count(in_.left());
    if (!count) return in_.failure("the number of words must fit into the file");
    for (std::uint64_t k = 0; k < *count; ++k) {
      if (!in_.skip('"')) return in_.failure("a word in quotes is expected");
      std::string word;
      while (!in_.at_end() && in_.peek() != '"') {
        if (in_.peek() == '\\') in_.advance();
        if (!in_.at_end()) word.push_back(in_.peek());
        in_.advance();
      }
      if (in_.at_end()) return in_.failure("the quotes are never closed");
      in_.advance();
      column.words.push_back(std::move(word));
    }
    return Done{};
  }

  // The values of one element: bare, in the dictionary's order, up to the closing bracket.
  Result<Done> read_values(std::vector<Attribute>& columns, char open, char close, bool keep) {
    if (columns.empty()) return Done{};
    if (!in_.skip(open)) return in_.failure(fmt::format("here '{}' is expected", open));
    for (Attribute& column : columns) {
      for (int k = 0; k < column.size; ++k) {
        const std::optional<double> value = in_.number(brackets);
        if (!value)
          return in_.failure(fmt::format("'{}' needs a finite number here", shown(column.name)));
        if (column.type == Attribute::Type::integer && !fits_integer(*value)) {
          return in_.failure(
              fmt::format("'{}' is a column of whole numbers of 32 bits", shown(column.name)),
              "make it a float column");
        }
        if (column.type == Attribute::Type::word && !fits_word(*value, column.words.size())) {
          return in_.failure(fmt::format("'{}' has {} words, and this is none of their numbers",
                                         shown(column.name), column.words.size()),
                             "they count from 0; -1 is none");
        }
        if (keep) column.values.push_back(*value);
      }
    }
    if (!in_.skip(close)) return in_.failure(fmt::format("here '{}' is expected", close));
    return Done{};
  }

  Result<Done> read_points() {
    const double bytes =
        bytes_of_piece + 3 * sizeof(double) * numbers_of_element(lines_.point_attributes);
    if (Result<Done> done = spend(budget_, static_cast<double>(points_), bytes, "points"); !done)
      return done;
    for (std::uint64_t i = 0; i < points_; ++i) {
      Vec3 p;
      for (double* part : {&p.x, &p.y, &p.z}) {
        const std::optional<double> value = in_.number(brackets);
        if (!value) return in_.failure("a point needs four finite numbers: x y z w");
        *part = *value;
      }
      if (!in_.number(brackets)) return in_.failure("a point needs four finite numbers: x y z w");
      lines_.points.push_back(p);
      if (Result<Done> done = read_values(lines_.point_attributes, '(', ')', true); !done)
        return done;
    }
    return Done{};
  }

  Result<Done> read_polygon() {
    const std::optional<std::uint64_t> count = in_.count(in_.left());
    if (!count) return in_.failure("the number of points must fit into the file");
    const std::string_view kind = in_.word();
    if (kind != "<" && kind != ":") return in_.failure("'<' (closed) or ':' (open) is expected");
    Index before = no_index, first = no_index;
    for (std::uint64_t k = 0; k < *count; ++k) {
      const std::optional<std::uint64_t> point =
          in_.count(lines_.points.empty() ? 0 : lines_.points.size() - 1, brackets);
      if (!point || lines_.points.empty()) return in_.failure("there is no point of this number");
      if (Result<Done> done = read_values(vertex_attributes_, '(', ')', false); !done) return done;
      const auto here = static_cast<Index>(*point);
      if (before != no_index) lines_.edges.push_back({before, here});
      if (first == no_index) first = here;
      before = here;
    }
    if (kind == "<" && *count > 2) lines_.edges.push_back({before, first});
    if (Result<Done> done = read_values(primitive_attributes_, '[', ']', true); !done) return done;
    primitive_of_edge_.resize(lines_.edges.size(), primitive_);
    ++primitive_;
    return Done{};
  }

  Result<Done> read_primitives() {
    for (std::uint64_t found = 0; found < primitives_;) {
      const std::string_view word = in_.word();
      std::uint64_t run = 1;
      if (word == "Run") {
        const std::optional<std::uint64_t> count = in_.count(primitives_ - found);
        if (!count || *count == 0) return in_.failure("the run is longer than the file says");
        run = *count;
        if (in_.word() != "Poly") return in_.failure("only polygons are understood");
      } else if (word != "Poly") {
        return in_.failure(
            fmt::format("'{}' is no primitive that is understood", word.substr(0, 40)),
            "only polygons (Poly) are");
      }
      for (std::uint64_t k = 0; k < run; ++k) {
        if (Result<Done> done = read_polygon(); !done) return done;
      }
      found += run;
    }
    return Done{};
  }

  Diagnostic left_over(std::string_view word) const {
    return in_.failure(
        fmt::format("'{}' is left behind the last primitive that the counts allow", shown(word)),
        "NPoints and NPrims must say how many there are");
  }

  // Behind the primitives come columns of the whole, groups and what programs added, which are passed
  // over; anything else is left where counts are too low or files were pasted together.
  Result<Done> read_end() {
    if (detail_columns_ > 0) {
      if (in_.word() != "DetailAttrib") return in_.failure("here 'DetailAttrib' is expected");
      in_.skip_to("beginExtra");
    } else if (point_groups_ + primitive_groups_ > 0) {
      // A group begins with its name and its kind, which no primitive does.
      const std::string_view name = in_.word(), kind = in_.word();
      if (kind != "ordered" && kind != "unordered") return left_over(name);
      in_.skip_to("beginExtra");
    }
    const std::string_view word = in_.word();
    if (word.empty()) return Done{};
    if (word != "beginExtra") return left_over(word);
    in_.skip_to("endExtra");
    if (in_.word() != "endExtra") return in_.failure("'beginExtra' has no 'endExtra'");
    if (const std::string_view rest = in_.word(); !rest.empty())
      return in_.failure(fmt::format("'{}' is left behind 'endExtra'", shown(rest)));
    return Done{};
  }

  Scanner in_;
  Budget budget_;
  std::uint64_t points_ = 0, primitives_ = 0, point_columns_ = 0, vertex_columns_ = 0,
                primitive_columns_ = 0, detail_columns_ = 0, point_groups_ = 0,
                primitive_groups_ = 0;
  Index primitive_ = 0;
  std::vector<Index> primitive_of_edge_;
  LineGeometry lines_;
  std::vector<Attribute> vertex_attributes_, primitive_attributes_;
};

const char* classic_type(Attribute::Type type) {
  switch (type) {
    case Attribute::Type::integer:
      return "int";
    case Attribute::Type::real:
      return "float";
    case Attribute::Type::vector:
      return "vector";
    case Attribute::Type::word:
      return "index";
  }
  return "float";
}

void write_dictionary(const char* title, const std::vector<Attribute>& columns, std::string& text) {
  if (columns.empty()) return;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}\n", title);
  for (const Attribute& a : columns) {
    fmt::format_to(out, "{} {} {}", a.name, a.size, classic_type(a.type));
    if (a.type == Attribute::Type::word) {
      fmt::format_to(out, " {}", a.words.size());
      for (const std::string& word : a.words) {
        text += " \"";
        for (const char c : word) {
          if (c == '"' || c == '\\') text += '\\';
          text += c;
        }
        text += '"';
      }
    } else {
      for (int k = 0; k < a.size; ++k) text += " 0";
    }
    text += '\n';
  }
}

void write_values(const std::vector<Attribute>& columns, std::size_t element, char open, char close,
                  std::string& text) {
  if (columns.empty()) return;
  const auto out = std::back_inserter(text);
  text += ' ';
  text += open;
  bool first = true;
  for (const Attribute& a : columns) {
    for (int k = 0; k < a.size; ++k) {
      if (!first) text += ' ';
      first = false;
      fmt::format_to(out, "{}", a.values[element * as_size(a.size) + as_size(k)]);
    }
  }
  text += close;
}

}  // namespace

Result<LineGeometry> lines_from_geo_classic(std::string_view text, std::string_view file) {
  return ClassicReader(text, file).read();
}

std::string geo_classic_from_lines(const LineGeometry& lines) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "PGEOMETRY V5\nNPoints {} NPrims {}\nNPointGroups 0 NPrimGroups 0\n",
                 lines.points.size(), lines.edges.size());
  fmt::format_to(out, "NPointAttrib {} NVertexAttrib 0 NPrimAttrib {} NAttrib 0\n",
                 lines.point_attributes.size(), lines.edge_attributes.size());
  write_dictionary("PointAttrib", lines.point_attributes, text);
  for (std::size_t p = 0; p < lines.points.size(); ++p) {
    fmt::format_to(out, "{} {} {} 1", lines.points[p].x, lines.points[p].y, lines.points[p].z);
    write_values(lines.point_attributes, p, '(', ')', text);
    text += '\n';
  }
  write_dictionary("PrimitiveAttrib", lines.edge_attributes, text);
  if (!lines.edges.empty()) fmt::format_to(out, "Run {} Poly\n", lines.edges.size());
  for (std::size_t e = 0; e < lines.edges.size(); ++e) {
    fmt::format_to(out, " 2 : {} {}", lines.edges[e][0], lines.edges[e][1]);
    write_values(lines.edge_attributes, e, '[', ']', text);
    text += '\n';
  }
  text += "beginExtra\nendExtra\n";
  return text;
}

}  // namespace thigmo
