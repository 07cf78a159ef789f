#include "io/geo/plant_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace thigmo {
namespace {

// What a point is: the tip of a segment, or the base of a root.
struct Owner {
  Index segment;
  bool base;
  Index root;  // among the roots, of a base
};

double segment_mass(const Plant& plant, const Segment& s) {
  const double density = at(plant.materials, s.material).density;
  return density * stem_volume(s);
}

// By more than rounding, which a billionth of its length is far above.
bool starts_aside(const Plant& plant, Index segment) {
  const Segment& s = at(plant.segments, segment);
  if (s.parent == no_index) return false;
  const Vec3 tip{0, at(plant.segments, s.parent).length, 0};
  return length(s.base_in_parent - tip) > 1e-9 * s.length;
}

std::vector<Owner> add_points(const Plant& plant, const Pose& pose, LineGeometry& lines) {
  std::vector<Owner> owners;
  std::vector<Index> tip_point(plant.segments.size());
  std::map<std::array<double, 3>, Index> base_points;  // of roots, by their places at rest
  Index roots = 0;
  const auto add_point = [&](Index segment, bool base) {
    lines.points.push_back(point_on_segment(plant, pose, segment, base ? 0.0 : 1.0));
    owners.push_back({segment, base, base ? roots : no_index});
    return static_cast<Index>(lines.points.size() - 1);
  };
  for (Index i = 0; i < segment_count(plant); ++i) {
    const Segment& s = at(plant.segments, i);
    Index from;
    if (s.parent == no_index) {
      const Vec3& base = s.base_in_parent;
      const auto next = static_cast<Index>(lines.points.size());
      const auto [place, is_new] = base_points.try_emplace({base.x, base.y, base.z}, next);
      if (is_new) add_point(i, true);
      from = place->second;
      ++roots;
    } else {
      from = at(tip_point, s.parent);
    }
    at(tip_point, i) = add_point(i, false);
    lines.edges.push_back({from, at(tip_point, i)});
  }
  return owners;
}

// The columns that every plant has.
std::vector<Attribute> own_columns(const Plant& plant, const Pose& pose, const LineColumns& columns,
                                   const std::vector<Owner>& owners,
                                   const std::vector<Vec3>& points) {
  std::vector<Attribute> own;
  using Type = Attribute::Type;
  const auto add = [&](const char* name, Type type, int size = 1) -> Attribute& {
    own.push_back({.name = name, .type = type, .size = size, .values = {}});
    return own.back();
  };
  const auto fill = [&](const char* name, Type type, const auto& value) {
    Attribute& column = add(name, type);
    for (const Owner& o : owners)
      column.values.push_back(static_cast<double>(value(o, at(plant.segments, o.segment))));
  };
  std::vector<Index> generation(plant.segments.size(), 2);  // of the tips
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Index parent = plant.segments[i].parent;
    if (parent != no_index) generation[i] = at(generation, parent) + 1;
  }
  fill("width", Type::real, [](const Owner& o, const Segment& s) {
    return 2 * (o.base ? s.radius_base : s.radius_tip);
  });
  fill("width_base", Type::real, [](const Owner&, const Segment& s) { return 2 * s.radius_base; });
  fill("generation", Type::integer,
       [&](const Owner& o, const Segment&) { return o.base ? 1 : at(generation, o.segment); });
  fill("axis", Type::integer, [](const Owner&, const Segment& s) { return s.axis; });
  fill("order", Type::integer, [](const Owner&, const Segment& s) { return s.order; });
  fill("colour", Type::integer, [](const Owner&, const Segment& s) { return s.colour; });
  fill("kind", Type::integer,
       [](const Owner&, const Segment& s) { return static_cast<int>(s.kind); });
  fill("mass", Type::real,
       [&](const Owner& o, const Segment& s) { return o.base ? 0.0 : segment_mass(plant, s); });
  Attribute& velocity = add("v", Type::vector, 3);
  for (std::size_t p = 0; p < owners.size(); ++p) {
    Vec3 v;
    if (columns.before != nullptr && columns.interval > 0) {
      const Vec3 was =
          point_on_segment(plant, *columns.before, owners[p].segment, owners[p].base ? 0.0 : 1.0);
      v = (points[p] - was) / columns.interval;
    }
    velocity.values.insert(velocity.values.end(), {v.x, v.y, v.z});
  }
  Attribute& up = add("up", Type::vector, 3);
  for (const Owner& o : owners) {
    const Vec3 z = rotate(at(pose.world_from_segment, o.segment), {0, 0, 1});
    up.values.insert(up.values.end(), {z.x, z.y, z.z});
  }
  if (columns.base_offset) {
    Attribute& offset = add("base_offset", Type::vector, 3);
    for (const Owner& o : owners) {
      const Index parent = at(plant.segments, o.segment).parent;
      Vec3 aside;
      if (!o.base && parent != no_index && starts_aside(plant, o.segment)) {
        aside = at(pose.base_world, o.segment) - point_on_segment(plant, pose, parent, 1);
      }
      offset.values.insert(offset.values.end(), {aside.x, aside.y, aside.z});
    }
  }
  return own;
}

