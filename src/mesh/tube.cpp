#include "mesh/tube.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "mesh/palette.h"

namespace thigmo {
namespace {

// A child joins the tip if it starts within this part of the parent's length from it.
constexpr double tip_tolerance = 0.02;
// Beyond this turn a child looks like a side branch, whatever its thickness.
const double continuation_cosine = std::cos(70.0 * std::numbers::pi / 180.0);
// Bends sharper than this are rounded.
const double rounded_cosine = std::cos(12.0 * std::numbers::pi / 180.0);

const Segment& segment_at(const Plant& plant, Index i) {
  return plant.segments[static_cast<std::size_t>(i)];
}

Vec3 direction_world(const Pose& pose, Index i) {
  return rotate(pose.world_from_segment[static_cast<std::size_t>(i)], Vec3{0, 1, 0});
}

bool starts_at_tip(const Segment& parent, const Segment& child) {
  const Vec3 gap = child.base_in_parent - Vec3{0, parent.length, 0};
  return length(gap) <= tip_tolerance * parent.length;
}

// Whether `child` continues its parent better than `rival` does.
bool continues_better(const Segment& parent, const Segment& child, const Segment& rival) {
  const bool child_same = child.axis == parent.axis, rival_same = rival.axis == parent.axis;
  if (child_same != rival_same) return child_same;
  return child.radius_base > rival.radius_base;
}

bool can_continue(const Segment& parent, const Segment& child) {
  if (!starts_at_tip(parent, child)) return false;
  if (child.axis == parent.axis) return true;
  return rotate(child.parent_from_segment, Vec3{0, 1, 0}).y > continuation_cosine;
}

// A corner of the tube's centre line, with what meets there.
struct Corner {
  Vec3 position;
  Vec3 direction_in, direction_out;
  double reach_in = 0, reach_out = 0;  // how far the rounding may go [m]
  double radius_in = 0, radius_out = 0;
  Index segment_in = no_index, segment_out = no_index;
};

// Rings around a corner: one in the bisecting plane, or three on the quadratic Bézier curve
// B(t) = (1-t)² p0 + 2t(1-t) p1 + t² p2 that rounds it.
void add_corner(const Corner& corner, std::vector<Ring>& rings) {
  const double radius = 0.5 * (corner.radius_in + corner.radius_out);
  const auto ring = [&](const Vec3& centre, const Vec3& tangent, double r, float weight_out) {
    rings.push_back({.centre_world = centre,
                     .tangent_world = normalized(tangent, corner.direction_out),
                     .radius = r,
                     .joint = {corner.segment_in, corner.segment_out},
                     .weight = {1.0f - weight_out, weight_out},
                     .segment = weight_out < 0.5f ? corner.segment_in : corner.segment_out});
  };
  const Vec3 bisector = corner.direction_in + corner.direction_out;
  if (dot(corner.direction_in, corner.direction_out) > rounded_cosine) {
    ring(corner.position, bisector, radius, 0.5f);
    return;
  }
  const Vec3 p0 = corner.position - corner.direction_in * corner.reach_in;
  const Vec3 p2 = corner.position + corner.direction_out * corner.reach_out;
  for (const double t : {0.1, 0.5, 0.9}) {
    const double s = 1.0 - t;
    const Vec3 centre = p0 * (s * s) + corner.position * (2 * s * t) + p2 * (t * t);
    const Vec3 tangent = (corner.position - p0) * s + (p2 - corner.position) * t;
    ring(centre, tangent, s * corner.radius_in + t * corner.radius_out, static_cast<float>(t));
  }
}

// The bend where a side branch leaves its parent: it starts along the parent's own direction.
Corner branching_corner(const Plant& plant, const Pose& rest, Index first) {
  const Segment& s = segment_at(plant, first);
  const Segment& parent = segment_at(plant, s.parent);
  // Fibres of the branch run down the parent for about its own diameter.
  const double down = std::clamp(2.0 * s.radius_base, 0.0, std::max(s.base_in_parent.y, 0.0));
  const double inside = std::min(s.radius_base, 0.9 * std::max(parent.radius_tip, 1e-9));
  return {.position = rest.base_world[static_cast<std::size_t>(first)],
          .direction_in = direction_world(rest, s.parent),
          .direction_out = direction_world(rest, first),
          .reach_in = down,
          .reach_out = std::min(0.4 * s.length, 2.0 * s.radius_base),
          .radius_in = inside,
          .radius_out = s.radius_base,
          .segment_in = s.parent,
          .segment_out = first};
}

Corner joint_corner(const Plant& plant, const Pose& rest, Index in, Index out) {
  const Segment &a = segment_at(plant, in), &b = segment_at(plant, out);
  const double most = 2.5 * std::max(a.radius_tip, b.radius_base);
  return {.position = rest.base_world[static_cast<std::size_t>(out)],
          .direction_in = direction_world(rest, in),
          .direction_out = direction_world(rest, out),
          .reach_in = std::min(0.4 * a.length, most),
          .reach_out = std::min(0.4 * b.length, most),
          .radius_in = a.radius_tip,
          .radius_out = b.radius_base,
          .segment_in = in,
          .segment_out = out};
}

// Whether the disc of `upper` lies wholly above the plane of `lower` and the other way round.
bool discs_are_apart(const Ring& lower, const Ring& upper) {
  const Vec3 gap = upper.centre_world - lower.centre_world;
  const double c = dot(lower.tangent_world, upper.tangent_world);
  const double sine = std::sqrt(std::max(0.0, 1.0 - c * c));
  return c > 0 && dot(gap, lower.tangent_world) > upper.radius * sine &&
         dot(gap, upper.tangent_world) > lower.radius * sine;
}

// Turns a ring towards the plane of the one below it just as far as it must not to cut it. False
// when even a parallel ring would: its middle lies behind that plane.
bool fit_above(const Ring& lower, Ring& upper) {
  const Vec3 wanted = upper.tangent_world;
  for (const double share : {1.0, 0.75, 0.5, 0.25, 0.0}) {
    upper.tangent_world =
        normalized(wanted * share + lower.tangent_world * (1.0 - share), lower.tangent_world);
    if (discs_are_apart(lower, upper)) return true;
  }
  upper.tangent_world = wanted;
  return false;
}

// Short thick segments at a bend have no room for a ring each: such rings are tilted, or dropped
// where tilting is not enough. The first and the last ring stay.
void part_rings(std::vector<Ring>& rings) {
  std::vector<Ring> kept{rings.front()};
  for (std::size_t i = 1; i + 1 < rings.size(); ++i) {
    if (fit_above(kept.back(), rings[i])) kept.push_back(rings[i]);
  }
  while (!fit_above(kept.back(), rings.back()) && kept.size() > 1) kept.pop_back();
  kept.push_back(rings.back());
  rings = std::move(kept);
}

}  // namespace

std::vector<Tube> find_tubes(const Plant& plant) {
  const std::size_t count = plant.segments.size();
  std::vector<Index> next(count, no_index);
  for (std::size_t i = 0; i < count; ++i) {
    const Segment& child = plant.segments[i];
    if (child.parent == no_index) continue;
    const Segment& parent = segment_at(plant, child.parent);
    Index& best = next[static_cast<std::size_t>(child.parent)];
    if (!can_continue(parent, child)) continue;
    if (best == no_index || continues_better(parent, child, segment_at(plant, best))) {
      best = static_cast<Index>(i);
    }
  }
  std::vector<Tube> tubes;
  for (std::size_t i = 0; i < count; ++i) {
    const Index parent = plant.segments[i].parent;
    const bool starts =
        parent == no_index || next[static_cast<std::size_t>(parent)] != static_cast<Index>(i);
    if (!starts) continue;
    Tube& tube = tubes.emplace_back();
    for (Index s = static_cast<Index>(i); s != no_index; s = next[static_cast<std::size_t>(s)]) {
      tube.segments.push_back(s);
    }
  }
  return tubes;
}

std::vector<Ring> tube_rings(const Plant& plant, const Pose& rest, const Tube& tube) {
  THIGMO_ASSERT(!tube.segments.empty());
  const Index first = tube.segments.front(), last = tube.segments.back();
  std::vector<Ring> rings;
  if (segment_at(plant, first).parent == no_index) {
    rings.push_back({.centre_world = rest.base_world[static_cast<std::size_t>(first)],
                     .tangent_world = direction_world(rest, first),
                     .radius = segment_at(plant, first).radius_base,
                     .joint = {first, no_index},
                     .segment = first});
  } else {
    const Corner corner = branching_corner(plant, rest, first);
    rings.push_back({.centre_world = corner.position - corner.direction_in * corner.reach_in,
                     .tangent_world = corner.direction_in,
                     .radius = corner.radius_in,
                     .joint = {corner.segment_in, no_index},
                     .segment = corner.segment_in});
    add_corner(corner, rings);
  }
  for (std::size_t k = 1; k < tube.segments.size(); ++k) {
    add_corner(joint_corner(plant, rest, tube.segments[k - 1], tube.segments[k]), rings);
  }
  rings.push_back({.centre_world = point_on_segment(plant, rest, last, 1.0),
                   .tangent_world = direction_world(rest, last),
                   // A ring needs a width, and a point needs a ring below it.
                   .radius = std::max(segment_at(plant, last).radius_tip,
                                      0.02 * segment_at(plant, last).radius_base),
                   .joint = {last, no_index},
                   .segment = last});
  part_rings(rings);
  for (std::size_t i = 1; i < rings.size(); ++i) {
    rings[i].along = rings[i - 1].along + length(rings[i].centre_world - rings[i - 1].centre_world);
  }
  return rings;
}

namespace {

// Writes rings of vertices and the triangles between them.
class TubeWriter {
 public:
  TubeWriter(const Plant& plant, int sides, SkinnedMesh& mesh)
      : plant_(plant), sides_(sides), mesh_(mesh) {}

