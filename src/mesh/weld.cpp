#include "mesh/weld.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/assert.h"
#include "mesh/perpendicular.h"
#include "mesh/prune.h"

namespace thigmo {
namespace {

using std::numbers::pi;

double thickest_radius(const Plant& plant, const Tube& tube) {
  double radius = 0;
  for (const Index s : tube.segments) {
    radius = std::max(radius, at(plant.segments, s).radius_base);
  }
  return radius;
}

// Sides grow with the square root of the thickness: the angle a side is seen under shrinks slower
// than the stem does.
int tube_sides(double radius, double thickest, const MeshOptions& options) {
  const double part = thickest > 0 ? std::sqrt(radius / thickest) : 1.0;
  const int sides = static_cast<int>(std::lround(part * options.sides_max));
  return std::clamp(sides, options.sides_min, options.sides_max);
}

// A ring between two others.
Ring ring_between(const Ring& a, const Ring& b, double t) {
  Ring ring = t < 0.5 ? a : b;
  ring.centre_world = a.centre_world * (1 - t) + b.centre_world * t;
  ring.tangent_world = normalized(a.tangent_world * (1 - t) + b.tangent_world * t, a.tangent_world);
  ring.radius = a.radius * (1 - t) + b.radius * t;
  ring.along = a.along * (1 - t) + b.along * t;
  return ring;
}

Vec3 across_between(const Vec3& a, const Vec3& b, double t, const Vec3& tangent) {
  const Vec3 mixed = a * (1 - t) + b * t;
  return perpendicular_part(mixed, tangent);
}

// A ring that two segments carry, the second with this weight; one that is not needed is left out.
void carry(Index first, Index second, double weight, Ring& ring) {
  const auto of_first = static_cast<float>(1 - weight), of_second = static_cast<float>(weight);
  ring.joint = {of_first > 0 ? first : second, no_index};
  ring.weight = {1, 0};
  if (!(of_first > 0) || !(of_second > 0)) return;
  ring.joint[1] = second;
  ring.weight = {of_first, of_second};
}

// Weights of a ring in the middle of a wall: those of its neighbours, mixed. Two rings side by side
// are carried by at most two segments, as rings with blends stand between rings without.
void mix_weights(const Ring& a, const Ring& b, double t, Ring& ring) {
  const auto weight_of = [](const Ring& from, Index joint) {
    double sum = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      if (from.joint[k] == joint) sum += static_cast<double>(from.weight[k]);
    }
    return sum;
  };
  std::vector<Index> joints;
  for (const Ring* from : {&a, &b}) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (from->joint[k] == no_index || (k == 1 && from->weight[1] <= 0)) continue;
      if (std::find(joints.begin(), joints.end(), from->joint[k]) == joints.end())
        joints.push_back(from->joint[k]);
    }
  }
  if (joints.size() > 2) return;
  ring.joint = {joints[0], no_index};
  ring.weight = {1, 0};
  if (joints.size() < 2) return;
  const double second = weight_of(a, joints[1]) * (1 - t) + weight_of(b, joints[1]) * t;
  carry(joints[0], joints[1], second, ring);
}

Vec3 outline_point(const Ring& ring, const Vec3& across, int k, int sides) {
  const double angle = 2 * pi * k / sides;
  const Vec3 other = cross(across, ring.tangent_world);
  return ring.centre_world + (across * std::cos(angle) + other * std::sin(angle)) * ring.radius;
}

// Where a point is against a tube's wall.
struct WallPlace {
  std::size_t interval = 0;  // between this ring and the next
  double along = 0;          // [m]
  double angle = 0;          // from the rings' x axes
  double outside = 0;        // distance from the wall [m]
  double radius = 0;         // of the wall there [m]
};

