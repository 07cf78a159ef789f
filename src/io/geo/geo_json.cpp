#include "io/geo/geo_json.h"

#include <cmath>
#include <iterator>

#include "io/text/json_text.h"
#include "io/text/scanner.h"

namespace thigmo {
namespace {

using Json = nlohmann::json;

// The value after `key` in a flat [key, value, …] list or in an object; null when there is none.
const Json* value_of(const Json& list, std::string_view key) {
  if (list.is_object()) {
    const auto found = list.find(key);
    return found == list.end() ? nullptr : &*found;
  }
  if (!list.is_array()) return nullptr;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    if (list[i].is_string() && list[i].get_ref<const std::string&>() == key) return &list[i + 1];
  }
  return nullptr;
}

std::string text_of(const Json& list, std::string_view key) {
  const Json* value = value_of(list, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

// Whether a column's head says that it holds directions or places, which turn with the geometry; colours
// and other triples do not.
bool turns(const Json& head) {
  const Json* options = value_of(head, "options");
  const Json* type = options != nullptr ? value_of(*options, "type") : nullptr;
  const std::string meaning = type != nullptr ? text_of(*type, "value") : "";
  return meaning == "vector" || meaning == "normal" || meaning == "point" || meaning == "hpoint";
}

// A whole number in 0..most.
std::optional<std::uint64_t> whole(const Json* value, std::uint64_t most) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const double number = value->get<double>();
  if (!(number >= 0) || number > static_cast<double>(most) || number != std::floor(number)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(number);
}

class JsonReader {
 public:
  JsonReader(const Json& root, std::string_view file, Budget& budget)
      : root_(root), file_(file), budget_(budget) {}

  Result<LineGeometry> read() {
    const std::optional<std::uint64_t> points = whole(value_of(root_, "pointcount"), 100'000'000);
    if (!points) return failure("'pointcount' is missing or too large");
    points_ = static_cast<std::size_t>(*points);
    if (const Result<Done> done =
            spend(budget_, static_cast<double>(points_), bytes_of_piece, "points");
        !done)
      return done.diagnostics();
    for (const auto part : {&JsonReader::read_attributes, &JsonReader::read_topology,
                            &JsonReader::read_primitives, &JsonReader::make_edges}) {
      if (const Result<Done> done = (this->*part)(); !done) return done.diagnostics();
    }
    return std::move(lines_);
  }

 private:
  Diagnostic failure(std::string message) const {
    return {.message = std::move(message), .file = std::string(file_)};
  }

  // Numbers of `count` elements as they are stored: tuples, one array per component, or pages.
  Result<Done> read_numbers(const Json& values, std::size_t count, Attribute& column) {
    const std::optional<std::uint64_t> size = whole(value_of(values, "size"), 64);
    if (!size || *size == 0)
      return failure(fmt::format("column '{}' has no size", shown(column.name)));
    column.size = static_cast<int>(*size);
    const auto width = static_cast<std::size_t>(*size);
    const auto put = [&](const Json& number) {
      if (!number.is_number()) return false;
      column.values.push_back(number.get<double>());
      return true;
    };
    bool good = true;
    if (const Json* tuples = value_of(values, "tuples"); tuples != nullptr && tuples->is_array()) {
      for (const Json& tuple : *tuples) {
        if (!tuple.is_array() || tuple.size() != width)
          return failure(
              fmt::format("column '{}' has a tuple of another size", shown(column.name)));
        for (const Json& number : tuple) good = good && put(number);
      }
    } else if (const Json* arrays = value_of(values, "arrays");
               arrays != nullptr && arrays->is_array()) {
      if (arrays->size() != width)
        return failure(fmt::format("column '{}' has another number of arrays", shown(column.name)));
      for (const Json& array : *arrays) {
        if (!array.is_array() || array.size() != count)
          return failure(fmt::format("column '{}' has another length", shown(column.name)));
      }
      for (std::size_t i = 0; i < count; ++i) {
        for (const Json& array : *arrays) good = good && put(array[i]);
      }
    } else if (const Json* pages = value_of(values, "rawpagedata");
               pages != nullptr && pages->is_array()) {
      const Json* packing = value_of(values, "packing");
      const bool plain = packing == nullptr || (packing->is_array() && packing->size() == 1);
      if (!plain || value_of(values, "constantpageflags") != nullptr) {
        return failure(fmt::format(
            "column '{}' is stored in packed pages, which are not understood", shown(column.name)));
      }
      for (const Json& number : *pages) good = good && put(number);
    } else {
      return failure(
          fmt::format("column '{}' has no values that are understood", shown(column.name)));
    }
    if (!good)
      return failure(
          fmt::format("column '{}' holds something that is no number", shown(column.name)));
    if (column.values.size() != width * count)
      return failure(fmt::format("column '{}' has another length", shown(column.name)));
    return Done{};
  }

  // Whole numbers of 64 bits that do not fit into 32 are kept as real numbers.
  Result<Done> check_integers(Attribute& column, bool wide) const {
    constexpr double most_exact = 9007199254740992;  // 2^53
    column.type = Attribute::Type::integer;
    for (const double value : column.values) {
      if (fits_integer(value)) continue;
      if (!wide || value != std::floor(value) || !(std::abs(value) <= most_exact))
        return failure(
            fmt::format("column '{}' is of whole numbers and holds {}", shown(column.name), value));
      column.type = Attribute::Type::real;
    }
    return Done{};
  }

  Result<Done> read_columns(const Json* list, std::size_t count, std::vector<Attribute>& columns) {
    if (list == nullptr || !list->is_array()) return Done{};
    for (const Json& entry : *list) {
      if (!entry.is_array() || entry.size() < 2) return failure("a column is not understood");
      Attribute column;
      column.name = text_of(entry[0], "name");
      const std::string type = text_of(entry[0], "type");
      const Json* values = value_of(entry[1], type == "string" ? "indices" : "values");
      if (values == nullptr || (type != "numeric" && type != "string")) continue;
      if (Result<Done> done = read_numbers(*values, count, column); !done) return done;
      const std::string storage = text_of(*values, "storage");
      if (type == "string") {
        column.type = Attribute::Type::word;
        const Json* strings = value_of(entry[1], "strings");
        if (strings == nullptr || !strings->is_array())
          return failure(fmt::format("column '{}' has no words", shown(column.name)));
        for (const Json& word : *strings)
          column.words.push_back(word.is_string() ? word.get<std::string>() : "");
        for (const double index : column.values) {
          if (!fits_word(index, column.words.size()))
            return failure(fmt::format("column '{}' has no word {}", shown(column.name), index));
        }
      } else if (storage.rfind("int", 0) == 0) {
        if (Result<Done> done = check_integers(column, storage == "int64"); !done) return done;
      } else if (column.size == 3 && turns(entry[0])) {
        column.type = Attribute::Type::vector;
      }
      columns.push_back(std::move(column));
    }
    return Done{};
  }

  Result<Done> read_attributes() {
    const Json* attributes = value_of(root_, "attributes");
    if (attributes == nullptr) return failure("'attributes' is missing");
    if (Result<Done> done = read_columns(value_of(*attributes, "pointattributes"), points_,
                                         lines_.point_attributes);
        !done)
      return done;
    const auto position =
        std::find_if(lines_.point_attributes.begin(), lines_.point_attributes.end(),
                     [](const Attribute& a) { return a.name == "P"; });
    if (position == lines_.point_attributes.end() || position->size < 3)
      return failure("the points have no positions 'P'");
    const auto size = as_size(position->size);
    for (std::size_t i = 0; i < points_; ++i) {
      const double* p = &position->values[i * size];
      lines_.points.push_back({p[0], p[1], p[2]});
    }
    lines_.point_attributes.erase(position);
    const std::optional<std::uint64_t> count =
        whole(value_of(root_, "primitivecount"), 100'000'000);
    if (!count) return failure("'primitivecount' is missing or too large");
    primitives_ = *count;
    return read_columns(value_of(*attributes, "primitiveattributes"),
                        static_cast<std::size_t>(*count), primitive_attributes_);
  }

  Result<Done> read_topology() {
    const Json* topology = value_of(root_, "topology");
    const Json* references = topology != nullptr ? value_of(*topology, "pointref") : nullptr;
    const Json* indices = references != nullptr ? value_of(*references, "indices") : nullptr;
    if (indices == nullptr || !indices->is_array())
      return failure("'topology.pointref.indices' is missing");
    for (const Json& index : *indices) {
      const std::optional<std::uint64_t> point = whole(&index, points_ > 0 ? points_ - 1 : 0);
      if (!point || points_ == 0) return failure("a vertex refers to no point");
      vertices_.push_back(static_cast<Index>(*point));
    }
    return Done{};
  }

  // Notes `times` polygons of `count` vertices each, one behind the other; nothing is made of them yet,
  // for runs may name the same vertices again and again.
  Result<Done> add_polygons(std::uint64_t first, std::uint64_t count, std::uint64_t times,
                            bool closed) {
    const std::uint64_t left = first <= vertices_.size() ? vertices_.size() - first : 0;
    if (first > vertices_.size() || (count > 0 && times > left / count))
      return failure("a polygon has more vertices than there are");
    polygons_ += times;
    if (polygons_ > primitives_)
      return failure("there are more polygons than 'primitivecount' says");
    runs_.push_back({.first = first, .count = count, .times = times, .closed = closed});
    edges_ += static_cast<double>(edges_of(runs_.back()) * times);
    return Done{};
  }

  Result<Done> read_run(const Json& body, bool closed) {
    const std::optional<std::uint64_t> start =
        whole(value_of(body, "startvertex"), vertices_.size());
    if (!start) return failure("a run of polygons has no 'startvertex'");
    std::uint64_t vertex = *start;
    const Json* lengths = value_of(body, "nvertices");
    const Json* coded = value_of(body, "nvertices_rle");
    if (lengths != nullptr && lengths->is_array()) {
      for (const Json& length : *lengths) {
        const std::optional<std::uint64_t> count = whole(&length, vertices_.size());
        if (!count) return failure("a polygon has no valid number of vertices");
        if (Result<Done> done = add_polygons(vertex, *count, 1, closed); !done) return done;
        vertex += *count;
      }
      return Done{};
    }
    if (coded == nullptr || !coded->is_array())
      return failure("a run of polygons has no 'nvertices'");
    for (std::size_t i = 0; i + 1 < coded->size(); i += 2) {
      const std::optional<std::uint64_t> count = whole(&(*coded)[i], vertices_.size());
      const std::optional<std::uint64_t> times = whole(&(*coded)[i + 1], vertices_.size());
      if (!count || !times || *count == 0) return failure("a run of polygons has no valid lengths");
      if (Result<Done> done = add_polygons(vertex, *count, *times, closed); !done) return done;
      vertex += *count * *times;
    }
    return Done{};
  }

  Result<Done> read_primitives() {
    const Json* primitives = value_of(root_, "primitives");
    if (primitives == nullptr || !primitives->is_array()) return failure("'primitives' is missing");
    for (const Json& entry : *primitives) {
      if (!entry.is_array() || entry.size() < 2) return failure("a primitive is not understood");
      const std::string type = text_of(entry[0], "type");
      if (type != "Polygon_run" && type != "PolygonCurve_run")
        return failure(fmt::format("primitives of type '{}' are not understood", shown(type)));
      if (Result<Done> done = read_run(entry[1], type == "Polygon_run"); !done) return done;
    }
    if (polygons_ < primitives_)
      return failure(fmt::format("there are {} polygons, and 'primitivecount' says {}", polygons_,
                                 primitives_));
    return Done{};
  }

  Result<Done> make_edges() {
    if (Result<Done> done = spend(budget_, edges_, bytes_of_edge, "lines"); !done) return done;
    std::vector<Index> primitive_of_edge;
    Index primitive = 0;
    for (const Run& run : runs_) {
      std::uint64_t first = run.first;
      for (std::uint64_t k = 0; k < run.times; ++k, ++primitive, first += run.count) {
        const std::uint64_t edges = edges_of(run);
        for (std::uint64_t e = 0; e < edges; ++e) {
          const std::uint64_t next = e + 1 < run.count ? e + 1 : 0;
          lines_.edges.push_back({vertices_[first + e], vertices_[first + next]});
          primitive_of_edge.push_back(primitive);
        }
      }
    }
    return spread_columns(primitive_attributes_, primitive_of_edge, budget_, lines_);
  }

  // Equal polygons of a file, one behind the other.
  struct Run {
    std::uint64_t first = 0, count = 0, times = 1;  // vertex, vertices of each, polygons
    bool closed = false;
  };
  static std::uint64_t edges_of(const Run& run) {
    if (run.count < 2) return 0;
    return run.closed && run.count > 2 ? run.count : run.count - 1;
  }

  const Json& root_;
  std::string_view file_;
  Budget& budget_;
  std::size_t points_ = 0;
  std::uint64_t primitives_ = 0, polygons_ = 0;  // said and found
  double edges_ = 0;
  std::vector<Run> runs_;
  std::vector<Index> vertices_;
  std::vector<Attribute> primitive_attributes_;
  LineGeometry lines_;
};

Json column_json(const Attribute& a) {
  const bool word = a.type == Attribute::Type::word;
  const bool integer = word || a.type == Attribute::Type::integer;
  const auto size = as_size(a.size);
  const auto number = [&](double v) {
    return integer ? Json(static_cast<std::int64_t>(v)) : Json(v);
  };
  Json values = Json::array({"size", a.size, "storage", integer ? "int32" : "fpreal64"});
  Json content = Json::array();
  if (size == 1) {
    Json array = Json::array();
    for (const double v : a.values) array.push_back(number(v));
    values.push_back("arrays");
    content.push_back(std::move(array));
  } else {
    values.push_back("tuples");
    for (std::size_t i = 0; i < a.values.size() / size; ++i) {
      Json tuple = Json::array();
      for (std::size_t k = 0; k < size; ++k) tuple.push_back(number(a.values[i * size + k]));
      content.push_back(std::move(tuple));
    }
  }
  values.push_back(std::move(content));
  Json options = Json::object();
  if (a.type == Attribute::Type::vector)
    options["type"] = {{"type", "string"}, {"value", "vector"}};
  Json head = Json::array({"scope", "public", "type", word ? "string" : "numeric", "name", a.name,
                           "options", std::move(options)});
  Json body = word ? Json::array({"size", a.size, "storage", "int32", "strings", a.words, "indices",
                                  std::move(values)})
                   : Json::array({"size", a.size, "storage", integer ? "int32" : "fpreal64",
                                  "values", std::move(values)});
  return Json::array({std::move(head), std::move(body)});
}

}  // namespace

Result<LineGeometry> lines_from_geo_json(std::string_view text, std::string_view file) {
  Budget budget{.file = std::string(file)};
  const Result<ParsedJson> parsed = parse_json(text, file, budget);
  if (!parsed) return parsed.diagnostics();
  return JsonReader(parsed->root, file, budget).read();
}

std::string geo_json_from_lines(const LineGeometry& lines) {
  double values = 6.0 * static_cast<double>(lines.points.size() + lines.edges.size());
  for (const auto* columns : {&lines.point_attributes, &lines.edge_attributes}) {
    for (const Attribute& a : *columns) values += 2.0 * static_cast<double>(a.values.size());
  }
  Reserve reserve(reserve_for_json(values));
  Attribute position{.name = "P", .type = Attribute::Type::real, .size = 3, .values = {}};
  for (const Vec3& p : lines.points) position.values.insert(position.values.end(), {p.x, p.y, p.z});
  Json point_columns = Json::array({column_json(position)});
  for (const Attribute& a : lines.point_attributes) point_columns.push_back(column_json(a));
  Json primitive_columns = Json::array();
  for (const Attribute& a : lines.edge_attributes) primitive_columns.push_back(column_json(a));
  Json indices = Json::array();
  for (const auto& [a, b] : lines.edges) {
    indices.push_back(a);
    indices.push_back(b);
  }
  Json attributes = Json::array({"pointattributes", std::move(point_columns)});
  if (!primitive_columns.empty()) {
    attributes.push_back("primitiveattributes");
    attributes.push_back(std::move(primitive_columns));
  }
  const Json run =
      Json::array({Json::array({"type", "PolygonCurve_run"}),
                   Json::array({"startvertex", 0, "nprimitives", lines.edges.size(),
                                "nvertices_rle", Json::array({2, lines.edges.size()})})});
  Json root = Json::array({"fileversion", "18.0.0", "hasindex", false, "pointcount",
                           lines.points.size(), "vertexcount", 2 * lines.edges.size(),
                           "primitivecount", lines.edges.size(), "topology",
                           Json::array({"pointref", Json::array({"indices", std::move(indices)})}),
                           "attributes", std::move(attributes), "primitives",
                           lines.edges.empty() ? Json::array() : Json::array({run})});
  std::string text = root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  reserve.give_back();
  return text;
}

}  // namespace thigmo
