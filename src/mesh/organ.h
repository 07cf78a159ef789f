#pragma once

#include <cstdint>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/mesh_options.h"

namespace thigmo {

// How a leaf is made. Half width of the blade at t in 0..1 from its foot:
//   w(t) = width/2 · t^foot (1-t)^point / max · (1 + lobe cos(2π lobes t))
// A point of the blade at s in -1..1 across lies behind the midrib's by sweep · |s| w(t) (1-t).
struct LeafForm {
  double foot = 0.55;     // small: broad, rounded foot
  double point = 0.9;     // small: rounded tip
  double petiole = 0.16;  // stalk, part of the whole length
  double droop = 0.22;    // how far the tip hangs below the foot's tangent, part of the length
  double fold = 0.25;     // rise of the margins over the midrib, part of the half width
  double sweep = 0.0;     // above 0: the foot is a heart's; below 0: lobes point to the tip
  double lobe = 0.0;      // depth of the lobes, part of the half width
  int lobes = 0;
};

// By the turtle's organ numbers: 4 needle, 5 grass blade, 6 heart, 7 lobed, 8 petal; any other is ovate.
LeafForm leaf_form(Index shape);

// A single petal, of which a grammar builds flowers of its own.
bool is_petal(const Organ& organ);

// `rows` pieces along a blade; `number` varies the colour and the waves of the margins.
OrganSurface make_organ(const Organ& organ, Index number, int rows);

// How finely an organ is made: what is large beside its plant is seen near. `reach` is the plant's
// larger extent [m].
int organ_rows(const Organ& organ, double reach, const MeshOptions& options);

// Normals as the area-weighted mean of the triangles around a vertex, and tangents along u.
void compute_normals(OrganSurface& shape);
void compute_tangents(OrganSurface& shape);

// Whether the user gives meshes for organs like this one.
bool has_user_mesh(const Organ& organ, const MeshOptions& options);

// What an organ is drawn as: which of the plant's it is, what varies its look, how finely it is made.
struct OrganLook {
  Index organ = no_index;
  Index number = 0;
  int rows = 5;
};

// What a mesh for organs that is read from a file may be. It stands on every leaf of a tree, so that it has
// less memory than other files [bytes]; areas and lengths of its triangles are finite.
inline constexpr double most_organ_bytes = 1e9;
inline constexpr double farthest_vertex = 1e15;  // of its coordinates, in any unit

// The user's mesh, or one made for it, in the organ's frame.
OrganSurface drawn_organ(const Organ& organ, const OrganLook& look, const MeshOptions& options);

// The plant's larger extent, by which organs are made finer [m].
double plant_reach(const Plant& plant, const Pose& rest);

// Adds an organ in the rest pose, fixed rigidly to its segment.
void add_organ(const Organ& organ, const OrganLook& look, const MeshOptions& options,
               SkinnedMesh& mesh);

}  // namespace thigmo
