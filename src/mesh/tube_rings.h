#pragma once

#include <array>
#include <vector>

#include "mesh/tube.h"

namespace thigmo {

// One cross-section of a tube at rest.
struct Ring {
  Vec3 centre_world;   // [m]
  Vec3 tangent_world;  // unit, along the tube
  double radius = 0;   // [m]; of a flat section, half its width
  double along = 0;    // arc length from the tube's start [m]
  std::array<Index, 2> joint{no_index, no_index};
  std::array<float, 2> weight{1, 0};
  Index segment = no_index;  // that it belongs to most
};

// The rings of a tube, from its start to its tip. A side branch starts inside its parent, running
// along with it before it turns out, so that its start is hidden in every pose; one that turns back
// starts on its parent's middle line. Bends are rounded by three or five rings.
// No ring cuts its neighbour.
std::vector<Ring> tube_rings(const Plant& plant, const Pose& rest, const Tube& tube,
                             const MeshOptions& options = {});

// The segments of a run, by their places in it, that no ring fits on above the rings before: it turns
// back there, and has no room to do so.
std::vector<std::size_t> sharp_turns(const Plant& plant, const Pose& rest, const Tube& run,
                                     const MeshOptions& options);

// The bark's colour at a ring: that of the segments that carry it, mixed.
Vec3f ring_colour(const Plant& plant, const Ring& ring);

// Where a ring's middle is when the plant has moved.
Vec3 ring_centre(const Ring& ring, const Pose& rest, const Pose& pose);

}  // namespace thigmo
