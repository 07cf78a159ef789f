#pragma once

#include <array>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace thigmo {

// A run of segments that is drawn as one tube: an axis, continued through forks where the axis
// itself ends but a child goes on in about its direction, and ended where it turns too sharply.
struct Tube {
  std::vector<Index> segments;
  std::vector<char> bears;  // of each, whether branches or organs sit near the joint at its end
};

// Whether any of its segments is flat: a lath, or a stem of elliptic section.
bool is_flat(const Plant& plant, const Tube& tube);

// Every segment is in exactly one tube; tubes are sorted by their first segment.
std::vector<Tube> find_tubes(const Plant& plant, const MeshOptions& options = {});

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

// The x axes of the rings by parallel transport: the smallest rotation from tangent to tangent, so
// that no ring twists against its neighbour. They begin with that of the tube's first segment.
std::vector<Vec3> transported_across(std::span<const Ring> rings, const Pose& rest, Index first);

// Where a ring's middle is when the plant has moved.
Vec3 ring_centre(const Ring& ring, const Pose& rest, const Pose& pose);

// Adds one tube to the mesh, closed at both ends.
void add_tube(const Plant& plant, const Tube& tube, int sides, const MeshOptions& options,
              SkinnedMesh& mesh);

}  // namespace thigmo
