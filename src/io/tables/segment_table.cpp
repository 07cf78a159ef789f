#include "io/tables/segment_table.h"
#include "material/species.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace thigmo {
namespace {

// z up becomes y up by a quarter turn about x.
Vec3 turned(const Vec3& v, const ImportOptions& options) {
  return options.up.value_or(UpAxis::y) == UpAxis::z ? Vec3{v.x, v.z, -v.y} : v;
}

Vec3 oriented(const Vec3& p, const ImportOptions& options) {
  return turned(p * options.scale, options);
}

bool is_vector(const Attribute& a) { return a.size == 3 && a.type != Attribute::Type::word; }

// Turns directions with the plant and scales what is a length.
void orient_columns(std::vector<Attribute>& attributes, const ImportOptions& options) {
  for (Attribute& a : attributes) {
    const double factor = a.name == "v" || a.name == "pscale" ? options.scale : 1.0;
    if (a.type == Attribute::Type::vector && is_vector(a)) {
      for (std::size_t i = 0; i + 2 < a.values.size(); i += 3) {
        const Vec3 v = turned({a.values[i], a.values[i + 1], a.values[i + 2]}, options) * factor;
        a.values[i] = v.x;
        a.values[i + 1] = v.y;
        a.values[i + 2] = v.z;
      }
    } else if (factor != 1 && a.type != Attribute::Type::word) {
      for (double& value : a.values) value *= factor;
    }
  }
}

// The frame of a piece along the unit vector y whose z is as near to `up` as can be; none where `up`
// leans by more than 6° from across the piece: then it says something else than how the piece is rolled.
std::optional<Quat> frame_from_up(const Vec3& y, const Vec3& up) {
  const double along = dot(up, y), size = length(up);
  if (!(size > 0) || !(std::abs(along) <= 0.1 * size)) return std::nullopt;
  const Vec3 z = normalized(up - y * along);
  return quat_from_columns(cross(y, z), y, z);
}

// Rows without length are skipped: each row's nearest ancestor with a length.
struct Links {
  std::vector<bool> kept;
  std::vector<Index> parent;                 // among kept rows
  std::vector<std::vector<Index>> children;  // in row order
  std::vector<Index> roots;
  std::size_t skipped = 0;
};

// A row on a loop of parents, or -1. Each row is walked once: state 1 is on the current path.
Index find_loop(const SegmentTable& table) {
  std::vector<char> state(table.rows.size(), 0);
  for (std::size_t start = 0; start < table.rows.size(); ++start) {
    Index i = static_cast<Index>(start);
    while (i != no_index && at(state, i) == 0) {
      at(state, i) = 1;
      i = at(table.rows, i).parent;
    }
    if (i != no_index && at(state, i) == 1) return i;
    for (i = static_cast<Index>(start); i != no_index && at(state, i) == 1;) {
      at(state, i) = 2;
      i = at(table.rows, i).parent;
    }
  }
  return no_index;
}

Links link_rows(const SegmentTable& table) {
  const std::size_t count = table.rows.size();
  Links links;
  links.kept.resize(count);
  links.parent.assign(count, no_index);
  links.children.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const SegmentRow& row = table.rows[i];
    links.kept[i] = length(row.end_world - row.start_world) > 0;
    links.skipped += !links.kept[i];
  }
  // The nearest kept row above each that is skipped, found once: -2 is not known yet.
  constexpr Index unknown = -2;
  std::vector<Index> above(count, unknown);
  std::vector<Index> path;
  const auto nearest_kept = [&](Index row) {
    while (row != no_index && !at(links.kept, row) && at(above, row) == unknown) {
      path.push_back(row);
      row = at(table.rows, row).parent;
    }
    if (row != no_index && !at(links.kept, row)) row = at(above, row);
    for (; !path.empty(); path.pop_back()) at(above, path.back()) = row;
    return row;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (!links.kept[i]) continue;
    const Index parent = nearest_kept(table.rows[i].parent);
    links.parent[i] = parent;
    if (parent == no_index) {
      links.roots.push_back(static_cast<Index>(i));
    } else {
      at(links.children, parent).push_back(static_cast<Index>(i));
    }
  }
  return links;
}