  // A ring with the x axis `across`. The first vertex stands at both ends of the ring, with u = 0
  // and u = turns, so that bark has a seam but no smear.
  std::uint32_t add_ring(const Ring& ring, const Vec3& across, double slope, double turns,
                         double v) {
    const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
    const Vec3 other = cross(across, ring.tangent_world);
    for (int k = 0; k <= sides_; ++k) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(k % sides_) / sides_;
      const Vec3 outward = across * std::cos(angle) + other * std::sin(angle);
      // The wall leans inwards where the radius shrinks: n ∝ outward - r' tangent.
      add_vertex(ring.centre_world + outward * ring.radius,
                 normalized(outward - ring.tangent_world * slope),
                 {turns * static_cast<double>(k) / sides_, v, 0}, ring);
    }
    close_group(first, ring);
    return first;
  }

  // A disc's middle or a dome's top.
  std::uint32_t add_point(const Ring& ring, const Vec3& position, const Vec3& normal, double v) {
    const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
    add_vertex(position, normal, {0.5, v, 0}, ring);
    close_group(first, ring);
    return first;
  }

  void join_rings(std::uint32_t lower, std::uint32_t upper) {
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(sides_); ++k) {
      add_triangle(lower + k, upper + k, upper + k + 1);
      add_triangle(lower + k, upper + k + 1, lower + k + 1);
    }
  }

