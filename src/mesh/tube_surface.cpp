#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "mesh/palette.h"
#include "mesh/tube.h"

namespace thigmo {
namespace {

constexpr double pi = std::numbers::pi;

// A point of the cross-section's outline at radius 1: x across, z the other way across.
struct OutlinePoint {
  double x = 0, z = 0;
  double normal_x = 0, normal_z = 0;
  double u = 0;
};

// The first point comes again at the end with u = 1: bark has a seam but no smear.
std::vector<OutlinePoint> round_outline(int sides) {
  std::vector<OutlinePoint> outline;
  for (int k = 0; k <= sides; ++k) {
    const double angle = 2.0 * pi * static_cast<double>(k % sides) / sides;
    const double x = std::cos(angle), z = std::sin(angle);
    outline.push_back({x, z, x, z, static_cast<double>(k) / sides});
  }
  return outline;
}

// Corners stand twice, once with the normal of either side, so that edges look sharp.
std::vector<OutlinePoint> rectangle_outline(double height_per_width) {
  const double h = height_per_width;
  const double around = 4.0 * (1.0 + h);
  std::vector<OutlinePoint> outline;
  double u = 0;
  const auto side = [&](double x0, double z0, double x1, double z1, double nx, double nz) {
    outline.push_back({x0, z0, nx, nz, u});
    u += (std::abs(x1 - x0) + std::abs(z1 - z0)) / around;
    outline.push_back({x1, z1, nx, nz, u});
  };
  side(1, -h, 1, h, 1, 0);
  side(1, h, -1, h, 0, 1);
  side(-1, h, -1, -h, -1, 0);
  side(-1, -h, 1, -h, 0, -1);
  return outline;
}

// Writes rings of vertices and the triangles between them.
class TubeWriter {
 public:
  TubeWriter(const Plant& plant, std::vector<OutlinePoint> outline, SkinnedMesh& mesh)
      : plant_(plant), outline_(std::move(outline)), mesh_(mesh) {}

  // A ring with the x axis `across`. The wall leans in where the radius shrinks by `slope` a metre:
  // n ∝ outward - slope · tangent.
  std::uint32_t add_ring(const Ring& ring, const Vec3& across, double slope, double v) {
    const std::uint32_t first = next_vertex();
    const Vec3 other = cross(across, ring.tangent_world);
    for (const OutlinePoint& p : outline_) {
      const Vec3 offset = across * p.x + other * p.z;
      const Vec3 outward = across * p.normal_x + other * p.normal_z;
      const Vec3 normal = normalized(outward - ring.tangent_world * slope);
      // u grows from x towards z, v along the tube: normal × (that direction) points down it.
      const Vec3 around = other * p.normal_x - across * p.normal_z;
      add_vertex(ring.centre_world + offset * ring.radius, normal, around, {p.u, v, 0}, ring);
    }
    close_group(first, ring);
    return first;
  }

  // A disc's middle or a dome's top.
  std::uint32_t add_point(const Ring& ring, const Vec3& position, const Vec3& normal,
                          const Vec3& across, double v) {
    const std::uint32_t first = next_vertex();
    add_vertex(position, normal, across, {0.5, v, 0}, ring);
    close_group(first, ring);
    return first;
  }

  // The same points again with another normal: a disc's rim.
  std::uint32_t add_rim(const Ring& ring, std::uint32_t wall, const Vec3& normal,
                        const Vec3& across) {
    const std::uint32_t first = next_vertex();
    for (std::uint32_t k = 0; k < outline_.size(); ++k) {
      mesh_.positions.push_back(mesh_.positions[wall + k]);
      add_attributes(normal, across, {outline_[k].u, 0, 0}, ring);
    }
    close_group(first, ring);
    return first;
  }

  void join_rings(std::uint32_t lower, std::uint32_t upper) {
    for_each_side([&](std::uint32_t k) {
      add_triangle(lower + k, upper + k, upper + k + 1);
      add_triangle(lower + k, upper + k + 1, lower + k + 1);
    });
  }
  void close_below(std::uint32_t ring, std::uint32_t point) {
    for_each_side([&](std::uint32_t k) { add_triangle(point, ring + k, ring + k + 1); });
  }
  void close_above(std::uint32_t ring, std::uint32_t point) {
    for_each_side([&](std::uint32_t k) { add_triangle(point, ring + k + 1, ring + k); });
  }

 private:
  std::uint32_t next_vertex() const { return static_cast<std::uint32_t>(mesh_.positions.size()); }

  // Sides of the outline; doubled corners have no side between them.
  template <class Work>
  void for_each_side(const Work& work) const {
    for (std::uint32_t k = 0; k + 1 < outline_.size(); ++k) {
      const OutlinePoint &a = outline_[k], &b = outline_[k + 1];
      if (a.x != b.x || a.z != b.z) work(k);
    }
  }

  static Vec3f narrow(const Vec3& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  }

  void add_vertex(const Vec3& position, const Vec3& normal, const Vec3& tangent, const Vec3& uv,
                  const Ring& ring) {
    mesh_.positions.push_back(narrow(position));
    add_attributes(normal, tangent, uv, ring);
  }

