#pragma once

#include <cstdint>
#include <vector>

#include "mesh/mesh.h"

namespace thigmo {

// How a leaf is made. Half width of the blade at t in 0..1 from its foot:
//   w(t) = width/2 · t^foot (1-t)^point / max · (1 + lobe cos(2π lobes t))
struct LeafForm {
  double foot = 0.55;     // small: broad, rounded foot
  double point = 0.9;     // small: rounded tip
  double petiole = 0.16;  // stalk, part of the whole length
  double droop = 0.22;    // how far the tip hangs below the foot's tangent, part of the length
  double fold = 0.25;     // rise of the margins over the midrib, part of the half width
  double lobe = 0.0;      // depth of the lobes, part of the half width
  int lobes = 0;
};

// By the turtle's organ numbers: 4 needle, 5 grass blade, 6 heart, 7 lobed; any other is ovate.
LeafForm leaf_form(Index shape);

// `rows` pieces along a blade; `number` varies the colour.
OrganSurface make_organ(const Organ& organ, Index number, int rows);

// Normals as the area-weighted mean of the triangles around a vertex, and tangents along u.
void compute_normals(OrganSurface& shape);
void compute_tangents(OrganSurface& shape);

// Adds an organ in the rest pose, fixed rigidly to its segment.
void add_organ(const Organ& organ, Index number, const MeshOptions& options, SkinnedMesh& mesh);

}  // namespace thigmo
