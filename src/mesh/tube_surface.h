#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mesh/tube_rings.h"

namespace thigmo {

// A block of a tube's wall that is left out: between two rings, given by where they stand along the
// tube, and over some columns of its sides.
struct WallHole {
  double low = 0, high = 0;  // [m], of rings of the tube
  int column_first = 0, column_count = 0;
};

// A tube that is ready to be drawn, with the holes that branches are stitched to and the hole of its
// parent that it is stitched to itself.
struct TubeShape {
  Index first_segment = no_index;
  int sides = 0;
  bool rectangle = false;
  // Height over width at each ring of a flat rod or an ellipse; empty: round.
  std::vector<double> flatness;
  std::vector<Ring> rings;
  std::vector<Vec3> across_world;  // x axes of the rings, transported along the tube
  std::vector<WallHole> holes;
  struct Stitch {
    std::size_t parent = 0;  // shape
    std::size_t hole = 0;    // of the parent
  };
  std::optional<Stitch> stitch;
  std::vector<std::uint32_t> ring_vertices;  // where each ring is in the mesh, once it is drawn
};

// A tube by itself.
TubeShape tube_shape(const Plant& plant, const Pose& rest, const Tube& tube, int sides,
                     const MeshOptions& options);

// The x axes of the rings by parallel transport: the smallest rotation from tangent to tangent, so
// that no ring twists against its neighbour. They begin with that of the tube's first segment.
std::vector<Vec3> transported_across(std::span<const Ring> rings, const Pose& rest, Index first);

// Adds a shape to the mesh, closed at its tip, and at its start by a disc or by what joins it to its
// parent, which must be drawn before.
void draw_tube(const Plant& plant, const std::vector<TubeShape>& shapes, TubeShape& shape,
               SkinnedMesh& mesh);

// Adds one tube to the mesh, closed at both ends.
void add_tube(const Plant& plant, const Tube& tube, int sides, const MeshOptions& options,
              SkinnedMesh& mesh);

}  // namespace thigmo
