#include "particles/particle_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "particles/components.h"

namespace thigmo {
namespace {

// Two points of a plant nearer than this are one, of the length of a segment there.
constexpr double same_place = 1e-6;
constexpr int most_iterations = 100'000;
// A particle has at least this part of its segment's mass.
constexpr double least_part = 0.02;

// Where segments begin and end at rest, in the plant's frame.
struct RestEnds {
  Pose pose;
  std::vector<Vec3> tip;
};
RestEnds rest_ends(const Plant& plant) {
  RestEnds ends{.pose = rest_pose(plant), .tip = {}};
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    ends.tip.push_back(ends.pose.base_world[i] +
                       rotate(ends.pose.world_from_segment[i], {0, plant.segments[i].length, 0}));
  }
  return ends;
}

Vec3 direction(const RestEnds& ends, std::size_t i) {
  return normalized(ends.tip[i] - ends.pose.base_world[i]);
}

// The normal of the plane that a plant is in: across the two segments that differ most. That of a straight one is
// level.
Vec3 plane_normal(const RestEnds& ends) {
  const Vec3 first = direction(ends, 0);
  Vec3 widest;
  for (std::size_t i = 0; i < ends.tip.size(); ++i) {
    const Vec3 across = cross(first, direction(ends, i));
    if (length(across) > length(widest)) widest = across;
  }
  if (length(widest) < same_place) widest = cross(first, {0, 1, 0});
  if (length(widest) < same_place) widest = {0, 0, 1};
  return normalized(widest);
}

class Builder {
 public:
  Builder(const Plant& plant, const Mechanism& mechanism, const ParticleSettings& settings,
          const Vec3& normal_in_plant)
      : plant_(plant),
        mechanism_(mechanism),
        ends_(rest_ends(plant)),
        supports_(settings.supports) {
    model_.settings = settings;
    model_.normal_in_plant =
        supports_ != 2 ? Vec3{}
                       : (normal_in_plant == Vec3{} ? plane_normal(ends_) : normal_in_plant);
    model_.stems.resize(plant.segments.size());
    sideways_.resize(plant.segments.size());
  }

  ParticleModel build() {
    for (Index i = 0; i < segment_count(plant_); ++i) {
      if (segment_at(plant_, i).parent == no_index) {
        add_root(i);
      } else {
        add_segment(i);
      }
    }
    find_roots_frames();
    share_masses();
    model_.components = find_components(model_);
    return std::move(model_);
  }

 private:
  using Constraints = std::vector<DistanceConstraint>;

  Index add_particle(const Vec3& place) {
    model_.rest_in_plant.push_back(place);
    return static_cast<Index>(model_.rest_in_plant.size()) - 1;
  }
  void tie(Index tail, Index head, Constraints& to) {
    to.push_back(
        {tail, head, length(at(model_.rest_in_plant, head) - at(model_.rest_in_plant, tail))});
  }

  // A first segment, and what holds it: a particle below it, and supports about its base.
  void add_root(Index i) {
    ParticleStem& stem = at(model_.stems, i);
    const Vec3 base = at(ends_.pose.base_world, i), tip = at(ends_.tip, i);
    stem.base = add_particle(base);
    stem.tip = add_particle(tip);
    stem.constraints = {static_cast<Index>(model_.constraints.size()), 1};
    tie(stem.base, stem.tip, model_.constraints);
    const Index below = add_particle(base * 2 - tip);
    model_.roots.push_back({.stem = i, .below = below, .other_across = {}});
    model_.roots.back().first_support =
        add_angular(below, i, any_perpendicular(direction(ends_, as_size(i))), model_.anchors);
  }

  // One particle, one constraint and one angular constraint for each further segment.
  void add_segment(Index i) {
    const Index parent = segment_at(plant_, i).parent;
    ParticleStem& stem = at(model_.stems, i);
    stem.base = at(model_.stems, parent).tip;
    stem.tip = add_particle(at(ends_.tip, i));
    stem.constraints.first = static_cast<Index>(model_.constraints.size());
    tie(stem.base, stem.tip, model_.constraints);
    stem.first_support =
        add_angular(at(model_.stems, parent).base, i, at(sideways_, parent), model_.constraints);
    const bool on_root = segment_at(plant_, parent).parent == no_index;
    if (twist_held()) {
      const Index below =
          on_root ? model_.roots.back().first_support : at(model_.stems, parent).first_support;
      link_supports(below, stem.first_support, on_root ? model_.anchors : model_.constraints);
      if (on_root) link_to_sibling(i, parent);
    }
    stem.constraints.count = static_cast<Index>(model_.constraints.size()) - stem.constraints.first;
  }

