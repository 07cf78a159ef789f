#pragma once

#include <vector>

#include "mesh/mesh.h"

namespace thigmo {

// A mesh to use for all organs of one kind, scaled to their length along y.
struct UserOrgan {
  OrganKind kind = OrganKind::leaf;
  bool petals = false;  // of kind flower: single petals, or whole flowers
  OrganSurface surface;
};

struct MeshOptions {
  bool tubes = true;
  bool organs = true;
  int sides_min = 4;      // around the thinnest twig, at least 3
  int sides_max = 12;     // around the thickest stem
  int leaf_rows = 5;      // along a leaf's blade, at least 2
  double root_flare = 0;  // how much wider the foot of a stem is than its radius, 0.5: half more
  double min_radius = 0;  // tubes that are thinner everywhere, with all they bear, are left out [m]
  double leaf_share = 1;  // part of the leaves kept; they grow so that their area stays the same
  double collar = 0.35;   // how much wider a side branch is where it leaves its parent
  double nose = 4;        // tips narrow from so many radii below; 0: they are half balls
  bool weld = false;      // side branches are stitched to a hole in their parent's wall
  bool tangents = false;  // files that can hold them do
  bool joint_rings = true;  // three rings also at straight joints, which bend when they move
  std::vector<UserOrgan> user_organs = {};
};

}  // namespace thigmo