// None beyond the tube's ends. Of a bent tube's intervals that claim the point the nearest counts;
// only `window` intervals to either side of `near` are looked at.
std::optional<WallPlace> place_at(const TubeShape& tube, const Vec3& point, std::size_t near,
                                  std::size_t window) {
  std::optional<WallPlace> best;
  double best_distance = 0;
  const std::size_t first = near > window ? near - window : 0;
  const std::size_t end = std::min(tube.rings.size() - 1, near + window + 1);
  for (std::size_t i = first; i < end; ++i) {
    const Ring &a = tube.rings[i], &b = tube.rings[i + 1];
    const double above = dot(point - a.centre_world, a.tangent_world);
    const double below = dot(point - b.centre_world, b.tangent_world);
    if (above < 0 || below >= 0) continue;
    const double t = above / (above - below);
    const Ring here = ring_between(a, b, t);
    const Vec3 off = point - here.centre_world;
    const double distance = length(off);
    if (best && distance >= best_distance) continue;
    const Vec3 across =
        across_between(tube.across_world[i], tube.across_world[i + 1], t, here.tangent_world);
    const Vec3 other = cross(across, here.tangent_world);
    best_distance = distance;
    best = WallPlace{.interval = i,
                     .along = here.along,
                     .angle = std::atan2(dot(off, other), dot(off, across)),
                     .outside = distance - here.radius,
                     .radius = here.radius};
  }
  return best;
}

double wrapped(double angle) { return std::remainder(angle, 2 * pi); }

// Plans how one branch is stitched to its parent.
class Welder {
 public:
  Welder(TubeShape& parent, TubeShape& branch) : parent_(parent), branch_(branch) {}

  // Makes the hole and cuts the branch off below its first ring outside; the hole's number.
  std::optional<std::size_t> weld() {
    if (!parent_.flatness.empty() || !branch_.flatness.empty()) return std::nullopt;
    find_near();
    if (!find_first_ring() || !find_place()) return std::nullopt;
    stand_ring(parent_, low_);
    stand_ring(parent_, high_);
    parent_.holes.push_back(
        {.low = low_, .high = high_, .column_first = column_first_, .column_count = column_count_});
    cut_branch();
    return parent_.holes.size() - 1;
  }

 private:
  static constexpr std::size_t window = 24;  // rings to look at around the branching

  // The parent's ring nearest to where the branch begins.
  void find_near() {
    double least = -1;
    for (std::size_t i = 0; i < parent_.rings.size(); ++i) {
      const Vec3 gap = parent_.rings[i].centre_world - branch_.rings.front().centre_world;
      if (least < 0 || dot(gap, gap) < least) {
        least = dot(gap, gap);
        near_ = i;
      }
    }
  }

  bool all_outside(const Ring& ring, const Vec3& across) const {
    for (int k = 0; k < branch_.sides; ++k) {
      const auto place =
          place_at(parent_, outline_point(ring, across, k, branch_.sides), near_, window);
      if (place && place->outside < 0.05 * ring.radius) return false;
    }
    return true;
  }

  // The first ring of the branch that is wholly outside, as near to the wall as it may be.
  bool find_first_ring() {
    const std::vector<Ring>& rings = branch_.rings;
    std::size_t k = 0;
    while (k < rings.size() && !all_outside(rings[k], branch_.across_world[k])) ++k;
    if (k == 0 || k == rings.size()) return false;
    double inside = 0, outside = 1;
    const auto between = [&](double t) {
      first_ = ring_between(rings[k - 1], rings[k], t);
      first_across_ = across_between(branch_.across_world[k - 1], branch_.across_world[k], t,
                                     first_.tangent_world);
    };
    for (int i = 0; i < 8; ++i) {
      const double t = 0.5 * (inside + outside);
      between(t);
      (all_outside(first_, first_across_) ? outside : inside) = t;
    }
    between(outside);
    next_ = k;
    return true;
  }

  // Branches as thick as their parent, or side by side with others, begin with a neck.
  bool find_place() {
    const double radius = first_.radius;
    for (const double neck : {1.0, 0.82, 0.66}) {
      first_.radius = radius * neck;
      if (find_footprint() && find_hole()) return true;
    }
    return false;
  }

  // Where the branch's outline, carried on backwards, meets the wall.
  bool find_footprint() {
    footprint_.clear();
    for (int k = 0; k < branch_.sides; ++k) {
      const std::optional<WallPlace> hit =
          wall_behind(outline_point(first_, first_across_, k, branch_.sides));
      if (!hit) return false;
      footprint_.push_back(*hit);
    }
    return true;
  }