  // Strong angular constraint of Li (2012), section 3.3.3, of A below, B and C the ends of segment i: supports beside
  // B, across the mean of both directions, and constraints between all pairs but AB and BC. They are as far from B
  // as C is, so that those of opposite supports meet at C at a right angle, where they converge best.
  Index add_angular(Index a, Index i, const Vec3& sideways_below, Constraints& to) {
    const ParticleStem& stem = at(model_.stems, i);
    const Index b = stem.base, c = stem.tip;
    const Vec3 place = at(model_.rest_in_plant, b), onwards = direction(ends_, as_size(i));
    const Vec3 mean =
        normalized(normalized(place - at(model_.rest_in_plant, a)) + onwards, onwards);
    const Vec3 side = sideways(mean, sideways_below);
    at(sideways_, i) = side;
    const Vec3 other = cross(mean, side);
    const double away = segment_at(plant_, i).length;
    const std::array<Vec3, 4> four{side, other, -side, -other};
    const Index first = static_cast<Index>(model_.rest_in_plant.size());
    for (Index k = 0; k < supports_; ++k) {
      add_particle(place + four[as_size(supports_ == 2 ? 2 * k : k)] * away);
    }
    for (const Index node : {c, b, a}) {
      for (Index k = 0; k < supports_; ++k) tie(node, first + k, to);
    }
    for (Index k = 0; k < supports_; ++k) {
      for (Index l = k + 1; l < supports_; ++l) tie(first + k, first + l, to);
    }
    tie(a, c, to);
    const Vec3 across =
        at(model_.rest_in_plant, first) - at(model_.rest_in_plant, first + supports_ / 2);
    at(model_.stems, i).across = rotate(conjugate(at(ends_.pose.world_from_segment, i)), across);
    return first;
  }

  // Across the stem; in space as near to that of the segment below as can be.
  Vec3 sideways(const Vec3& along, const Vec3& below) const {
    if (supports_ == 2) return cross(model_.normal_in_plant, along);
    return normalized(below - along * dot(below, along), any_perpendicular(along));
  }

  bool twist_held() const { return supports_ == 4 && model_.settings.twist; }

  // Diagonals of both hands between the supports around two nodes, which a twist would lengthen and shorten.
  void link_supports(Index lower, Index upper, Constraints& to) {
    for (const auto& [k, l] : {std::pair<Index, Index>{0, 1}, {1, 0}, {2, 3}, {3, 2}}) {
      tie(lower + k, upper + l, to);
    }
  }

  // What stands on a first segment is tied to each other, so that it keeps together when the root is let go.
  void link_to_sibling(Index i, Index parent) {
    for (Index s = parent + 1; s < i; s += at(mechanism_.subtree_size, s)) {
      link_supports(at(model_.stems, s).first_support, at(model_.stems, i).first_support,
                    model_.constraints);
      return;
    }
  }

  // The supports that say how a first segment is turned when its own let go.
  void find_roots_frames() {
    for (ParticleRoot& root : model_.roots) {
      if (at(mechanism_.subtree_size, root.stem) == 1) continue;
      root.other_support = at(model_.stems, root.stem + 1).first_support;
      const Vec3 across = at(model_.rest_in_plant, root.other_support) -
                          at(model_.rest_in_plant, root.other_support + supports_ / 2);
      root.other_across = rotate(conjugate(at(ends_.pose.world_from_segment, root.stem)), across);
    }
  }

