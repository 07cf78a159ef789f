#pragma once

#include <vector>

#include "mesh/mesh_options.h"

namespace thigmo {

// A run of segments that is drawn as one tube: an axis, continued through forks where the axis
// itself ends but a child goes on in about its direction, and ended where it turns too sharply.
struct Tube {
  std::vector<Index> segments;
  std::vector<char> bears;  // of each, whether branches or organs sit near the joint at its end
};

// Whether any of its segments is flat: a flat rod, or a stem of elliptic section.
bool is_flat(const Plant& plant, const Tube& tube);

// Every segment is in exactly one tube; tubes are sorted by their first segment.
std::vector<Tube> find_tubes(const Plant& plant, const MeshOptions& options = {});

}  // namespace thigmo
