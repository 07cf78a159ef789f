#include "mesh/tube_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "base/assert.h"
#include "mesh/palette.h"
#include "mesh/perpendicular.h"

namespace thigmo {
namespace {

using std::numbers::pi;

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

// The square about it, of which `flatness` makes a rectangle, and where u is on that. Corners stand
// twice, once with the normal of either side, so that edges look sharp.
std::vector<OutlinePoint> rectangle_outline(double flatness) {
  const double around = 4.0 * (1.0 + flatness);
  std::vector<OutlinePoint> outline;
  double u = 0;
  const auto side = [&](double x0, double z0, double x1, double z1, double nx, double nz) {
    outline.push_back({x0, z0, nx, nz, u});
    u += (std::abs(x1 - x0) + std::abs(z1 - z0) * flatness) / around;
    outline.push_back({x1, z1, nx, nz, u});
  };
  side(1, -1, 1, 1, 1, 0);
  side(1, 1, -1, 1, 0, 1);
  side(-1, 1, -1, -1, -1, 0);
  side(-1, -1, 1, -1, 0, -1);
  return outline;
}

std::size_t ring_at(const TubeShape& tube, double along) {
  const auto found = std::lower_bound(tube.rings.begin(), tube.rings.end(), along,
                                      [](const Ring& r, double a) { return r.along < a; });
  THIGMO_ASSERT(found != tube.rings.end() && found->along == along);
  return static_cast<std::size_t>(found - tube.rings.begin());
}

// Writes rings of vertices and the triangles between them.
class TubeWriter {
 public:
  TubeWriter(const Plant& plant, std::vector<OutlinePoint> outline, SkinnedMesh& mesh)
      : plant_(plant), outline_(std::move(outline)), mesh_(mesh) {}