  // A segment's mass is at its ends, where its centre of mass is that of the wood. A node gives half of what it has
  // to the supports around it.
  void share_masses() {
    const std::size_t n = model_.rest_in_plant.size();
    std::vector<double>&mass = model_.mass, &node = model_.node_mass;
    mass.assign(n, 0);
    node.assign(n, 0);
    std::vector<int> segments(n), angulars(n);
    for (std::size_t i = 0; i < model_.stems.size(); ++i) {
      ParticleStem& stem = model_.stems[i];
      const Body& body = mechanism_.body[i];
      const double part = std::clamp(body.first_moment.y / (body.mass * plant_.segments[i].length),
                                     least_part, 1 - least_part);
      stem.tip_part = body.mass * part;
      stem.base_part = body.mass - stem.tip_part;
      at(node, stem.base) += stem.base_part;
      at(node, stem.tip) += stem.tip_part;
      ++at(segments, stem.base);
      ++at(segments, stem.tip);
      if (stem.first_support != no_index) ++at(angulars, stem.base);
    }
    mass = node;
    for (ParticleStem& stem : model_.stems) {
      stem.base_share = at(node, stem.base) / at(segments, stem.base);
      stem.tip_share = at(node, stem.tip) / at(segments, stem.tip);
      if (stem.first_support == no_index) continue;
      const double whole = at(node, stem.base);
      at(mass, stem.base) = whole / 2;
      for (Index k = 0; k < supports_; ++k) {
        at(mass, stem.first_support + k) = whole / (2.0 * supports_ * at(angulars, stem.base));
      }
    }
  }

  const Plant& plant_;
  const Mechanism& mechanism_;
  RestEnds ends_;
  Index supports_;
  std::vector<Vec3> sideways_;  // of each segment's supports
  ParticleModel model_;
};

Result<Done> check_flat(const Plant& plant) {
  const RestEnds ends = rest_ends(plant);
  const Vec3 normal = plane_normal(ends), origin = ends.pose.base_world[0];
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    for (const Vec3& end : {ends.pose.base_world[i], ends.tip[i]}) {
      if (std::abs(dot(end - origin, normal)) <= 1e-6 * (1 + length(end - origin))) continue;
      return error(
          fmt::format("'{}' is not flat: segment {} leaves the plane of the others", plant.name, i),
          "two supports hold flat plants only: take supports = 4");
    }
  }
  return Done{};
}

}  // namespace

Result<Done> check_particles(const Plant& plant, const Mechanism& mechanism,
                             const ParticleSettings& settings) {
  const auto refuse = [&](const std::string& why, const char* hint) {
    return error(fmt::format("'{}' cannot be made of particles: {}", plant.name, why), hint);
  };
  if (settings.supports != 2 && settings.supports != 4) {
    return refuse(fmt::format("an angular constraint has no {} supports", settings.supports),
                  "2 hold a flat plant in its plane, 4 any plant in space");
  }
  if (!(settings.iterations >= 0 && settings.iterations <= most_iterations)) {
    return refuse(fmt::format("{} iterations", settings.iterations),
                  "give 1 to 100000, or 0 for the root of the number of constraints");
  }
  if (!(settings.power > 0 && settings.power < 2)) {
    return refuse(fmt::format("their constraints have a power of {}", settings.power),
                  "give more than 0 and less than 2; at 1 all of an error is put right");
  }
  if (!(settings.velocity_kept > 0 && settings.velocity_kept <= 1)) {
    return refuse(fmt::format("they would keep {} of their velocities", settings.velocity_kept),
                  "give a part above 0 and at most 1");
  }
  if (!plant.given_bodies.empty()) {
    return refuse("its joints are stated, and particles have none",
                  "leave out method = \"particles\"");
  }
  if (std::isfinite(plant.root_stiffness)) {
    return refuse("the ground gives way at its root",
                  "leave out root_spring: particles hold firmly or not at all");
  }
  if (mechanism.pot_mass > 0) {
    return refuse("its root is in a pot", "leave out the pot: it would be a rigid body");
  }
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Segment& s = plant.segments[i];
    if (!(mechanism.body[i].mass > 0)) {
      return refuse(fmt::format("segment {} has no mass", i), "give it a density above 0");
    }
    if (s.parent == no_index) continue;
    const double l = segment_at(plant, s.parent).length;
    if (length(s.base_in_parent - Vec3{0, l, 0}) <= same_place * l) continue;
    return refuse(fmt::format("segment {} does not stand on the tip of segment {}", i, s.parent),
                  "particles are where segments end: divide that segment there");
  }
  if (settings.supports == 2) return check_flat(plant);
  return Done{};
}

ParticleModel make_particle_model(const Plant& plant, const Mechanism& mechanism,
                                  const ParticleSettings& settings, const Vec3& normal_in_plant) {
  return Builder(plant, mechanism, settings, normal_in_plant).build();
}

}  // namespace thigmo