// For each row the number of the root it grows from, among rows without a parent.
std::vector<Index> number_starts(const SegmentTable& table) {
  std::vector<Index> number(table.rows.size(), no_index);
  Index roots = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].parent == no_index) number[i] = roots++;
  }
  std::vector<Index> path;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    Index row = static_cast<Index>(i);
    for (; at(number, row) == no_index; row = at(table.rows, row).parent) path.push_back(row);
    for (; !path.empty(); path.pop_back()) at(number, path.back()) = at(number, row);
  }
  return number;
}

std::vector<Index> depth_first(const Links& links) {
  std::vector<Index> order;
  std::vector<Index> stack(links.roots.rbegin(), links.roots.rend());
  while (!stack.empty()) {
    const Index row = stack.back();
    stack.pop_back();
    order.push_back(row);
    const std::vector<Index>& children = at(links.children, row);
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  return order;
}

// How far a piece starts from the one it stands on. Scans leave gaps of some radii, and a twig may be
// measured beside its branch; but what is farther than all wood of the tree together could reach is no
// tree, and what is farther than a part of its height deserves a word.
Result<Done> check_gaps(const SegmentTable& table, const Links& links,
                        const std::vector<Index>& order, std::string_view file,
                        std::vector<std::string>& notes) {
  constexpr double large = 0.05;  // of the longest way across the tree
  double wood = 0;
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Index row : order) {
    const SegmentRow& r = at(table.rows, row);
    wood += length(r.end_world - r.start_world);
    for (const Vec3& p : {r.start_world, r.end_world}) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  const double across = length(high - low);
  std::size_t gaps = 0;
  Index worst = no_index;
  double widest = 0;
  for (const Index row : order) {
    const Index parent = at(links.parent, row);
    if (parent == no_index) continue;
    const SegmentRow &r = at(table.rows, row), &p = at(table.rows, parent);
    const Vec3 along = p.end_world - p.start_world, to = r.start_world - p.start_world;
    const double t = std::clamp(dot(to, along) / dot(along, along), 0.0, 1.0);
    const double gap = length(to - along * t);
    const double thick = std::max(p.radius_start.value_or(0), p.radius_end.value_or(0));
    if (gap > wood) {
      Diagnostic torn{.message = fmt::format("piece {} starts {:.3g} from piece {} that it stands "
                                             "on, farther than all {} pieces together are long",
                                             row + 1, gap, parent + 1, order.size()),
                      .file = std::string(file),
                      .line = r.line,
                      .hint = "check its parent and its coordinates"};
      return torn;
    }
    if (!(gap > large * across) || !(gap > 2 * thick)) continue;
    ++gaps;
    if (gap > widest) {
      widest = gap;
      worst = row;
    }
  }
  if (gaps > 0) {
    const int line = at(table.rows, worst).line;
    notes.push_back(
        fmt::format("{} pieces start far from the piece that they stand on: piece {}{} by {:.3g}",
                    gaps, worst + 1, line > 0 ? fmt::format(" (line {})", line) : "", widest));
  }
  return Done{};
}

// Radii that the file leaves open.
void complete_radii(const SegmentTable& table, const Links& links, const ImportOptions& options,
                    const std::vector<Index>& order, double height, Plant& plant,
                    std::vector<std::string>& notes) {
  std::vector<int> generation(table.rows.size(), 1);
  for (const Index row : order) {
    const Index parent = at(links.parent, row);
    if (parent != no_index) at(generation, row) = at(generation, parent) + 1;
  }
  const auto guess = [&](int steps) {
    return options.thickness * height * std::max(0.1, 1.0 / std::max(1, steps));
  };
  std::size_t guessed = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const SegmentRow& row = at(table.rows, order[i]);
    const int steps = at(generation, order[i]);
    const auto known = [](const std::optional<double>& r) { return r && *r > 0; };
    const double start = known(row.radius_start) ? *row.radius_start * options.scale
                         : known(row.radius_end) ? *row.radius_end * options.scale
                                                 : guess(steps);
    const double end = row.radius_end && *row.radius_end >= 0 ? *row.radius_end * options.scale
                       : known(row.radius_start)              ? start
                                                              : guess(steps + 1);
    guessed += !known(row.radius_start) && !known(row.radius_end);
    plant.segments[i].radius_base = start;
    plant.segments[i].radius_tip = end;
  }
  if (guessed > 0) {
    notes.push_back(
        fmt::format("{} of {} pieces had no width; it was completed from their "
                    "generation",
                    guessed, order.size()));
  }
}

