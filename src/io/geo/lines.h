#pragma once

#include <array>

#include "base/budget.h"
#include "io/tables/segment_table.h"

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

}  // namespace thigmo
