#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mesh/tube.h"

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
  // Height over width at each ring of a lath or an ellipse; empty: round.
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

// How many sides each tube has.
std::vector<int> sides_of_tubes(const Plant& plant, std::span<const Tube> tubes,
                                const MeshOptions& options);

// The tubes to draw, parents first. Where options.weld is set, a side branch begins at a ring just
// outside its parent's wall, and the parent has a hole there, whose rim and that ring are to be
// joined. A branch stays a closed tube that stands in its parent where this cannot be done well: it
// is as thick as the parent, clings to it, meets another branch's hole, or either is flat.
std::vector<TubeShape> tube_shapes(const Plant& plant, const Pose& rest,
                                   const MeshOptions& options);

// Adds a shape to the mesh, closed at its tip, and at its start by a disc or by what joins it to its
// parent, which must be drawn before.
void draw_tube(const Plant& plant, const std::vector<TubeShape>& shapes, TubeShape& shape,
               SkinnedMesh& mesh);

}  // namespace thigmo
