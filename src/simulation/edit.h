#pragma once

// Changes of a world between two steps. Positions and velocities of all points stay, and so does the momentum
// of what is there; an edit that is refused has changed nothing.

#include <limits>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "base/result.h"
#include "material/material.h"
#include "thigmo/ids.h"

namespace thigmo {

struct Simulation;

// Cuts through a segment. What is beyond becomes plants of their own, which nothing holds: one, but for a cut at
// the very tip, where all that stands there comes apart.
struct Cut {
  SegmentId segment;
  double along = 0;  // 0: the joint at its base, 1: its tip
};

// Takes a segment away, with all that stands on it.
struct RemoveSegment {
  SegmentId segment;
};
struct RemovePlant {
  PlantId plant;
};

// Joins a plant by its root to a point of a segment of another.
struct Graft {
  PlantId scion;
  SegmentId onto;
  double along = 1;
  bool as_before =
      true;  // joined again where it was cut: as before the cut. Else at rest as it is now
  bool carry = false;  // brings it there; else it must be there
};

// Makes an end longer.
struct Extend {
  SegmentId segment;
  double by = 0;  // [m]
};

// Lays new wood around segments. It bears nothing yet: joints keep their moments.
struct Thicken {
  std::vector<SegmentId> segments;
  double factor = 1;  // of the radii
};

// Factors of what segments have, and another wood.
struct Change {
  std::vector<SegmentId> segments;
  std::optional<PlantId> plant = {};  // instead: all of its segments
  double stiffness = 1;               // of the joints at their bases
  double mass = 1;
  double damping = 1;  // damper over spring
  double creep = 0;    // part of the joints' present angles that becomes their rest
  std::optional<Material> material = {};
};

using Edit = std::variant<Cut, RemoveSegment, RemovePlant, Graft, Extend, Thicken, Change>;

// A segment that was cut through: the lower part kept the name.
struct SegmentSplit {
  SegmentId lower, upper;
  double along = 0;  // where, of its length
};

// An energy that was not counted.
inline constexpr double no_count = std::numeric_limits<double>::quiet_NaN();

// What an edit did.
struct EditResult {
  std::vector<PlantId> pieces;       // plants that it made
  std::vector<SegmentSplit> splits;  // segments that it divided
  std::vector<SegmentSplit> joins;   // and made whole again
  // Of all that it concerned [J]. Counting costs more than the edit: none where no account is kept.
  double energy_before = no_count, energy_after = no_count;
};

Result<EditResult> apply_edit(const Edit& edit, Simulation& simulation);

}  // namespace thigmo