  // The first place in the wall behind a point, to a fifth of the branch's radius. A twig much thinner than
  // its parent goes there in larger steps, and back by halves: the wall is as smooth as the parent is thick.
  std::optional<WallPlace> wall_behind(const Vec3& start) const {
    const auto inside = [&](double back) -> std::optional<WallPlace> {
      const auto place = place_at(parent_, start - first_.tangent_world * back, near_, window);
      return place && place->outside <= 0 ? place : std::nullopt;
    };
    constexpr double most_steps = 1000;
    const double reach = 4 * std::max(first_.radius, parent_.rings[near_].radius);
    const double fine = 0.2 * first_.radius, step = std::max(fine, reach / most_steps);
    for (double back = 0; back < reach; back += step) {
      std::optional<WallPlace> hit = inside(back);
      if (!hit) continue;
      double low = back - step, high = back;
      for (int i = 0; i < 60 && high - low > fine && low >= 0; ++i) {
        const double middle = 0.5 * (low + high);
        const std::optional<WallPlace> place = inside(middle);
        (place ? high : low) = middle;
        if (place) hit = place;
      }
      return hit;
    }
    return std::nullopt;
  }

  bool find_hole() {
    double x = 0, z = 0;
    for (const WallPlace& p : footprint_) {
      x += std::cos(p.angle);
      z += std::sin(p.angle);
    }
    const double middle = std::atan2(z, x);
    double left = 0, right = 0;
    low_ = high_ = footprint_.front().along;
    for (const WallPlace& p : footprint_) {
      left = std::min(left, wrapped(p.angle - middle));
      right = std::max(right, wrapped(p.angle - middle));
      low_ = std::min(low_, p.along);
      high_ = std::max(high_, p.along);
    }
    // A rim of its own around the branch, so that the collar leans outwards everywhere.
    const double rim = 0.2 * (high_ - low_);
    low_ -= rim;
    high_ += rim;
    const double side = 2 * pi / parent_.sides;
    column_first_ = static_cast<int>(std::floor((middle + 1.1 * left) / side));
    column_count_ = static_cast<int>(std::ceil((middle + 1.1 * right) / side)) - column_first_;
    if (column_count_ < 1 || 2 * column_count_ > parent_.sides) return false;
    snap(rim);
    if (low_ <= parent_.rings.front().along || high_ >= parent_.rings.back().along) return false;
    return std::none_of(parent_.holes.begin(), parent_.holes.end(),
                        [this](const WallHole& hole) { return meets(hole); });
  }

  // Rings that stand where a rim would be serve as well; a little inside they must, since another
  // ring so near would have no wall between.
  void snap(double rim) {
    const double inside = 0.4 * rim, low = low_, high = high_;
    for (const Ring& ring : parent_.rings) {
      if (ring.along <= low + inside && ring.along > low - rim) low_ = ring.along;
      if (ring.along >= high - inside && ring.along < high + rim) {
        high_ = ring.along;
        break;
      }
    }
  }

  bool meets(const WallHole& hole) const {
    if (hole.high <= low_ || hole.low >= high_) return false;
    for (int c = 0; c < column_count_; ++c) {
      const int apart = (column_first_ + c - hole.column_first) % parent_.sides;
      if ((apart + parent_.sides) % parent_.sides < hole.column_count) return true;
    }
    return false;
  }

  // Puts a ring at this place of a tube, where there is none.
  static void stand_ring(TubeShape& tube, double along) {
    std::vector<Ring>& rings = tube.rings;
    const auto above = std::lower_bound(rings.begin(), rings.end(), along,
                                        [](const Ring& r, double a) { return r.along < a; });
    const auto i = static_cast<std::size_t>(above - rings.begin());
    THIGMO_ASSERT(i > 0 && i < rings.size());
    if (above->along == along) return;
    const Ring &a = rings[i - 1], &b = rings[i];
    const double t = (along - a.along) / (b.along - a.along);
    Ring ring = ring_between(a, b, t);
    mix_weights(a, b, t, ring);
    ring.along = along;
    const Vec3 across =
        across_between(tube.across_world[i - 1], tube.across_world[i], t, ring.tangent_world);
    rings.insert(above, ring);
    tube.across_world.insert(tube.across_world.begin() + static_cast<std::ptrdiff_t>(i), across);
  }

