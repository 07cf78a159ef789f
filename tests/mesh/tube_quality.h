#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/tube.h"
#include "mesh/tube_rings.h"
#include "mesh/tube_surface.h"

// Laws that every tube must keep, in any pose.
namespace thigmo::testing {

inline Vec3 wide(const Vec3f& v) { return {v.x, v.y, v.z}; }

// Vertices at the same rest position are one point of the surface: the texture's seam and the
// edges of discs double them.
inline std::vector<std::uint32_t> welded(const SkinnedMesh& mesh) {
  std::map<std::array<float, 3>, std::uint32_t> first;
  std::vector<std::uint32_t> same(mesh.positions.size());
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3f& p = mesh.positions[v];
    same[v] = first.try_emplace({p.x, p.y, p.z}, v).first->second;
  }
  return same;
}

// Edges that do not belong to exactly two triangles, which run along it in opposite senses.
inline std::size_t open_edges(const SkinnedMesh& mesh) {
  const std::vector<std::uint32_t> same = welded(mesh);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
    const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
    ++edges[{same[mesh.indices[i]], same[mesh.indices[next]]}];
  }
  std::size_t open = 0;
  for (const auto& [edge, count] : edges) {
    open += edge.first == edge.second || count != 1 || edges.count({edge.second, edge.first}) != 1;
  }
  return open;
}

// A tube alone, with the vertices of its rings from start to tip. The dome's shoulder counts as a
// ring, discs and tops do not.
struct OneTube {
  SkinnedMesh mesh;
  std::vector<SkinGroup> rings;
};

inline OneTube one_tube(const Plant& plant, const Pose& rest, const Tube& tube) {
  OneTube one;
  one.mesh.rest = rest;
  add_tube(plant, tube, 8, {}, one.mesh);
  const std::size_t walls = tube_rings(plant, rest, tube).size();
  one.rings.assign(one.mesh.groups.begin(),
                   one.mesh.groups.begin() + static_cast<std::ptrdiff_t>(walls));
  return one;
}

inline std::vector<Vec3> ring_points(const SkinGroup& ring, const std::vector<Vec3f>& positions) {
  std::vector<Vec3> points;
  for (std::uint32_t v = 0; v < ring.vertex_count; ++v) {
    points.push_back(wide(positions[ring.first_vertex + v]));
  }
  return points;
}

inline Vec3 mean(const std::vector<Vec3>& points) {
  Vec3 sum;
  // The last point of a ring is its first again.
  for (std::size_t i = 0; i + 1 < points.size(); ++i) sum += points[i];
  return sum / static_cast<double>(points.size() - 1);
}

// Twice the area vector of a closed ring: its normal, against the direction of growth.
inline Vec3 area_vector(const std::vector<Vec3>& points) {
  Vec3 sum;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) sum += cross(points[i], points[i + 1]);
  return sum;
}

// Whether the piece from a to b goes through the triangle (Möller & Trumbore).
inline bool pierces(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 along = b - a, e1 = q - p, e2 = r - p, h = cross(along, e2);
  const double det = dot(e1, h);
  if (std::abs(det) < 1e-30) return false;
  const Vec3 s = a - p, k = cross(s, e1);
  const double u = dot(s, h) / det, v = dot(along, k) / det, t = dot(e2, k) / det;
  return u > 0 && v > 0 && u + v < 1 && t > 0 && t < 1;
}

// Whether an outline goes through the disc that the other spans.
inline bool outline_cuts_disc(const std::vector<Vec3>& outline, const std::vector<Vec3>& disc) {
  const Vec3 middle = mean(disc);
  for (std::size_t i = 0; i + 1 < outline.size(); ++i) {
    for (std::size_t k = 0; k + 1 < disc.size(); ++k) {
      if (pierces(outline[i], outline[i + 1], middle, disc[k], disc[k + 1])) return true;
    }
  }
  return false;
}

struct Quality {
  std::size_t rings = 0, inverted = 0, cutting = 0, sharp_bends = 0;
  double worst_area_change = 0;
};

// Rings of one tube in a pose. A ring is inverted when it looks against the tube's way.
inline void look_at_rings(const OneTube& tube, const std::vector<Vec3f>& positions,
                          Quality& quality) {
  for (std::size_t i = 1; i < tube.rings.size(); ++i) {
    const std::vector<Vec3> lower = ring_points(tube.rings[i - 1], positions);
    const std::vector<Vec3> upper = ring_points(tube.rings[i], positions);
    const Vec3 lower_way = -normalized(area_vector(lower)),
               upper_way = -normalized(area_vector(upper));
    const Vec3 gap = mean(upper) - mean(lower);
    ++quality.rings;
    if (dot(lower_way, upper_way) < 0.5) {
      ++quality.sharp_bends;
      continue;
    }
    quality.inverted += dot(gap, lower_way) <= 0 || dot(gap, upper_way) <= 0;
    quality.cutting += outline_cuts_disc(lower, upper) || outline_cuts_disc(upper, lower);
  }
}

// The area of the wall between a ring and the next.
inline double band_area(const OneTube& tube, std::size_t ring,
                        const std::vector<Vec3f>& positions) {
  const std::vector<Vec3> lower = ring_points(tube.rings[ring], positions);
  const std::vector<Vec3> upper = ring_points(tube.rings[ring + 1], positions);
  double twice = 0;
  for (std::size_t k = 0; k + 1 < lower.size(); ++k) {
    twice += length(cross(upper[k] - lower[k], upper[k + 1] - lower[k]));
    twice += length(cross(upper[k + 1] - lower[k], lower[k + 1] - lower[k]));
  }
  return 0.5 * twice;
}

// How the area around each joint changes: of the two segments that meet there, from the joint below
// to the joint above. Rings that two segments carry stand at joints.
inline void look_at_areas(const OneTube& tube, const std::vector<Vec3f>& positions,
                          Quality& quality) {
  std::vector<std::size_t> bounds{0};
  for (std::size_t i = 0; i < tube.rings.size(); ++i) {
    if (tube.rings[i].weight[1] > 0) bounds.push_back(i);
  }
  bounds.push_back(tube.rings.size() - 1);
  for (std::size_t k = 1; k + 1 < bounds.size(); ++k) {
    double before = 0, after = 0;
    for (std::size_t i = bounds[k - 1]; i < bounds[k + 1]; ++i) {
      before += band_area(tube, i, tube.mesh.positions);
      after += band_area(tube, i, positions);
    }
    quality.worst_area_change = std::max(quality.worst_area_change, std::abs(after / before - 1));
  }
}

}  // namespace thigmo::testing