// A column that came with the plant, for its points. Where nothing is known of a root's base, it is what
// the writer's own column of that name has, or else what its segment has.
Attribute point_column(const Attribute& a, const Attribute* starts, const Attribute* own,
                       const std::vector<Owner>& owners) {
  Attribute column = a;
  column.values.clear();
  for (std::size_t p = 0; p < owners.size(); ++p) {
    const Owner& o = owners[p];
    if (o.base && starts != nullptr) {
      copy_element(*starts, as_size(o.root), column);
    } else if (o.base && own != nullptr && own->size == a.size && own->words.empty() &&
               a.words.empty()) {
      copy_element(*own, p, column);
    } else {
      copy_element(a, as_size(o.segment), column);
    }
  }
  return column;
}

// Lines have no gaps.
void fill_gaps(Attribute& column) {
  for (double& value : column.values) value = std::isnan(value) ? 0 : value;
}

}  // namespace

bool starts_aside(const Plant& plant) {
  for (Index i = 0; i < segment_count(plant); ++i) {
    if (starts_aside(plant, i)) return true;
  }
  return false;
}

LineGeometry lines_from_plant(const Plant& plant, const Pose& pose, const LineColumns& columns) {
  LineGeometry lines;
  const std::vector<Owner> owners = add_points(plant, pose, lines);
  std::vector<Attribute>& own = lines.point_attributes;
  own = own_columns(plant, pose, columns, owners, lines.points);
  std::vector<Attribute> foreign;
  std::map<std::pair<std::string_view, int>, const Attribute*> starts;
  for (const Attribute& s : columns.start_attributes) starts[{s.name, s.size}] = &s;
  for (const Attribute& a : columns.attributes) {
    if (a.on_lines) {
      lines.edge_attributes.push_back(a);
      fill_gaps(lines.edge_attributes.back());
      continue;
    }
    const bool follows_pose = a.name == "v" || a.name == "up";
    if (a.name == "width" || a.name == "width_base" || (columns.moved && follows_pose)) continue;
    const auto same =
        std::find_if(own.begin(), own.end(), [&](const Attribute& o) { return o.name == a.name; });
    const auto start = starts.find({a.name, a.size});
    Attribute column = point_column(a, start == starts.end() ? nullptr : start->second,
                                    same == own.end() ? nullptr : &*same, owners);
    fill_gaps(column);
    if (same == own.end()) {
      foreign.push_back(std::move(column));
    } else {
      *same = std::move(column);
    }
  }
  // Houdini's name of the same thing.
  const auto is_named = [](const char* name) {
    return [name](const Attribute& a) { return a.name == name; };
  };
  if (std::any_of(foreign.begin(), foreign.end(), is_named("gen")) &&
      std::none_of(columns.attributes.begin(), columns.attributes.end(), is_named("generation"))) {
    std::erase_if(own, is_named("generation"));
  }
  own.insert(own.end(), foreign.begin(), foreign.end());
  return lines;
}

}  // namespace thigmo