  // Leaves the rings from the first one outside on. That one goes with the parent, so that the collar
  // keeps its form; the branch takes over within three radii, which have rings for it.
  void cut_branch() {
    const WallPlace& foot = footprint_.front();
    const Index carrier = parent_.rings[std::min(foot.interval, parent_.rings.size() - 1)].joint[0];
    const double radius = branch_.rings[next_].radius;
    first_.segment = branch_.rings[next_].segment;
    first_.joint = {carrier, no_index};
    first_.weight = {1, 0};
    std::size_t keep = next_;
    while (keep + 1 < branch_.rings.size() &&
           branch_.rings[keep].along - first_.along < 0.3 * radius) {
      ++keep;
    }
    const auto drop = static_cast<std::ptrdiff_t>(keep);
    branch_.rings.erase(branch_.rings.begin(), branch_.rings.begin() + drop);
    branch_.across_world.erase(branch_.across_world.begin(), branch_.across_world.begin() + drop);
    branch_.rings.insert(branch_.rings.begin(), first_);
    branch_.across_world.insert(branch_.across_world.begin(), first_across_);
    for (const double part : {1.0, 2.0, 3.0}) {
      const double along = first_.along + part * radius;
      if (gap_at(branch_.rings, along) > 0.5 * radius) stand_ring(branch_, along);
    }
    for (Ring& ring : branch_.rings) {
      const double part = (ring.along - first_.along) / (3 * radius);
      if (part >= 1) break;
      if (ring.joint[1] != no_index || ring.joint[0] == carrier) continue;
      const double weight = part * part * (3 - 2 * part);
      carry(carrier, ring.joint[0], weight, ring);
    }
  }

  // How far the nearest ring is, towards the tip's side none beyond it.
  static double gap_at(const std::vector<Ring>& rings, double along) {
    double gap = std::max(0.0, rings.back().along - along);
    for (const Ring& ring : rings) gap = std::min(gap, std::abs(ring.along - along));
    return gap;
  }

  TubeShape& parent_;
  TubeShape& branch_;
  std::size_t near_ = 0, next_ = 0;
  Ring first_;
  Vec3 first_across_;
  std::vector<WallPlace> footprint_;
  double low_ = 0, high_ = 0;
  int column_first_ = 0, column_count_ = 0;
};

}  // namespace

std::vector<int> sides_of_tubes(const Plant& plant, std::span<const Tube> tubes,
                                const MeshOptions& options) {
  double thickest = 0;
  for (const Tube& tube : tubes) thickest = std::max(thickest, thickest_radius(plant, tube));
  std::vector<char> bears(plant.segments.size(), 0);
  for (const Tube& tube : tubes) {
    const Index parent = at(plant.segments, tube.segments.front()).parent;
    if (parent != no_index) at(bears, parent) = 1;
  }
  // A hole takes two or three columns of a wall, and some must stay.
  const int least_sides_of_stems = std::min(6, options.sides_max);
  std::vector<int> all;
  for (const Tube& tube : tubes) {
    int sides = tube_sides(thickest_radius(plant, tube), thickest, options);
    const bool stem = std::any_of(tube.segments.begin(), tube.segments.end(),
                                  [&](Index s) { return at(bears, s) != 0; });
    if (options.weld && stem) sides = std::max(sides, least_sides_of_stems);
    all.push_back(sides);
  }
  return all;
}

std::vector<TubeShape> tube_shapes(const Plant& plant, const Pose& rest,
                                   const MeshOptions& options) {
  const std::vector<Tube> tubes = find_tubes(plant, options);
  const std::vector<int> sides = sides_of_tubes(plant, tubes, options);
  std::vector<TubeShape> shapes;
  std::vector<std::size_t> shape_of_segment(plant.segments.size(), tubes.size());
  const std::vector<char> drawn = drawn_tubes(plant, tubes, options);
  for (std::size_t t = 0; t < tubes.size(); ++t) {
    if (drawn[t] == 0) continue;
    const Tube& tube = tubes[t];
    for (const Index s : tube.segments) {
      at(shape_of_segment, s) = shapes.size();
    }
    shapes.push_back(tube_shape(plant, rest, tube, sides[t], options));
    const Index parent = at(plant.segments, tube.segments.front()).parent;
    if (!options.weld || parent == no_index) continue;
    const std::size_t bearer = at(shape_of_segment, parent);
    if (bearer == tubes.size()) continue;
    const std::optional<std::size_t> hole = Welder(shapes[bearer], shapes.back()).weld();
    if (hole) shapes.back().stitch = TubeShape::Stitch{.parent = bearer, .hole = *hole};
  }
  return shapes;
}

}  // namespace thigmo