// The child that goes on as the same axis: the thickest, then the one with the largest subtree.
void number_axes(Plant& plant) {
  const std::vector<Index> sizes = subtree_sizes(plant);
  std::vector<Index> next(plant.segments.size(), no_index);
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Index parent = plant.segments[i].parent;
    if (parent == no_index) continue;
    Index& best = at(next, parent);
    const auto rank = [&](Index s) {
      return std::pair(at(plant.segments, s).radius_base, at(sizes, s));
    };
    if (best == no_index || rank(static_cast<Index>(i)) > rank(best)) best = static_cast<Index>(i);
  }
  Index axes = 0;
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    Segment& s = plant.segments[i];
    const bool goes_on = s.parent != no_index && at(next, s.parent) == static_cast<Index>(i);
    s.axis = goes_on ? at(plant.segments, s.parent).axis : axes++;
    if (s.parent != no_index) s.order = at(plant.segments, s.parent).order + !goes_on;
  }
}

// Takes a column over into the segments where every value is a small whole number.
template <class Set>
void take_over(const std::vector<Attribute>& attributes, std::string_view name, double most,
               Plant& plant, const Set& set) {
  const Attribute* column = find_attribute(attributes, name);
  if (column == nullptr || column->size != 1 || column->type == Attribute::Type::word) return;
  const auto fits = [most](double v) { return v >= 0 && v <= most && v == std::floor(v); };
  if (!std::all_of(column->values.begin(), column->values.end(), fits)) return;
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    set(plant.segments[i], static_cast<Index>(column->values[i]));
  }
}

// What is to be said of rows that are left out, and of several roots.
void note_rows(const SegmentTable& table, const Links& links, std::vector<std::string>& notes) {
  if (links.skipped > 0)
    notes.push_back(fmt::format("{} pieces had no length and were left out", links.skipped));
  // Pieces that start from one point are one plant that forks at its root.
  std::set<std::array<double, 3>> starts;
  for (const Index root : links.roots) {
    const Vec3& p = at(table.rows, root).start_world;
    starts.insert({p.x + 0.0, p.y + 0.0, p.z + 0.0});
  }
  if (starts.size() > 1)
    notes.push_back(fmt::format("there are {} roots: each is a stem of its own", starts.size()));
}

// Whether the rows can be a plant.
Result<Done> check_rows(const SegmentTable& table, std::string_view file) {
  const auto failure = [&](std::string message, int line) {
    return Diagnostic{.message = std::move(message), .file = std::string(file), .line = line};
  };
  if (const Index row = find_loop(table); row != no_index) {
    const int line = at(table.rows, row).line;
    return failure(fmt::format("{} is its own ancestor",
                               line > 0 ? "this row" : fmt::format("piece {}", row + 1)),
                   line);
  }
  for (const SegmentRow& row : table.rows) {
    for (const std::optional<double>& radius : {row.radius_start, row.radius_end}) {
      if (radius && *radius < 0)
        return failure(fmt::format("a radius cannot be {}", *radius), row.line);
    }
  }
  return Done{};
}

// Where the segments of a growing plant are.
struct Frames {
  std::vector<Index> segment_of;  // each row
  std::vector<Vec3> base;         // of each segment [m]
  std::vector<Quat> world_from_segment;
};

// Adds a row's segment, straight from its start to its end.
void add_segment(const SegmentTable& table, const Links& links, const ImportOptions& options,
                 Index row, const Attribute* up, Frames& frames, Plant& plant) {
  const Vec3 start = oriented(at(table.rows, row).start_world, options);
  const Vec3 along = oriented(at(table.rows, row).end_world, options) - start;
  Segment segment;
  segment.length = length(along);
  const Index parent_row = at(links.parent, row);
  Quat world_from_parent;
  if (parent_row != no_index) {
    segment.parent = at(frames.segment_of, parent_row);
    world_from_parent = at(frames.world_from_segment, segment.parent);
    segment.base_in_parent =
        rotate(conjugate(world_from_parent), start - at(frames.base, segment.parent));
  } else {
    segment.base_in_parent = start;
  }
  const Vec3 direction = along / segment.length;
  std::optional<Quat> given;
  if (up != nullptr && is_vector(*up)) {
    const double* values = &up->values[3 * as_size(row)];
    given = frame_from_up(direction, turned({values[0], values[1], values[2]}, options));
  }
  // Parallel transport: no twist against the parent.
  segment.parent_from_segment =
      given ? normalized(conjugate(world_from_parent) * *given)
            : rotation_between({0, 1, 0}, rotate(conjugate(world_from_parent), direction));
  at(frames.segment_of, row) = static_cast<Index>(plant.segments.size());
  plant.segments.push_back(segment);
  frames.base.push_back(start);
  frames.world_from_segment.push_back(normalized(world_from_parent * segment.parent_from_segment));
}

