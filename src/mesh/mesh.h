#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/index.h"
#include "plant/plant.h"

namespace thigmo {

using Vec3f = Vec3T<float>;

struct Vec2f {
  float x = 0, y = 0;
  friend constexpr bool operator==(const Vec2f&, const Vec2f&) = default;
};

struct Vec4f {
  float x = 0, y = 0, z = 0, w = 0;
  friend constexpr bool operator==(const Vec4f&, const Vec4f&) = default;
};

// What a part of the mesh is made of, to the eye.
enum class Surface : std::uint8_t { bark, leaf, petal, fruit };
inline constexpr std::array all_surfaces{Surface::bark, Surface::leaf, Surface::petal,
                                         Surface::fruit};

const char* surface_name(Surface surface);

// Vertices that move together: a ring of a tube, a row of a strap, or a whole organ. Weights sum to one; unused
// influences have joint 0 and weight 0, as glTF wants.
struct SkinGroup {
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
  std::array<Index, 4> joint{};  // segments
  std::array<float, 4> weight{1, 0, 0, 0};
  Index organ = no_index;  // of the plant, that they draw; -1: a tube
};

// A run of indices with one surface.
struct MeshPart {
  Surface surface = Surface::bark;
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
};

// A plant's surface in its rest pose, in the world frame. Built once; `deform` moves it. Indices
// are triangles, counter-clockwise seen from outside; leaves and petals are open sheets seen from
// both sides. The groups cover the vertices in order, without gaps.
struct SkinnedMesh {
  Pose rest;                     // of the segments, for the inverse of the binding
  std::vector<Vec3f> positions;  // [m]
  std::vector<Vec3f> normals;    // unit
  std::vector<Vec4f> tangents;  // unit, along growing u; w = ±1: v grows along w · normal × tangent
  std::vector<Vec2f> uvs;       // bark: u around, v along; organs: the unit square
  std::vector<Vec3f> colours;  // linear RGB
  std::vector<std::uint32_t> indices;
  std::vector<SkinGroup> groups;
  std::vector<MeshPart> parts;
  // Side branches that are one surface with their parent, and those that only stand in it.
  Index welded = 0, standing = 0;
};

// A surface of organs in their own frame: origin at the base, y along, z out of the upper face.
struct OrganSurface {
  std::vector<Vec3> positions;  // [m]
  std::vector<Vec3> normals;    // unit
  std::vector<Vec4f> tangents;
  std::vector<Vec2f> uvs;
  std::vector<Vec3f> colours;  // linear RGB
  std::vector<std::uint32_t> indices;
};

}  // namespace thigmo