  void close_below(std::uint32_t ring, std::uint32_t point) {
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(sides_); ++k) {
      add_triangle(point, ring + k, ring + k + 1);
    }
  }

  void close_above(std::uint32_t ring, std::uint32_t point) {
    for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(sides_); ++k) {
      add_triangle(point, ring + k + 1, ring + k);
    }
  }

 private:
  void add_vertex(const Vec3& position, const Vec3& normal, const Vec3& uv, const Ring& ring) {
    const auto narrow = [](const Vec3& v) {
      return Vec3f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    };
    mesh_.positions.push_back(narrow(position));
    mesh_.normals.push_back(narrow(normal));
    mesh_.uvs.push_back({static_cast<float>(uv.x), static_cast<float>(uv.y)});
    mesh_.colours.push_back(segment_colour(segment_at(plant_, ring.segment)));
  }

  void close_group(std::uint32_t first, const Ring& ring) {
    SkinGroup group{.first_vertex = first,
                    .vertex_count = static_cast<std::uint32_t>(mesh_.positions.size()) - first,
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
  int sides_;
  SkinnedMesh& mesh_;
};

}  // namespace

void add_tube(const Plant& plant, const Tube& tube, int sides, SkinnedMesh& mesh) {
  const std::vector<Ring> rings = tube_rings(plant, mesh.rest, tube);
  TubeWriter writer(plant, sides, mesh);
  // Texture squares stay square at the thickest place: v counts circumferences.
  double thickest = 0;
  for (const Ring& ring : rings) thickest = std::max(thickest, ring.radius);
  const double v_per_metre = 1.0 / (2.0 * std::numbers::pi * thickest);

  const Ring& start = rings.front();
  Vec3 across = rotate(
      mesh.rest.world_from_segment[static_cast<std::size_t>(tube.segments.front())], {1, 0, 0});
  across = normalized(across - start.tangent_world * dot(across, start.tangent_world),
                      any_perpendicular(start.tangent_world));
  const std::uint32_t start_ring = writer.add_ring(start, across, 0.0, 1.0, 0.0);
  std::uint32_t below = start_ring;
  for (std::size_t i = 1; i < rings.size(); ++i) {
    const Ring& ring = rings[i];
    // Parallel transport: the smallest rotation from tangent to tangent, no twist of its own.
    across = rotate(rotation_between(rings[i - 1].tangent_world, ring.tangent_world), across);
    across = normalized(across - ring.tangent_world * dot(across, ring.tangent_world));
    const double step = std::max(ring.along - rings[i - 1].along, 1e-12);
    const double slope = (ring.radius - rings[i - 1].radius) / step;
    const std::uint32_t here =
        writer.add_ring(ring, across, std::clamp(slope, -1.0, 1.0), 1.0, ring.along * v_per_metre);
    writer.join_rings(below, here);
    below = here;
  }

  const std::uint32_t bottom = writer.add_point(start, start.centre_world, -start.tangent_world, 0);
  writer.close_below(start_ring, bottom);
  // A dome: one ring at 45° of a sphere's quarter, then the top.
  const Ring& tip = rings.back();
  Ring shoulder = tip;
  const double half = std::numbers::sqrt2 / 2;
  shoulder.radius = tip.radius * half;
  shoulder.centre_world = tip.centre_world + tip.tangent_world * (tip.radius * half);
  const double v_shoulder = (tip.along + tip.radius * half) * v_per_metre;
  const std::uint32_t shoulder_ring = writer.add_ring(shoulder, across, -1.0, 1.0, v_shoulder);
  writer.join_rings(below, shoulder_ring);
  const std::uint32_t top =
      writer.add_point(tip, tip.centre_world + tip.tangent_world * tip.radius, tip.tangent_world,
                       (tip.along + tip.radius) * v_per_metre);
  writer.close_above(shoulder_ring, top);
}

}  // namespace thigmo
