#pragma once

#include <span>

#include "io/geo/lines.h"

namespace thigmo {

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
