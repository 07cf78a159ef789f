#include "io/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace thigmo {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

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

struct Neighbour {
  Index point = no_index;
  Index edge = no_index;
};

double generation_of(const Attribute* generation, Index point) {
  return generation != nullptr ? generation->values[at(point)] : 0.0;
}

std::optional<double> radius_from(const Attribute* width, const Attribute* scale, Index point) {
  if (width != nullptr) return 0.5 * width->values[at(point)];
  if (scale != nullptr) return scale->values[at(point)];
  return std::nullopt;
}

const Attribute* number_column(const std::vector<Attribute>& attributes, std::string_view name) {
  const Attribute* a = find_attribute(attributes, name);
  return a != nullptr && a->size == 1 && a->type != Attribute::Type::word ? a : nullptr;
}

}  // namespace

SegmentTable table_from_lines(const LineGeometry& lines) {
  SegmentTable table;
  std::size_t doubled_points = 0, doubled_edges = 0, loops = 0;
  const std::vector<Index> same = weld(lines.points, doubled_points);
  const std::size_t count = lines.points.size();
  std::vector<std::vector<Neighbour>> neighbours(count);
  std::set<std::pair<Index, Index>> seen;
  for (std::size_t e = 0; e < lines.edges.size(); ++e) {
    const Index a = same[at(lines.edges[e][0])], b = same[at(lines.edges[e][1])];
    if (a == b) continue;
    if (!seen.insert(std::minmax(a, b)).second) {
      ++doubled_edges;
      continue;
    }
    neighbours[at(a)].push_back({b, static_cast<Index>(e)});
    neighbours[at(b)].push_back({a, static_cast<Index>(e)});
  }

  const Attribute* generation = number_column(lines.point_attributes, "generation");
  const Attribute* width = number_column(lines.point_attributes, "width");
  const Attribute* width_base = number_column(lines.point_attributes, "width_base");
  const Attribute* scale = number_column(lines.point_attributes, "pscale");
  // Widths become radii, which go out as widths again; beside them they would not follow a scale.
  std::vector<const Attribute*> point_columns, edge_columns;
  for (const Attribute& a : lines.point_attributes) {
    if (&a != width && &a != width_base && &a != scale) point_columns.push_back(&a);
  }
  for (const Attribute& a : lines.edge_attributes) {
    if (find_attribute(lines.point_attributes, a.name) == nullptr) edge_columns.push_back(&a);
  }
  for (const std::vector<const Attribute*>& columns : {point_columns, edge_columns}) {
    for (const Attribute* a : columns) {
      table.attributes.push_back(*a);
      table.attributes.back().values.clear();
    }
  }

  std::vector<Index> by_generation;
  for (std::size_t p = 0; p < count; ++p) by_generation.push_back(static_cast<Index>(p));
  std::stable_sort(by_generation.begin(), by_generation.end(), [&](Index a, Index b) {
    return generation_of(generation, a) < generation_of(generation, b);
  });

  struct Visit {
    Index point, from, edge, row_of_from;
  };
  std::vector<bool> reached(count, false);
  for (const Index root : by_generation) {
    if (reached[at(root)] || neighbours[at(root)].empty()) continue;
    std::vector<Visit> stack{{root, no_index, no_index, no_index}};
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      if (reached[at(visit.point)]) {
        ++loops;
        continue;
      }
      reached[at(visit.point)] = true;
      Index row = no_index;
      if (visit.from != no_index) {
        row = static_cast<Index>(table.rows.size());
        const Attribute* start = width_base != nullptr ? width_base : width;
        const Index start_point = width_base != nullptr ? visit.point : visit.from;
        table.rows.push_back({.start_world = lines.points[at(visit.from)],
                              .end_world = lines.points[at(visit.point)],
                              .parent = visit.row_of_from,
                              .radius_start = radius_from(start, scale, start_point),
                              .radius_end = radius_from(width, scale, visit.point)});
        std::size_t column = 0;
        for (const Attribute* a : point_columns)
          copy_element(*a, at(visit.point), table.attributes[column++]);
        for (const Attribute* a : edge_columns)
          copy_element(*a, at(visit.edge), table.attributes[column++]);
      }
      const std::vector<Neighbour>& next = neighbours[at(visit.point)];
      for (std::size_t k = next.size(); k-- > 0;) {
        if (next[k].edge == visit.edge) continue;
        if (!reached[at(next[k].point)]) {
          stack.push_back({next[k].point, visit.point, next[k].edge, row});
        }
      }
    }
  }
  if (doubled_points > 0)
    table.notes.push_back(
        fmt::format("{} points lay on others and were joined to them", doubled_points));
  if (doubled_edges > 0)
    table.notes.push_back(fmt::format("{} lines were there twice", doubled_edges));
  if (loops > 0)
    table.notes.push_back(fmt::format("{} lines closed a loop and were left out", loops));
  return table;
}

