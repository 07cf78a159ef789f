#pragma once

#include <array>
#include <span>

#include "base/budget.h"
#include "io/segment_table.h"
#include "plant/motion.h"

namespace thigmo {

// Points joined by lines, with columns of both: what OBJ and GEO hold.
struct LineGeometry {
  std::vector<Vec3> points;
  std::vector<std::array<Index, 2>> edges;
  std::vector<Attribute> point_attributes;
  std::vector<Attribute> edge_attributes;
};

// Gives every edge the columns of the primitive it belongs to: `primitive_of_edge` has its number. A
// polygon of many points has one row of columns, and its edges have it each, so the budget is asked first.
Result<Done> spread_columns(const std::vector<Attribute>& primitive_attributes,
                            const std::vector<Index>& primitive_of_edge, Budget& budget,
                            LineGeometry& lines);

// Memory for an edge without columns beside that for its piece, until it is one or left out.
inline constexpr double bytes_of_edge = 48;

// Finds the tree in the lines as in Hampshire 2009, 4.1: in each connected part the root is the
// point of the lowest `generation` or `gen` (of the lowest number where the file has none), and everything is
// directed away from it. Points at the same place are one. Edges that close a loop are left out;
// so are doubled ones; both are noted. Widths are diameters: `width`, and `width_base` for where a
// line starts if it differs, or `pscale`, a radius. `base_offset` is a vector from where a line starts to
// where its piece does.
SegmentTable table_from_lines(const LineGeometry& lines);

// Columns that go out with a plant beside what every writer adds.
struct LineColumns {
  const Pose* before = nullptr;                // the pose one frame earlier, for velocities
  double interval = 0;                         // [s] between the two
  bool moved = false;                          // the plant may be elsewhere than its columns say
  bool base_offset = false;                    // see starts_aside
  std::span<const Attribute> attributes = {};  // one element a segment
  std::span<const Attribute> start_attributes = {};  // one element for each root, of its base
};

// Whether a segment starts elsewhere than at its parent's tip. Lines can only join points, so it is drawn
// from there all the same, and the column `base_offset` says how far it starts from it.
bool starts_aside(const Plant& plant);

// A plant in a pose as lines: a point at the base of every root (one for roots at the same place) and at
// the tip of every segment, with the columns width, width_base, generation (1 at the base), axis, order,
// colour, kind, mass [kg], v [m/s], up. Columns of the same names that it came with stand instead, but
// for widths, and for v and up of a plant that moved.
LineGeometry lines_from_plant(const Plant& plant, const Pose& pose,
                              const LineColumns& columns = {});

}  // namespace thigmo