// The columns of the rows that became segments, in the segments' order.
void copy_columns(const SegmentTable& table, const Links& links, const std::vector<Index>& order,
                  const ImportOptions& options, ImportedPlant& imported) {
  imported.attributes = empty_like(table.attributes);
  imported.start_attributes = empty_like(table.start_attributes);
  const std::vector<Index> starts = number_starts(table);
  for (const Index row : order) {
    for (std::size_t a = 0; a < table.attributes.size(); ++a)
      copy_element(table.attributes[a], as_size(row), imported.attributes[a]);
    if (at(links.parent, row) != no_index) continue;
    for (std::size_t a = 0; a < table.start_attributes.size(); ++a)
      copy_element(table.start_attributes[a], static_cast<std::size_t>(at(starts, row)),
                   imported.start_attributes[a]);
  }
  orient_columns(imported.attributes, options);
  orient_columns(imported.start_attributes, options);
}

// The plant's height, or the length of its longest segment where that is more [m].
double reach_of(const SegmentTable& table, const std::vector<Index>& order,
                const ImportOptions& options, const Plant& plant) {
  double low = 1e300, high = -1e300;
  for (const Index row : order) {
    const Vec3 start = oriented(at(table.rows, row).start_world, options);
    const Vec3 along = oriented(at(table.rows, row).end_world, options) - start;
    low = std::min({low, start.y, start.y + along.y});
    high = std::max({high, start.y, start.y + along.y});
  }
  double reach = high - low;
  for (const Segment& s : plant.segments) reach = std::max(reach, s.length);
  return reach;
}

}  // namespace

Result<ImportedPlant> plant_from_table(const SegmentTable& table, const ImportOptions& options,
                                       std::string_view file) {
  const auto failure = [&](std::string message, int line = 0) {
    return Diagnostic{.message = std::move(message), .file = std::string(file), .line = line};
  };
  if (const Result<Done> done = check_rows(table, file); !done) return done.diagnostics();
  const Links links = link_rows(table);
  const std::vector<Index> order = depth_first(links);
  if (order.empty()) return failure("there is no line to make a plant of");
  ImportedPlant imported{.notes = table.notes};
  if (const Result<Done> done = check_gaps(table, links, order, file, imported.notes); !done)
    return done.diagnostics();
  const Species* species = find_species(options.species);
  if (species == nullptr) return failure(fmt::format("there is no species '{}'", options.species));
  note_rows(table, links, imported.notes);

  Plant& plant = imported.plant;
  plant.name = table.name;
  plant.materials.push_back(material_from(*species));
  const Attribute* up = find_attribute(table.attributes, "up");
  Frames frames{.segment_of = std::vector<Index>(table.rows.size(), no_index)};
  for (const Index row : order) {
    add_segment(table, links, options, row, up, frames, plant);
    if (!std::isfinite(plant.segments.back().length))
      return failure("a coordinate is too large", at(table.rows, row).line);
  }
  copy_columns(table, links, order, options, imported);
  complete_radii(table, links, options, order, reach_of(table, order, options, plant), plant,
                 imported.notes);
  number_axes(plant);
  take_over(imported.attributes, "axis", 2e9, plant, [](Segment& s, Index v) { s.axis = v; });
  take_over(imported.attributes, "order", 2e9, plant, [](Segment& s, Index v) { s.order = v; });
  take_over(imported.attributes, "colour", 2e9, plant, [](Segment& s, Index v) { s.colour = v; });
  take_over(imported.attributes, "kind", 5, plant,
            [](Segment& s, Index v) { s.kind = static_cast<OrganKind>(v); });
  if (const Result<Done> sound = check_structure(plant); !sound)
    return failure(sound.diagnostics().front().message);
  return imported;
}

}  // namespace thigmo
