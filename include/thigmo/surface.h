#pragma once

// How the surface of plants is made, the one description that the API, scenarios and the command line share,
// and surfaces for programs that draw plants themselves. A key's name is `leaf_share` in a scenario and
// `--leaf-share` on the command line.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "thigmo/base.h"

namespace thigmo {

// A mesh to draw all organs of a kind with: y along, z out of the upper face, scaled evenly to each
// organ's length.
struct OrganMesh {
  std::string kind;  // one of organ_kind_names
  std::string file;  // .obj, .glb or .gltf
};
inline constexpr std::array organ_kind_names{"leaf", "flower", "petal", "fruit", "bud"};

// How finely the surface of plants is made.
struct SurfaceDetail {
  int sides = 12;         // around the thickest stem; thinner ones have fewer, 3 at least
  double min_radius = 0;  // stems that are thinner everywhere are left out [m]
  double leaf_share = 1;  // part of the leaves kept, each larger so that their area stays
  double root_flare = 0;  // how much wider the foot of a stem is: 0.5 is half more
  bool weld = false;      // side branches and their parents are one surface, where that can be
  bool tangents = false;  // GLB gets them too, for normal maps
  std::vector<OrganMesh> organs = {};
};

// A number or a switch of the detail.
struct SurfaceKey {
  std::string_view name;
  std::variant<int SurfaceDetail::*, double SurfaceDetail::*, bool SurfaceDetail::*> member;
  std::string_view help;
  double least = 0, most = 0;     // of a number
  std::string_view refusal = {};  // of one beyond them, with {} where it stands
};
inline constexpr std::array surface_keys{
    SurfaceKey{"sides", &SurfaceDetail::sides, "Sides of the thickest stem", 3, 256,
               "a stem cannot have {} sides"},
    SurfaceKey{"min_radius", &SurfaceDetail::min_radius,
               "Leave out stems thinner than this, in metres", 0, 1e6, "{} m is no radius"},
    SurfaceKey{"leaf_share", &SurfaceDetail::leaf_share,
               "Part of the leaves to keep, each larger so that their area stays", 1e-4, 1,
               "a share of {} of the leaves cannot be kept"},
    SurfaceKey{"root_flare", &SurfaceDetail::root_flare,
               "How much wider the foot of a stem is: 0.5 is half more", 0, 100,
               "the foot of a stem cannot be {} times wider"},
    SurfaceKey{"weld", &SurfaceDetail::weld,
               "Make branches and their parents one closed surface, as for 3-D prints"},
    SurfaceKey{"tangents", &SurfaceDetail::tangents, "Write tangents into GLB, for normal maps"}};

// The surface of a plant as triangles, for programs that draw it themselves. Three numbers a vertex,
// two for its texture; triangles are counter-clockwise seen from outside.
struct SurfaceMesh {
  std::vector<float> positions, normals, colours, uvs;
  std::vector<std::uint32_t> indices;
  // For graphics cards that move it themselves: the segments that a vertex follows, and how much each; four of
  // both a vertex. The weights of a vertex sum to one; what is not needed is segment 0 with weight 0.
  std::vector<std::uint32_t> joints;
  std::vector<float> weights;
};

// A surface that follows a plant of a world.
class PlantSurface {
 public:
  PlantSurface(PlantSurface&&) noexcept;
  PlantSurface& operator=(PlantSurface&&) noexcept;
  ~PlantSurface();

  // At rest. Texture, colours and triangles never change.
  const SurfaceMesh& at_rest() const;
  // Of the plant when the surface was made.
  std::size_t segment_count() const;

  // Moves positions and normals to where the segments are (World::transforms of its plant) and returns
  // them. The memory is the surface's own and used again. No vertices where the transforms are not those of
  // segment_count() segments: after a cut a plant needs a new surface.
  struct Shape {
    const float* positions = nullptr;  // three a vertex [m]
    const float* normals = nullptr;    // three a vertex, unit
    std::size_t vertices = 0;
  };
  Shape follow(const std::vector<Transform>& transforms);

  // What moves it on a graphics card: for each segment the matrix that takes points of the surface at rest to
  // where the segment has them now, 16 numbers column by column, into the caller's memory. A vertex is at the sum
  // of weight times matrix times position at rest, its normal along the sum of weight times matrix times normal.
  Outcome<Done> joint_matrices(const std::vector<Transform>& transforms, std::span<float> to);

 private:
  friend struct WorldAccess;
  struct Content;
  explicit PlantSurface(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

}  // namespace thigmo