  // A ring with the x axis `across`. The wall leans in where the radius shrinks by `slope` a metre:
  // n ∝ outward - slope · tangent.
  // `flatness`: how high a flat section is for its width; (x, z f) has the normal (n_x, n_z/f).
  std::uint32_t add_ring(const Ring& ring, const Vec3& across, double slope, double v,
                         double flatness = 1) {
    const std::uint32_t first = next_vertex();
    const Vec3 other = cross(across, ring.tangent_world);
    for (const OutlinePoint& p : outline_) {
      const Vec3 offset = across * p.x + other * (p.z * flatness);
      double normal_x = p.normal_x, normal_z = p.normal_z;
      if (flatness != 1) {
        // What ends in an edge is nearly as flat just below it.
        const double flat = std::max(flatness, 1e-6);
        const double size = std::hypot(normal_x, normal_z / flat);
        normal_x /= size;
        normal_z /= size * flat;
      }
      const Vec3 outward = across * normal_x + other * normal_z;
      const Vec3 normal = normalized(outward - ring.tangent_world * slope);
      // u grows from x towards z, v along the tube: normal × (that direction) points down it.
      const Vec3 around = other * normal_x - across * normal_z;
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

  // Another colour for all vertices from this one on.
  void paint_from(std::uint32_t first, const Vec3f& colour) {
    std::fill(mesh_.colours.begin() + first, mesh_.colours.end(), colour);
  }

  // All columns, or all but those that are open.
  void join_rings(std::uint32_t lower, std::uint32_t upper, const std::vector<char>& open = {}) {
    for_each_side([&](std::uint32_t k) {
      if (k < open.size() && open[k] != 0) return;
      add_triangle(lower + k, upper + k, upper + k + 1);
      add_triangle(lower + k, upper + k + 1, lower + k + 1);
    });
  }

  // A collar from the rim of a hole in the parent's wall to the first ring of a branch: the rim's
  // points stand again, with texture coordinates of the branch, and both rounds are zipped together in
  // the order of their angles about the branch. Any order of the steps leaves a closed surface.
  void join_rim(const TubeShape& parent, const WallHole& hole, const TubeShape& branch,
                double v_per_metre) {
    std::vector<RimPoint> rim = rim_of(parent, hole);
    const Ring& ring = branch.rings.front();
    const Vec3& across = branch.across_world.front();
    const Vec3 other = cross(across, ring.tangent_world);
    const auto angle_of = [&](const RimPoint& p) {
      const Vec3f& f = mesh_.positions[p.vertex];
      const Vec3 off = Vec3{f.x, f.y, f.z} - ring.centre_world;
      return std::atan2(dot(off, other), dot(off, across));
    };
    double around = 0;
    for (std::size_t i = 0; i < rim.size(); ++i) {
      around += std::remainder(angle_of(rim[(i + 1) % rim.size()]) - angle_of(rim[i]), 2 * pi);
    }
    if (around < 0) std::reverse(rim.begin(), rim.end());
    // Starts at the point nearest to the ring's seam, and ends there again.
    std::rotate(rim.begin(),
                std::min_element(rim.begin(), rim.end(),
                                 [&](const RimPoint& a, const RimPoint& b) {
                                   return std::abs(angle_of(a)) < std::abs(angle_of(b));
                                 }),
                rim.end());
    rim.push_back(rim.front());
    std::vector<double> angles;
    for (const RimPoint& p : rim) {
      const double angle = angle_of(p);
      angles.push_back(
          angles.empty() ? angle : angles.back() + std::remainder(angle - angles.back(), 2 * pi));
    }
    const std::uint32_t first = add_rim_points(parent, rim, angles, ring, across, v_per_metre);
    const std::uint32_t upper = branch.ring_vertices.front();
    const auto sides = static_cast<std::uint32_t>(branch.sides);
    const auto points = static_cast<std::uint32_t>(rim.size() - 1);
    for (std::uint32_t i = 0, k = 0; i < points || k < sides;) {
      const double next_ring = 2 * pi * (k + 0.5) / sides;
      const double next_rim = i < points ? 0.5 * (angles[i] + angles[i + 1]) : 0;
      if (k == sides || (i < points && next_rim < next_ring)) {
        add_triangle(first + i, upper + k, first + i + 1);
        ++i;
      } else {
        add_triangle(first + i, upper + k, upper + k + 1);
        ++k;
      }
    }
    round_off(upper, sides, mesh_.indices.size() - 3 * (points + sides));
  }
  void close_below(std::uint32_t ring, std::uint32_t point) {
    for_each_side([&](std::uint32_t k) { add_triangle(point, ring + k, ring + k + 1); });
  }
  void close_above(std::uint32_t ring, std::uint32_t point) {
    for_each_side([&](std::uint32_t k) { add_triangle(point, ring + k + 1, ring + k); });
  }

 private:
  // Normals of a ring halfway between those of its wall and of the collar below it, whose triangles
  // are the last ones.
  void round_off(std::uint32_t ring, std::uint32_t sides, std::size_t first_index) {
    std::vector<Vec3> sums(sides);
    const auto wide = [](const Vec3f& v) { return Vec3{v.x, v.y, v.z}; };
    for (std::size_t i = first_index; i < mesh_.indices.size(); i += 3) {
      const std::uint32_t* const t = &mesh_.indices[i];
      const Vec3 a = wide(mesh_.positions[t[0]]);
      const Vec3 face = cross(wide(mesh_.positions[t[1]]) - a, wide(mesh_.positions[t[2]]) - a);
      for (std::size_t k = 0; k < 3; ++k) {
        if (t[k] >= ring && t[k] <= ring + sides) sums[(t[k] - ring) % sides] += face;
      }
    }
    for (std::uint32_t k = 0; k <= sides; ++k) {
      const Vec3 wall = wide(mesh_.normals[ring + k]);
      const Vec3 normal = normalized(wall + normalized(sums[k % sides], wall), wall);
      const Vec4f& t = mesh_.tangents[ring + k];
      const Vec3 along{t.x, t.y, t.z};
      const Vec3f tangent = narrow(perpendicular_part(along, normal));
      mesh_.normals[ring + k] = narrow(normal);
      mesh_.tangents[ring + k] = {tangent.x, tangent.y, tangent.z, t.w};
    }
  }

  // A point of a hole's rim: a vertex of the parent's wall, and which of its rings it is on.
  struct RimPoint {
    std::uint32_t vertex = 0;
    std::size_t ring = 0;
  };

  // Around the hole: along its lower ring, up, back along its upper ring, down.
  static std::vector<RimPoint> rim_of(const TubeShape& tube, const WallHole& hole) {
    const std::size_t low = ring_at(tube, hole.low), high = ring_at(tube, hole.high);
    const auto point = [&](std::size_t ring, int column) -> RimPoint {
      const int k = (column % tube.sides + tube.sides) % tube.sides;
      return {tube.ring_vertices[ring] + static_cast<std::uint32_t>(k), ring};
    };
    const int left = hole.column_first, right = hole.column_first + hole.column_count;
    std::vector<RimPoint> rim;
    for (int c = left; c < right; ++c) rim.push_back(point(low, c));
    for (std::size_t r = low; r < high; ++r) rim.push_back(point(r, right));
    for (int c = right; c > left; --c) rim.push_back(point(high, c));
    for (std::size_t r = high; r > low; --r) rim.push_back(point(r, left));
    return rim;
  }

  // The rim's points again: where and how the wall is there, moved by the same weights.
  std::uint32_t add_rim_points(const TubeShape& parent, std::span<const RimPoint> rim,
                               std::span<const double> angles, const Ring& ring, const Vec3& across,
                               double v_per_metre) {
    const std::uint32_t first = next_vertex();
    const Vec3 other = cross(across, ring.tangent_world);
    for (std::size_t i = 0; i < rim.size(); ++i) {
      const std::uint32_t v = next_vertex(), from = rim[i].vertex;
      const Vec3f p = mesh_.positions[from], n = mesh_.normals[from];
      const double down = dot(ring.centre_world - Vec3{p.x, p.y, p.z}, ring.tangent_world);
      // Along growing u, in the wall.
      const Vec3 normal{n.x, n.y, n.z};
      const Vec3 turn = other * std::cos(angles[i]) - across * std::sin(angles[i]);
      const Vec3 tangent = perpendicular_part(turn, normal);
      mesh_.positions.push_back(p);
      add_attributes(normal, tangent,
                     {angles[i] / (2 * pi), (ring.along - std::max(down, 0.0)) * v_per_metre, 0},
                     parent.rings[rim[i].ring]);
      close_group(v, parent.rings[rim[i].ring]);
    }
    return first;
  }

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
    mesh_.colours.push_back(ring_colour(plant_, ring));
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
  const Vec3 x = rotate(at(rest.world_from_segment, segment), {1, 0, 0});
  return perpendicular_part(x, tangent);
}

// Which columns between a ring and the next belong to holes.
std::vector<char> open_columns(const TubeShape& shape, std::size_t lower) {
  std::vector<char> open;
  for (const WallHole& hole : shape.holes) {
    if (shape.rings[lower].along < hole.low || shape.rings[lower].along >= hole.high) continue;
    open.resize(static_cast<std::size_t>(shape.sides), 0);
    for (int c = 0; c < hole.column_count; ++c) {
      const int k = (hole.column_first + c) % shape.sides;
      at(open, k < 0 ? k + shape.sides : k) = 1;
    }
  }
  return open;
}

// A dome of some height on a ring: a shoulder at 45° of an ellipse's quarter, then the top.
void close_tip(const Ring& tip, double cap, std::uint32_t tip_ring, const Vec3& across,
               double flatness, double v_per_metre, TubeWriter& writer) {
  const double half = std::numbers::sqrt2 / 2;
  Ring shoulder = tip;
  shoulder.radius = tip.radius * half;
  shoulder.centre_world = tip.centre_world + tip.tangent_world * (cap * half);
  const std::uint32_t ring = writer.add_ring(shoulder, across, -tip.radius / cap,
                                             (tip.along + cap * half) * v_per_metre, flatness);
  writer.join_rings(tip_ring, ring);
  const Vec3 top = tip.centre_world + tip.tangent_world * cap;
  writer.close_above(
      ring, writer.add_point(tip, top, tip.tangent_world, across, (tip.along + cap) * v_per_metre));
}

// A flat disc with sharp edges, for sawn ends. `colour` is that of wood that was cut.
void close_flat(const Ring& ring, std::uint32_t wall, const Vec3& across, bool below,
                const std::optional<Vec3f>& colour, TubeWriter& writer) {
  const Vec3 normal = below ? -ring.tangent_world : ring.tangent_world;
  const std::uint32_t rim = writer.add_rim(ring, wall, normal, across);
  const std::uint32_t middle = writer.add_point(ring, ring.centre_world, normal, across, 0);
  if (below) {
    writer.close_below(rim, middle);
  } else {
    writer.close_above(rim, middle);
  }
  if (colour) writer.paint_from(rim, *colour);
}

// The colour of a cut end.
std::optional<Vec3f> cut_colour_of(const Segment& segment, bool cut, const Ring& ring) {
  if (!cut) return std::nullopt;
  return cut_colour(segment, ring.radius);
}

}  // namespace

std::vector<Vec3> transported_across(std::span<const Ring> rings, const Pose& rest, Index first) {
  std::vector<Vec3> across{across_of(rest, first, rings.front().tangent_world)};
  for (std::size_t i = 1; i < rings.size(); ++i) {
    const Vec3& tangent = rings[i].tangent_world;
    const Vec3 moved = rotate(rotation_between(rings[i - 1].tangent_world, tangent), across.back());
    across.push_back(perpendicular_part(moved, tangent));
  }
  return across;
}

namespace {

// The segment of the tube that a ring is on: a side branch begins inside its parent.
Index own_segment(const Tube& tube, const Ring& ring) {
  return std::max(ring.segment, tube.segments.front());
}

// Height over width at each ring. Where a flat rod's width was widened for drawing its height stays; a flare,
// a nose or a rounded tip makes an ellipse larger or smaller as a whole.
std::vector<double> flatness_of_rings(const Plant& plant, const Pose& rest, const Tube& tube,
                                      std::span<const Ring> rings) {
  std::vector<double> flatness;
  for (const Ring& ring : rings) {
    const auto i = as_size(own_segment(tube, ring));
    const Segment& s = plant.segments[i];
    const Vec3 along = rotate(rest.world_from_segment[i], Vec3{0, 1, 0});
    const double fraction =
        std::clamp(dot(ring.centre_world - rest.base_world[i], along) / s.length, 0.0, 1.0);
    const auto [width, height] = rectangle_at(s, fraction);
    flatness.push_back(!is_flat(s)       ? 1.0
                       : is_rectangle(s) ? height / (2 * ring.radius)
                                         : height / std::max(width, 1e-3 * s.radius_base));
    // What runs out to nothing still has two sides.
    flatness.back() = std::max(flatness.back(), 1e-3);
  }
  return flatness;
}

// The x axes of the segments that the rings are on: a flat section turns with them. A half turn leaves it
// what it is.
std::vector<Vec3> own_across(const Pose& rest, const Tube& tube, std::span<const Ring> rings) {
  std::vector<Vec3> across;
  for (const Ring& ring : rings) {
    Vec3 x = across_of(rest, own_segment(tube, ring), ring.tangent_world);
    if (ring.joint[1] != no_index && ring.joint[0] >= tube.segments.front()) {
      const Vec3 a = across_of(rest, ring.joint[0], ring.tangent_world);
      const Vec3 b = across_of(rest, ring.joint[1], ring.tangent_world);
      x = normalized(dot(a, b) < 0 ? a - b : a + b, x);
    }
    across.push_back(!across.empty() && dot(across.back(), x) < 0 ? -x : x);
  }
  return across;
}

}  // namespace

TubeShape tube_shape(const Plant& plant, const Pose& rest, const Tube& tube, int sides,
                     const MeshOptions& options) {
  TubeShape shape;
  shape.first_segment = tube.segments.front();
  shape.sides = sides;
  shape.rectangle = is_rectangle(at(plant.segments, shape.first_segment));
  shape.rings = tube_rings(plant, rest, tube, options);
  if (is_flat(plant, tube)) {
    shape.flatness = flatness_of_rings(plant, rest, tube, shape.rings);
    shape.across_world = own_across(rest, tube, shape.rings);
  } else {
    shape.across_world = transported_across(shape.rings, rest, shape.first_segment);
  }
  return shape;
}

void draw_tube(const Plant& plant, const std::vector<TubeShape>& shapes, TubeShape& shape,
               SkinnedMesh& mesh) {
  const std::vector<Ring>& rings = shape.rings;
  THIGMO_ASSERT(rings.size() >= 2);
  const auto flatness_at = [&](std::size_t ring) {
    return shape.flatness.empty() ? 1.0 : shape.flatness[ring];
  };
  TubeWriter writer(
      plant, shape.rectangle ? rectangle_outline(flatness_at(0)) : round_outline(shape.sides),
      mesh);
  // A tip is closed as high as it is thick, also where a nose has made it narrower.
  const Segment& end = at(plant.segments, rings.back().segment);
  const double cap = std::max({rings.back().radius, end.radius_tip, 0.02 * end.radius_base});
  // Texture squares stay square at the thickest place: v counts circumferences, up to a million of them on
  // what is thinner than any thread.
  double thickest = 1e-6 * (rings.back().along + cap);
  for (const Ring& ring : rings) thickest = std::max(thickest, ring.radius);
  const double v_per_metre = 1.0 / (2.0 * pi * std::max(thickest, 1e-300));

  for (std::size_t i = 0; i < rings.size(); ++i) {
    const std::size_t low = i == 0 ? 0 : i - 1, high = i == 0 ? 1 : i;
    const double step = std::max(rings[high].along - rings[low].along, 1e-12);
    const double slope = std::clamp((rings[high].radius - rings[low].radius) / step, -1.0, 1.0);
    shape.ring_vertices.push_back(writer.add_ring(rings[i], shape.across_world[i], slope,
                                                  rings[i].along * v_per_metre, flatness_at(i)));
    if (i > 0) {
      writer.join_rings(shape.ring_vertices[i - 1], shape.ring_vertices[i],
                        open_columns(shape, i - 1));
    }
  }
  const std::vector<Vec3>& across = shape.across_world;
  if (shape.stitch) {
    const TubeShape& parent = shapes[shape.stitch->parent];
    writer.join_rim(parent, parent.holes[shape.stitch->hole], shape, v_per_metre);
  } else {
    const Segment& first = at(plant.segments, shape.first_segment);
    const bool bare = first.cut_base && first.parent == no_index;
    close_flat(rings.front(), shape.ring_vertices.front(), across.front(), true,
               cut_colour_of(first, bare, rings.front()), writer);
  }
  if (shape.rectangle || end.cut_tip) {
    close_flat(rings.back(), shape.ring_vertices.back(), across.back(), false,
               cut_colour_of(end, end.cut_tip, rings.back()), writer);
  } else {
    close_tip(rings.back(), cap, shape.ring_vertices.back(), across.back(),
              flatness_at(rings.size() - 1), v_per_metre, writer);
  }
}

void add_tube(const Plant& plant, const Tube& tube, int sides, const MeshOptions& options,
              SkinnedMesh& mesh) {
  TubeShape shape = tube_shape(plant, mesh.rest, tube, sides, options);
  draw_tube(plant, {}, shape, mesh);
}

}  // namespace thigmo
