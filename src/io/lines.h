#pragma once

#include <array>
#include <span>

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

// Finds the tree in the lines as in Hampshire 2009, 4.1: in each connected part the root is the
// point of the lowest generation (of the lowest number where the file has none), and everything is
// directed away from it. Points at the same place are one. Edges that close a loop are left out;
// so are doubled ones; both are noted. Widths are diameters: `width`, and `width_base` for where a
// line starts if it differs, or `pscale`, a radius.
SegmentTable table_from_lines(const LineGeometry& lines);

// Per-segment columns that go out with a plant beside what every writer adds.
struct LineColumns {
  const Pose* before = nullptr;  // the pose one frame earlier, for velocities
  double interval = 0;           // [s] between the two
  std::span<const Attribute> attributes = {};
};

// A plant in a pose as lines: a point at the base of every root and at the tip of every segment,
// with the columns width, width_base, generation, axis, order, colour, kind, mass [kg], v [m/s], up.
LineGeometry lines_from_plant(const Plant& plant, const Pose& pose,
                              const LineColumns& columns = {});

}  // namespace thigmo