namespace {

struct ColumnWriter {
  LineGeometry& lines;
  Attribute& add(const char* name, Attribute::Type type, int size = 1) {
    lines.point_attributes.push_back({.name = name, .type = type, .size = size, .values = {}});
    return lines.point_attributes.back();
  }
};

double segment_mass(const Plant& plant, const Segment& s) {
  const double density = plant.materials[at(s.material)].density;
  if (s.rectangle) return density * s.rectangle->width * s.rectangle->height * s.length;
  // A truncated cone.
  const double a = s.radius_base, b = s.radius_tip;
  return density * std::numbers::pi * s.length * (a * a + a * b + b * b) / 3.0;
}

}  // namespace

LineGeometry lines_from_plant(const Plant& plant, const Pose& pose, const LineColumns& columns) {
  LineGeometry lines;
  // For each point: the segment it ends (or starts, for the base of a root).
  struct Owner {
    Index segment;
    bool base;
  };
  std::vector<Owner> owners;
  std::vector<Index> tip_point(plant.segments.size());
  const auto add_point = [&](Index segment, bool base) {
    lines.points.push_back(point_on_segment(plant, pose, segment, base ? 0.0 : 1.0));
    owners.push_back({segment, base});
    return static_cast<Index>(lines.points.size() - 1);
  };
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Segment& s = plant.segments[at(i)];
    Index from;
    if (s.parent == no_index) {
      from = add_point(i, true);
    } else {
      // Starts elsewhere than at the parent's tip are drawn from there all the same: a line graph
      // can only join points.
      from = tip_point[at(s.parent)];
    }
    tip_point[at(i)] = add_point(i, false);
    lines.edges.push_back({from, tip_point[at(i)]});
  }

  std::vector<Index> generation(plant.segments.size(), 1);
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Index parent = plant.segments[i].parent;
    if (parent != no_index) generation[i] = generation[at(parent)] + 1;
  }
  ColumnWriter writer{lines};
  using Type = Attribute::Type;
  const auto fill = [&](const char* name, Type type, const auto& value) {
    Attribute& column = writer.add(name, type);
    for (const Owner& o : owners)
      column.values.push_back(static_cast<double>(value(o, plant.segments[at(o.segment)])));
  };
  fill("width", Type::real, [](const Owner& o, const Segment& s) {
    return 2 * (o.base ? s.radius_base : s.radius_tip);
  });
  fill("width_base", Type::real, [](const Owner&, const Segment& s) { return 2 * s.radius_base; });
  fill("generation", Type::integer,
       [&](const Owner& o, const Segment&) { return o.base ? 0 : generation[at(o.segment)]; });
  fill("axis", Type::integer, [](const Owner&, const Segment& s) { return s.axis; });
  fill("order", Type::integer, [](const Owner&, const Segment& s) { return s.order; });
  fill("colour", Type::integer, [](const Owner&, const Segment& s) { return s.colour; });
  fill("kind", Type::integer,
       [](const Owner&, const Segment& s) { return static_cast<int>(s.kind); });
  fill("mass", Type::real,
       [&](const Owner& o, const Segment& s) { return o.base ? 0.0 : segment_mass(plant, s); });
  Attribute& velocity = writer.add("v", Type::vector, 3);
  for (std::size_t p = 0; p < owners.size(); ++p) {
    Vec3 v;
    if (columns.before != nullptr && columns.interval > 0) {
      const Vec3 was =
          point_on_segment(plant, *columns.before, owners[p].segment, owners[p].base ? 0.0 : 1.0);
      v = (lines.points[p] - was) / columns.interval;
    }
    velocity.values.insert(velocity.values.end(), {v.x, v.y, v.z});
  }
  Attribute& up = writer.add("up", Type::vector, 3);
  for (const Owner& o : owners) {
    const Vec3 z = rotate(pose.world_from_segment[at(o.segment)], {0, 0, 1});
    up.values.insert(up.values.end(), {z.x, z.y, z.z});
  }
  for (const Attribute& a : columns.attributes) {
    if (find_attribute(lines.point_attributes, a.name) != nullptr) continue;
    Attribute column = a;
    column.values.clear();
    for (const Owner& o : owners) copy_element(a, at(o.segment), column);
    // Lines have no gaps.
    for (double& value : column.values) value = std::isnan(value) ? 0 : value;
    lines.point_attributes.push_back(std::move(column));
  }
  return lines;
}

}  // namespace thigmo
