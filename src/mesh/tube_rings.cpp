#include "mesh/tube_rings.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/assert.h"
#include "mesh/palette.h"

namespace thigmo {
namespace {

// Bends sharper than this are rounded.
const double rounded_cosine = std::cos(12.0 * std::numbers::pi / 180.0);

Vec3 direction_world(const Pose& pose, Index i) {
  return rotate(at(pose.world_from_segment, i), Vec3{0, 1, 0});
}

double radius_at_base(const Segment& s) { return s.radius_base; }
double radius_at_tip(const Segment& s) { return s.radius_tip; }

// A corner of the tube's centre line, with what meets there.
struct Corner {
  Vec3 position;
  Vec3 direction_in, direction_out;
  double reach_in = 0, reach_out = 0;  // how far the rounding may go [m]
  double radius_in = 0, radius_out = 0;
  double taper_in = 0, taper_out = 0;  // how much thinner what meets there gets in a metre
  Index segment_in = no_index, segment_out = no_index;
};

// Rings around a corner: one in the bisecting plane, or three on the quadratic Bézier curve
// B(t) = (1-t)² p0 + 2t(1-t) p1 + t² p2 that rounds it. A blend of two rotations that differ by θ
// shrinks a ring by cos(θ/2) across the bend; only the middle ring is a blend, so that the shrinking
// stays close to the joint. What is bent at rest has two more, for the eye.
void add_corner(const Corner& corner, const MeshOptions& options, std::vector<Ring>& rings) {
  const double radius = 0.5 * (corner.radius_in + corner.radius_out);
  const auto ring = [&](const Vec3& centre, const Vec3& tangent, double r, float weight_out) {
    const Index nearer = weight_out < 0.5f ? corner.segment_in : corner.segment_out;
    Ring added{.centre_world = centre,
               .tangent_world = normalized(tangent, corner.direction_out),
               .radius = r,
               .joint = {nearer, no_index},
               .segment = nearer};
    if (weight_out > 0 && weight_out < 1) {
      added.joint = {corner.segment_in, corner.segment_out};
      added.weight = {1.0f - weight_out, weight_out};
    }
    rings.push_back(added);
  };
  const Vec3 bisector = corner.direction_in + corner.direction_out;
  const bool straight = dot(corner.direction_in, corner.direction_out) > rounded_cosine;
  if (straight && !options.joint_rings) {
    ring(corner.position, bisector, radius, 0.5f);
    return;
  }
  const Vec3 p0 = corner.position - corner.direction_in * corner.reach_in;
  const Vec3 p2 = corner.position + corner.direction_out * corner.reach_out;
  // With less room between them rings would cut each other where a gale bends the joint further.
  const bool roomy = std::min(corner.reach_in, corner.reach_out) > 5.5 * radius;
  const std::vector<double> places =
      straight || !roomy ? std::vector{0.1, 0.5, 0.9} : std::vector{0.1, 0.32, 0.5, 0.68, 0.9};
  for (const double t : places) {
    const double s = 1.0 - t;
    const float weight_out = t < 0.5 ? 0.0f : t > 0.5 ? 1.0f : 0.5f;
    const Vec3 centre = p0 * (s * s) + corner.position * (2 * s * t) + p2 * (t * t);
    const Vec3 tangent = (corner.position - p0) * s + (p2 - corner.position) * t;
    const double taper =
        s * s * corner.reach_in * corner.taper_in - t * t * corner.reach_out * corner.taper_out;
    ring(centre, tangent, s * corner.radius_in + t * corner.radius_out + taper, weight_out);
  }
}

// The collar of a side branch, measured along the branch from its base.
struct Collar {
  double start = 0;   // where the branch's lower side comes out of the parent's bark [m]
  double reach = 0;   // [m]
  double widest = 0;  // [m]
};

// A branch of radius r leaves a wall of radius R at the angle α: its lower side at (R - r cos α) / sin α
// from the base, its upper side at (R + r cos α) / sin α. The collar is widest at the first, so that
// nothing of it stands out below, and ends two radii after the second.
std::optional<Collar> collar_of(const Plant& plant, const Pose& rest, Index first, double collar) {
  const Segment& s = segment_at(plant, first);
  const Segment& parent = segment_at(plant, s.parent);
  if (!(collar > 0) || is_flat(s) || is_flat(parent)) return std::nullopt;
  const double wall = std::min(parent.radius_base, parent.radius_tip);
  // Among stems of like thickness a collar would stand out of the parent.
  const double widest = std::min(s.radius_base * (1.0 + collar), 0.85 * wall);
  if (widest <= s.radius_base) return std::nullopt;
  const double cosine = dot(direction_world(rest, s.parent), direction_world(rest, first));
  const double sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
  const double end = (wall + s.radius_base * std::abs(cosine)) + 2.0 * s.radius_base * sine;
  // A branch that clings to its parent comes out of it nowhere in particular.
  if (sine * 0.6 * s.length < end) return std::nullopt;
  const double start = (wall - widest * std::abs(cosine)) / sine;
  return Collar{.start = start, .reach = end / sine - start, .widest = widest};
}

// The bend where a side branch leaves its parent: it starts along the parent's own direction. With a
// collar it is bent inside the parent.
Corner branching_corner(const Plant& plant, const Pose& rest, Index first,
                        const std::optional<Collar>& collar) {
  const Segment& s = segment_at(plant, first);
  const Segment& parent = segment_at(plant, s.parent);
  // Fibres of the branch run down the parent for about its own diameter.
  const double own = radius_at_base(s);
  const double down = std::clamp(2.0 * own, 0.0, std::max(s.base_in_parent.y, 0.0));
  const double inside = std::min(own, 0.9 * std::max(radius_at_tip(parent), 1e-9));
  return {.position = at(rest.base_world, first),
          .direction_in = direction_world(rest, s.parent),
          .direction_out = direction_world(rest, first),
          .reach_in = down,
          .reach_out = collar ? std::min(0.9 * collar->start, 2.0 * own)
                              : std::min(0.4 * s.length, 2.0 * own),
          .radius_in = inside,
          .radius_out = own,
          .segment_in = s.parent,
          .segment_out = first};
}

// A curve that rounds a corner by the reach a passes it at a/2 · sin(θ/2): where something sits on the
// corner that must stay below half a radius.
Corner joint_corner(const Plant& plant, const Pose& rest, Index in, Index out, bool bears) {
  const Segment &a = segment_at(plant, in), &b = segment_at(plant, out);
  // Long enough for a soft shade, and for the inner side of a sharp bend not to fold.
  const double wide = 2.5 * std::max(radius_at_tip(a), radius_at_base(b));
  const Vec3 into = direction_world(rest, in), out_of = direction_world(rest, out);
  const double cosine = dot(into, out_of);
  const double long_reach = (cosine > rounded_cosine ? 0.15 : 0.4) * std::min(a.length, b.length);
  const double half_sine = std::sqrt(std::max(0.5 * (1 - cosine), 1e-12));
  const double near = bears ? 0.4 * wide / half_sine : long_reach;  // wide is 2.5 radii
  const double most = std::max(wide, std::min(long_reach, near));
  return {.position = at(rest.base_world, out),
          .direction_in = into,
          .direction_out = out_of,
          .reach_in = std::min(0.4 * a.length, most),
          .reach_out = std::min(0.4 * b.length, most),
          .radius_in = radius_at_tip(a),
          .radius_out = radius_at_base(b),
          .taper_in = (radius_at_base(a) - radius_at_tip(a)) / a.length,
          .taper_out = (radius_at_base(b) - radius_at_tip(b)) / b.length,
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

// A ring that is dropped is missed where it stands farther than this from the one below, in radii of the
// thicker of both: there the stem would have no wall.
constexpr double missed_radii = 1.5;

bool is_near(const Ring& lower, const Ring& upper) {
  const Vec3 gap = upper.centre_world - lower.centre_world;
  const double reach = missed_radii * std::max(lower.radius, upper.radius);
  return dot(gap, gap) <= reach * reach;
}

// A wall needs two rings. A stem that turns back within its own thickness leaves room for one: it is
// drawn straight, from its first ring to the one farthest from it, as the block of wood that it is.
std::vector<Ring> stub_rings(const std::vector<Ring>& wanted) {
  const Ring& first = wanted.front();
  const auto farther = [&](const Ring& a, const Ring& b) {
    return length(a.centre_world - first.centre_world) <
           length(b.centre_world - first.centre_world);
  };
  std::vector<Ring> stub{first, *std::max_element(wanted.begin() + 1, wanted.end(), farther)};
  const Vec3 along = stub[1].centre_world - first.centre_world;
  for (Ring& ring : stub) ring.tangent_world = normalized(along, first.tangent_world);
  return stub;
}

// Short thick segments at a bend have no room for a ring each: such rings are tilted, or dropped
// where tilting is not enough. The first ring stays; for the last, others near it make room. At least
// two are left. False when a ring was dropped that is missed, or all but the first would have been.
bool part_rings(std::vector<Ring>& rings) {
  std::vector<Ring> kept{rings.front()};
  bool whole = true;
  for (std::size_t i = 1; i + 1 < rings.size(); ++i) {
    if (fit_above(kept.back(), rings[i])) {
      kept.push_back(rings[i]);
    } else {
      whole = whole && is_near(kept.back(), rings[i]);
    }
  }
  std::size_t below = kept.size() - 1;
  while (!fit_above(kept[below], rings.back()) && below > 0 && is_near(kept[below], rings.back())) {
    --below;
  }
  if (fit_above(kept[below], rings.back())) {
    kept.resize(below + 1);
    kept.push_back(rings.back());
  } else {
    whole = whole && is_near(kept.back(), rings.back());
  }
  if (kept.size() == 1) {
    rings = stub_rings(rings);
    return false;
  }
  rings = std::move(kept);
  return whole;
}

Ring ring_on(const Plant& plant, const Pose& rest, Index segment, double fraction, double radius) {
  return {.centre_world = point_on_segment(plant, rest, segment, fraction),
          .tangent_world = direction_world(rest, segment),
          .radius = radius,
          .joint = {segment, no_index},
          .segment = segment};
}

// The foot of a stem: r(h) = r (1 + flare (1 - h/H)³) over the height H of four radii.
void add_foot(const Plant& plant, const Pose& rest, Index first, double flare,
              std::vector<Ring>& rings) {
  const Segment& s = segment_at(plant, first);
  const double radius = radius_at_base(s);
  if (!(flare > 0) || s.cut_base) {
    rings.push_back(ring_on(plant, rest, first, 0, radius));
    return;
  }
  const double height = std::min(4.0 * radius, 0.6 * s.length);
  for (const double part : {0.0, 0.12, 0.28, 0.5, 1.0}) {
    const double wide = radius * (1.0 + flare * std::pow(1.0 - part, 3));
    const double fraction = part * height / s.length;
    const double taper = fraction * (radius_at_tip(s) - radius);
    rings.push_back(ring_on(plant, rest, first, fraction, wide + taper));
  }
}

// r(d) = r + (widest - r) (1 - d/D)² at the distance d from the collar's start, over its reach D.
void add_collar(const Plant& plant, const Pose& rest, Index first, const Collar& collar,
                std::vector<Ring>& rings) {
  const Segment& s = segment_at(plant, first);
  for (const double part : {0.0, 0.2, 0.45, 1.0}) {
    const double fraction = (collar.start + part * collar.reach) / s.length;
    const double plain = s.radius_base + fraction * (s.radius_tip - s.radius_base);
    const double wide = (collar.widest - s.radius_base) * (1.0 - part) * (1.0 - part);
    rings.push_back(ring_on(plant, rest, first, fraction, plain + wide));
  }
}

// A shoot that ends as thick as it is narrows to a nose, r(x) = r √(1 - x²), which begins `nose` radii
// below the tip and ends a radius above it, as the dome of a blunt one does. Others are pointed already,
// or stout: pegs, boards of pots. Where branches go on from the tip they hide it.
void add_tip(const Plant& plant, const Pose& rest, const Tube& tube, double nose,
             std::vector<Ring>& rings) {
  const Index last = tube.segments.back();
  const Segment& end = segment_at(plant, last);
  double whole = 0;
  for (const Index s : tube.segments) whole += segment_at(plant, s).length;
  // A ring needs a width, and a point needs a ring below it.
  const double radius = std::max(radius_at_tip(end), 0.02 * radius_at_base(end));
  const auto next = static_cast<std::size_t>(last) + 1;
  const bool bears = next < plant.segments.size() && plant.segments[next].parent == last;
  const double reach = std::min(nose * radius, 0.4 * end.length);
  // What was cut ends where it was.
  const bool cut = end.cut_tip;
  const bool pointed = radius < 0.35 * radius_at_base(end), stout = whole < 20 * radius;
  if (bears || cut || is_rectangle(end) || pointed || stout || reach < radius) {
    rings.push_back(ring_on(plant, rest, last, 1.0, radius));
    return;
  }
  for (const double part : {0.0, 0.5, 0.8, 1.0}) {
    const double fraction = 1.0 - (1.0 - part) * reach / end.length;
    const double plain = end.radius_tip + (1.0 - fraction) * (end.radius_base - end.radius_tip);
    const double x = part * reach / (reach + radius);
    rings.push_back(ring_on(plant, rest, last, fraction, plain * std::sqrt(1.0 - x * x)));
  }
}

}  // namespace

Vec3 ring_centre(const Ring& ring, const Pose& rest, const Pose& pose) {
  Vec3 centre;
  for (std::size_t k = 0; k < 2 && ring.joint[k] != no_index; ++k) {
    const auto s = as_size(ring.joint[k]);
    const Quat turn = pose.world_from_segment[s] * conjugate(rest.world_from_segment[s]);
    centre += (pose.base_world[s] + rotate(turn, ring.centre_world - rest.base_world[s])) *
              static_cast<double>(ring.weight[k]);
  }
  return centre;
}

Vec3f ring_colour(const Plant& plant, const Ring& ring) {
  // The young part of a branch that begins inside its parent is not the parent's bark.
  if (ring.joint[1] == no_index)
    return segment_colour(segment_at(plant, ring.segment), ring.radius);
  Vec3f colour;
  for (std::size_t k = 0; k < 2; ++k) {
    colour += segment_colour(segment_at(plant, ring.joint[k]), ring.radius) * ring.weight[k];
  }
  return colour;
}

namespace {

// A side branch's start: along its parent, then out of it.
void add_start(const Corner& corner, const MeshOptions& options, std::vector<Ring>& rings) {
  rings.push_back({.centre_world = corner.position - corner.direction_in * corner.reach_in,
                   .tangent_world = corner.direction_in,
                   .radius = corner.radius_in,
                   .joint = {corner.segment_in, no_index},
                   .segment = corner.segment_in});
  add_corner(corner, options, rings);
}

// Or on the parent's middle line at once: a disc that is no wider than the parent stays inside the ball
// around its middle, however the branch turns. What is thicker widens to its radius under 45°.
void add_straight_start(const Plant& plant, const Pose& rest, const Corner& corner,
                        std::vector<Ring>& rings) {
  const Segment& s = segment_at(plant, corner.segment_out);
  rings.push_back(ring_on(plant, rest, corner.segment_out, 0, corner.radius_in));
  const double fraction = std::min((corner.radius_out - corner.radius_in) / s.length, 0.3);
  const double radius = corner.radius_out + fraction * (radius_at_tip(s) - corner.radius_out);
  rings.push_back(ring_on(plant, rest, corner.segment_out, std::max(fraction, 1e-3), radius));
}

// As part_rings says.
bool try_rings(const Plant& plant, const Pose& rest, const Tube& tube, const MeshOptions& options,
               bool straight, std::vector<Ring>& rings) {
  const Index first = tube.segments.front();
  rings.clear();
  if (segment_at(plant, first).parent == no_index) {
    add_foot(plant, rest, first, options.root_flare, rings);
  } else {
    const std::optional<Collar> collar = collar_of(plant, rest, first, options.collar);
    const Corner corner = branching_corner(plant, rest, first, collar);
    if (straight) {
      add_straight_start(plant, rest, corner, rings);
    } else {
      add_start(corner, options, rings);
    }
    if (collar) add_collar(plant, rest, first, *collar, rings);
  }
  for (std::size_t k = 1; k < tube.segments.size(); ++k) {
    add_corner(
        joint_corner(plant, rest, tube.segments[k - 1], tube.segments[k], tube.bears[k - 1] != 0),
        options, rings);
  }
  add_tip(plant, rest, tube, options.nose, rings);
  return part_rings(rings);
}

// Follows a run from joint to joint, as `part_rings` does, and begins anew where a ring is missed.
class TurnFinder {
 public:
  TurnFinder(const Plant& plant, const Pose& rest, const Tube& run, const MeshOptions& options)
      : plant_(plant), rest_(rest), run_(run), options_(options) {
    begin(0);
  }

  std::vector<std::size_t> find() {
    std::vector<Ring> corner;
    for (std::size_t k = 1; k < run_.segments.size(); ++k) {
      corner.clear();
      add_corner(joint_corner(plant_, rest_, run_.segments[k - 1], run_.segments[k],
                              run_.bears[k - 1] != 0),
                 options_, corner);
      for (const Ring& ring : corner) follow(ring, ring.segment == run_.segments[k] ? k : k - 1);
    }
    const Index last = run_.segments.back();
    const double radius = radius_at_tip(segment_at(plant_, last));
    follow(ring_on(plant_, rest_, last, 1.0, radius), run_.segments.size() - 1);
    return std::move(turns_);
  }

 private:
  void begin(std::size_t k) {
    const Index segment = run_.segments[k];
    begun_ = k;
    below_ = ring_on(plant_, rest_, segment, 0, radius_at_base(segment_at(plant_, segment)));
  }

  void follow(Ring ring, std::size_t k) {
    if (!fit_above(below_, ring)) {
      if (is_near(below_, ring) || begun_ == k) return;
      turns_.push_back(k);
      begin(k);
      if (!fit_above(below_, ring)) return;
    }
    below_ = ring;
  }

  const Plant& plant_;
  const Pose& rest_;
  const Tube& run_;
  const MeshOptions& options_;
  std::size_t begun_ = 0;
  Ring below_;
  std::vector<std::size_t> turns_;
};

}  // namespace

std::vector<std::size_t> sharp_turns(const Plant& plant, const Pose& rest, const Tube& run,
                                     const MeshOptions& options) {
  return TurnFinder(plant, rest, run, options).find();
}

std::vector<Ring> tube_rings(const Plant& plant, const Pose& rest, const Tube& tube,
                             const MeshOptions& options) {
  THIGMO_ASSERT(!tube.segments.empty());
  std::vector<Ring> rings;
  if (!try_rings(plant, rest, tube, options, false, rings) &&
      segment_at(plant, tube.segments.front()).parent != no_index) {
    try_rings(plant, rest, tube, options, true, rings);
  }
  for (std::size_t i = 1; i < rings.size(); ++i) {
    rings[i].along = rings[i - 1].along + length(rings[i].centre_world - rings[i - 1].centre_world);
  }
  return rings;
}

}  // namespace thigmo
