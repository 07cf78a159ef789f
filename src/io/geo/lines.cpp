#include "io/geo/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

namespace thigmo {
namespace {

// The edges at each point, in their order; of those between the same two points the first.
struct Neighbour {
  Index point = no_index;
  Index edge = no_index;
};
struct Neighbours {
  std::vector<std::size_t> first;  // of each point, and one past the last
  std::vector<Neighbour> all;
  std::size_t doubled = 0;

  std::span<const Neighbour> of(Index point) const {
    const auto p = as_size(point);
    return {all.data() + first[p], first[p + 1] - first[p]};
  }
};

Neighbours find_neighbours(const LineGeometry& lines, const std::vector<Index>& same) {
  const std::size_t count = lines.points.size();
  const auto ends = [&](std::size_t e) {
    return std::array{at(same, lines.edges[e][0]), at(same, lines.edges[e][1])};
  };
  std::vector<std::size_t> next(count + 1, 0);
  for (std::size_t e = 0; e < lines.edges.size(); ++e) {
    const auto [a, b] = ends(e);
    if (a == b) continue;
    ++next[static_cast<std::size_t>(a) + 1];
    ++next[static_cast<std::size_t>(b) + 1];
  }
  for (std::size_t p = 0; p < count; ++p) next[p + 1] += next[p];
  Neighbours found{.first = next, .all = {}};
  found.all.resize(next[count]);
  for (std::size_t e = 0; e < lines.edges.size(); ++e) {
    const auto [a, b] = ends(e);
    if (a == b) continue;
    found.all[at(next, a)++] = {b, static_cast<Index>(e)};
    found.all[at(next, b)++] = {a, static_cast<Index>(e)};
  }
  // Both ends see the edges between them in the same order, so that they keep the same one.
  std::vector<Index> seen_from(count, no_index);
  std::size_t kept = 0;
  for (std::size_t p = 0; p < count; ++p) {
    const std::size_t begin = found.first[p], end = found.first[p + 1];
    found.first[p] = kept;
    for (std::size_t k = begin; k < end; ++k) {
      const Neighbour n = found.all[k];
      Index& seen = at(seen_from, n.point);
      if (seen == static_cast<Index>(p)) {
        found.doubled += static_cast<std::size_t>(n.point) > p;
      } else {
        seen = static_cast<Index>(p);
        found.all[kept++] = n;
      }
    }
  }
  found.first[count] = kept;
  found.all.resize(kept);
  return found;
}

// For each point the first point at the same place, bit for bit.
std::vector<Index> weld(const std::vector<Vec3>& points, std::size_t& doubled) {
  std::map<std::array<double, 3>, Index> first;
  std::vector<Index> same;
  for (const Vec3& p : points) {
    // Adding zero makes -0 and 0 one key.
    const auto [place, is_new] =
        first.try_emplace({p.x + 0.0, p.y + 0.0, p.z + 0.0}, static_cast<Index>(same.size()));
    doubled += !is_new;
    same.push_back(place->second);
  }
  return same;
}

double generation_of(const Attribute* generation, Index point) {
  return generation != nullptr ? at(generation->values, point) : 0.0;
}

std::optional<double> radius_from(const Attribute* width, const Attribute* scale, Index point) {
  if (width != nullptr) return 0.5 * at(width->values, point);
  if (scale != nullptr) return at(scale->values, point);
  return std::nullopt;
}

const Attribute* number_column(const std::vector<Attribute>& attributes, std::string_view name) {
  const Attribute* a = find_attribute(attributes, name);
  return a != nullptr && a->size == 1 && a->type != Attribute::Type::word ? a : nullptr;
}

// The columns of the points that have a meaning, and the others, which are kept.
struct PointColumns {
  const Attribute *generation = nullptr, *width = nullptr, *width_base = nullptr, *scale = nullptr,
                  *offset = nullptr;
  std::vector<const Attribute*> others;
};
PointColumns find_columns(const std::vector<Attribute>& attributes) {
  PointColumns found{.generation = number_column(attributes, "generation"),
                     .width = number_column(attributes, "width"),
                     .width_base = number_column(attributes, "width_base"),
                     .scale = number_column(attributes, "pscale"),
                     .offset = find_attribute(attributes, "base_offset")};
  // Houdini's L-system node calls it gen.
  if (found.generation == nullptr) found.generation = number_column(attributes, "gen");
  if (found.offset != nullptr &&
      (found.offset->size != 3 || found.offset->type == Attribute::Type::word))
    found.offset = nullptr;
  // Widths become radii, which go out as widths again; beside them they would not follow a scale.
  for (const Attribute& a : attributes) {
    if (&a != found.width && &a != found.width_base && &a != found.offset)
      found.others.push_back(&a);
  }
  return found;
}

// The points by their generation, then by their number.
std::vector<Index> by_generation(const Attribute* generation, std::size_t count) {
  std::vector<Index> points(count);
  std::iota(points.begin(), points.end(), 0);
  std::stable_sort(points.begin(), points.end(), [&](Index a, Index b) {
    return generation_of(generation, a) < generation_of(generation, b);
  });
  return points;
}

// A point that is reached from another one over an edge.
struct Visit {
  Index point, from, edge, row_of_from;
};

// Adds the row of the line that leads to a point, with its columns.
void add_row(const LineGeometry& lines, const PointColumns& columns, const Visit& visit,
             SegmentTable& table) {
  const Attribute* start = columns.width_base != nullptr ? columns.width_base : columns.width;
  const Index start_point = columns.width_base != nullptr ? visit.point : visit.from;
  Vec3 start_world = at(lines.points, visit.from);
  if (columns.offset != nullptr) {
    const double* v = &columns.offset->values[3 * as_size(visit.point)];
    start_world += Vec3{v[0], v[1], v[2]};
  }
  table.rows.push_back({.start_world = start_world,
                        .end_world = at(lines.points, visit.point),
                        .parent = visit.row_of_from,
                        .radius_start = radius_from(start, columns.scale, start_point),
                        .radius_end = radius_from(columns.width, columns.scale, visit.point)});
  std::size_t column = 0;
  for (const Attribute* a : columns.others)
    copy_element(*a, as_size(visit.point), table.attributes[column++]);
  for (const Attribute& a : lines.edge_attributes)
    copy_element(a, as_size(visit.edge), table.attributes[column++]);
  if (visit.row_of_from != no_index) return;
  for (std::size_t k = 0; k < columns.others.size(); ++k)
    copy_element(*columns.others[k], as_size(visit.from), table.start_attributes[k]);
}

}  // namespace

Result<Done> spread_columns(const std::vector<Attribute>& primitive_attributes,
                            const std::vector<Index>& primitive_of_edge, Budget& budget,
                            LineGeometry& lines) {
  // The columns are held three times at once: of the edges, of the rows, of the segments.
  const double bytes = 3 * sizeof(double) * numbers_of_element(primitive_attributes);
  const auto edges = static_cast<double>(primitive_of_edge.size());
  if (Result<Done> done = spend(budget, edges, bytes, "lines with the columns of their polygons");
      !done)
    return done;
  lines.edge_attributes = empty_like(primitive_attributes);
  for (std::size_t k = 0; k < primitive_attributes.size(); ++k) {
    lines.edge_attributes[k].values.reserve(primitive_of_edge.size() *
                                            static_cast<std::size_t>(primitive_attributes[k].size));
    for (const Index primitive : primitive_of_edge)
      copy_element(primitive_attributes[k], as_size(primitive), lines.edge_attributes[k]);
  }
  return Done{};
}

SegmentTable table_from_lines(const LineGeometry& lines) {
  SegmentTable table;
  std::size_t doubled_points = 0, loops = 0;
  const std::vector<Index> same = weld(lines.points, doubled_points);
  const Neighbours neighbours = find_neighbours(lines, same);
  const PointColumns columns = find_columns(lines.point_attributes);
  for (const Attribute* a : columns.others) {
    table.attributes.push_back(*a);
    table.attributes.back().values.clear();
  }
  table.start_attributes = table.attributes;
  for (Attribute& a : empty_like(lines.edge_attributes)) {
    a.on_lines = true;
    table.attributes.push_back(std::move(a));
  }
  std::vector<bool> reached(lines.points.size(), false);
  for (const Index root : by_generation(columns.generation, lines.points.size())) {
    if (at(reached, root) || neighbours.of(root).empty()) continue;
    std::vector<Visit> stack{{root, no_index, no_index, no_index}};
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      if (at(reached, visit.point)) {
        ++loops;
        continue;
      }
      at(reached, visit.point) = true;
      Index row = no_index;
      if (visit.from != no_index) {
        row = static_cast<Index>(table.rows.size());
        add_row(lines, columns, visit, table);
      }
      const std::span<const Neighbour> next = neighbours.of(visit.point);
      for (std::size_t k = next.size(); k-- > 0;) {
        if (next[k].edge == visit.edge || at(reached, next[k].point)) continue;
        stack.push_back({next[k].point, visit.point, next[k].edge, row});
      }
    }
  }
  if (doubled_points > 0)
    table.notes.push_back(
        fmt::format("{} points lay on others and were joined to them", doubled_points));
  if (neighbours.doubled > 0)
    table.notes.push_back(fmt::format("{} lines were there twice", neighbours.doubled));
  if (loops > 0)
    table.notes.push_back(fmt::format("{} lines closed a loop and were left out", loops));
  return table;
}

}  // namespace thigmo