  void add_attributes(const Vec3& normal, const Vec3& tangent, const Vec3& uv, const Ring& ring) {
    mesh_.normals.push_back(narrow(normal));
    const Vec3f t = narrow(tangent);
    mesh_.tangents.push_back({t.x, t.y, t.z, -1.0f});
    mesh_.uvs.push_back({static_cast<float>(uv.x), static_cast<float>(uv.y)});
    mesh_.colours.push_back(
        segment_colour(plant_.segments[static_cast<std::size_t>(ring.segment)]));
  }

  void close_group(std::uint32_t first, const Ring& ring) {
    SkinGroup group{.first_vertex = first,
                    .vertex_count = next_vertex() - first,
                    .joint = {ring.joint[0], 0, 0, 0}};
    if (ring.joint[1] != no_index) {
      group.joint[1] = ring.joint[1];
      group.weight = {ring.weight[0], ring.weight[1], 0, 0};
    }
    mesh_.groups.push_back(group);
  }

  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.indices.insert(mesh_.indices.end(), {a, b, c});
  }

  const Plant& plant_;
  std::vector<OutlinePoint> outline_;
  SkinnedMesh& mesh_;
};

Vec3 across_of(const Pose& rest, Index segment, const Vec3& tangent) {
  const Vec3 x = rotate(rest.world_from_segment[static_cast<std::size_t>(segment)], {1, 0, 0});
  return normalized(x - tangent * dot(x, tangent), any_perpendicular(tangent));
}

// The x axes of the rings by parallel transport: the smallest rotation from tangent to tangent, so
// that no ring twists against its neighbour.
std::vector<Vec3> transported_across(std::span<const Ring> rings, const Vec3& start) {
  std::vector<Vec3> across{start};
  for (std::size_t i = 1; i < rings.size(); ++i) {
    const Vec3& tangent = rings[i].tangent_world;
    const Vec3 moved = rotate(rotation_between(rings[i - 1].tangent_world, tangent), across.back());
    across.push_back(normalized(moved - tangent * dot(moved, tangent), any_perpendicular(tangent)));
  }
  return across;
}

// A dome on a ring: a shoulder at 45° of a sphere's quarter, then the top.
void close_tip(const Ring& tip, std::uint32_t tip_ring, const Vec3& across, double v_per_metre,
               TubeWriter& writer) {
  const double half = std::numbers::sqrt2 / 2;
  Ring shoulder = tip;
  shoulder.radius = tip.radius * half;
  shoulder.centre_world = tip.centre_world + tip.tangent_world * (tip.radius * half);
  const std::uint32_t ring =
      writer.add_ring(shoulder, across, -1.0, (tip.along + tip.radius * half) * v_per_metre);
  writer.join_rings(tip_ring, ring);
  const Vec3 top = tip.centre_world + tip.tangent_world * tip.radius;
  writer.close_above(ring, writer.add_point(tip, top, tip.tangent_world, across,
                                            (tip.along + tip.radius) * v_per_metre));
}

// A flat disc with sharp edges, for sawn ends.
void close_flat(const Ring& ring, std::uint32_t wall, const Vec3& across, bool below,
                TubeWriter& writer) {
  const Vec3 normal = below ? -ring.tangent_world : ring.tangent_world;
  const std::uint32_t rim = writer.add_rim(ring, wall, normal, across);
  const std::uint32_t middle = writer.add_point(ring, ring.centre_world, normal, across, 0);
  if (below) {
    writer.close_below(rim, middle);
  } else {
    writer.close_above(rim, middle);
  }
}

}  // namespace

void add_tube(const Plant& plant, const Tube& tube, int sides, const MeshOptions& options,
              SkinnedMesh& mesh) {
  const std::vector<Ring> rings = tube_rings(plant, mesh.rest, tube, options);
  const Index first = tube.segments.front();
  const auto& rectangle = plant.segments[static_cast<std::size_t>(first)].rectangle;
  TubeWriter writer(
      plant,
      rectangle ? rectangle_outline(rectangle->height / rectangle->width) : round_outline(sides),
      mesh);
  // Texture squares stay square at the thickest place: v counts circumferences.
  double thickest = 0;
  for (const Ring& ring : rings) thickest = std::max(thickest, ring.radius);
  const double v_per_metre = 1.0 / (2.0 * pi * thickest);

  const std::vector<Vec3> across =
      transported_across(rings, across_of(mesh.rest, first, rings.front().tangent_world));
  std::uint32_t below = 0, start_ring = 0;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const std::size_t low = i == 0 ? 0 : i - 1, high = i == 0 ? 1 : i;
    const double step = std::max(rings[high].along - rings[low].along, 1e-12);
    const double slope = std::clamp((rings[high].radius - rings[low].radius) / step, -1.0, 1.0);
    const std::uint32_t here =
        writer.add_ring(rings[i], across[i], slope, rings[i].along * v_per_metre);
    if (i == 0) {
      start_ring = here;
    } else {
      writer.join_rings(below, here);
    }
    below = here;
  }
  close_flat(rings.front(), start_ring, across.front(), true, writer);
  if (rectangle) {
    close_flat(rings.back(), below, across.back(), false, writer);
  } else {
    close_tip(rings.back(), below, across.back(), v_per_metre, writer);
  }
}

}  // namespace thigmo
