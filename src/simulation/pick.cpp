#include "simulation/pick.h"

#include <algorithm>
#include <cmath>

#include "plant/reach.h"
#include "simulation/solver.h"

namespace thigmo {
namespace {

// Where bodies are, found when asked for: subtrees that are out of reach are never walked.
class Places {
 public:
  Places(const SimulatedPlant& plant) : plant_(plant) { path_.reserve(64); }

  // Body i; the bodies asked for come in depth-first order.
  BodyPlace of(Index i) {
    const Mechanism& mechanism = plant_.model->mechanism;
    const Index parent = at(mechanism.parent, i);
    while (!path_.empty() && path_.back().body != parent) path_.pop_back();
    const BodyPlace below =
        path_.empty() ? place_of(frame_of(plant_.state.root)) : path_.back().place;
    const BodyPlace place =
        carried(below, at(mechanism.body, i), plant_.state.rest_from_body[as_size(i)]);
    path_.push_back({i, place});
    return place;
  }

 private:
  struct Step {
    Index body;
    BodyPlace place;
  };
  const SimulatedPlant& plant_;
  std::vector<Step> path_;
};

// Looks at every segment whose subtree `reaches(place, reach)`; look(segment, base, axis). Particles may be farther
// from each other than at rest, so that all segments of theirs are looked at.
template <class Reaches, class Look>
void visit_near(const SimulatedPlant& plant, const Reaches& reaches, const Look& look) {
  const PlantModel& model = *plant.model;
  if (plant.particles) {
    const Pose pose = pose_of(plant);
    for (std::size_t i = 0; i < pose.base_world.size(); ++i) {
      look(static_cast<Index>(i), pose.base_world[i],
           rotate(pose.world_from_segment[i], {0, 1, 0}));
    }
    return;
  }
  Places places(plant);
  const Index n = body_count(model.mechanism);
  for (Index i = 0; i < n;) {
    const BodyPlace place = places.of(i);
    if (!reaches(place.joint_world, static_cast<double>(at(model.reach, i)))) {
      i += at(model.mechanism.subtree_size, i);
      continue;
    }
    look(i, place.joint_world, rotate(place.world_from_body, {0, 1, 0}));
    ++i;
  }
}

// The distance along a unit ray to a capsule from p, length l along the unit vector a; none: it is missed.
std::optional<double> meet_capsule(const Vec3& origin, const Vec3& ray, const Vec3& p,
                                   const Vec3& a, double l, double r) {
  const Vec3 from = origin - p;
  const auto ball = [&](const Vec3& offset) -> std::optional<double> {
    const double b = dot(offset, ray), c = dot(offset, offset) - r * r;
    if (c <= 0) return 0.0;
    const double d = b * b - c;
    if (d < 0 || -b - std::sqrt(d) < 0) return std::nullopt;
    return -b - std::sqrt(d);
  };
  std::optional<double> first;
  const auto take = [&first](std::optional<double> t) {
    if (t && (!first || *t < *first)) first = t;
  };
  // The cylinder: |(from + t ray) without its part along a| = r.
  const double along_from = dot(from, a), along_ray = dot(ray, a);
  const Vec3 across_from = from - a * along_from, across_ray = ray - a * along_ray;
  const double qa = dot(across_ray, across_ray), qb = dot(across_from, across_ray),
               qc = dot(across_from, across_from) - r * r;
  if (qc <= 0 && along_from >= 0 && along_from <= l) return 0.0;
  const double d = qb * qb - qa * qc;
  if (qa > 1e-300 && d >= 0) {
    const double t = (-qb - std::sqrt(d)) / qa;
    const double height = along_from + t * along_ray;
    if (t >= 0 && height >= 0 && height <= l) take(t);
  }
  take(ball(from));
  take(ball(from - a * l));
  return first;
}

}  // namespace

std::optional<Met> pick(const Simulation& simulation, const Vec3& origin_world,
                        const Vec3& direction, double reach) {
  std::optional<Met> met;
  double least = reach;
  for (std::size_t p = 0; p < simulation.plants.size(); ++p) {
    const SimulatedPlant& plant = simulation.plants[p];
    const auto reaches = [&](const Vec3& center, double radius) {
      const Vec3 to = center - origin_world;
      const double along = dot(to, direction), squared = dot(to, to);
      if (squared <= radius * radius) return true;
      return along > 0 && along - radius <= least && squared - along * along <= radius * radius;
    };
    visit_near(plant, reaches, [&](Index i, const Vec3& base, const Vec3& axis) {
      const Segment& s = segment_at(plant.model->plant, i);
      const auto t = meet_capsule(origin_world, direction, base, axis, s.length, largest_radius(s));
      if (!t || *t > least || (met && *t == least)) return;
      least = *t;
      const Vec3 position = origin_world + direction * *t;
      const double height = std::clamp(dot(position - base, axis), 0.0, s.length);
      met = Met{p, i, height / s.length, position, *t};
    });
  }
  return met;
}

std::optional<Met> nearest(const Simulation& simulation, const Vec3& point_world, double within) {
  std::optional<Met> met;
  double least = within;
  for (std::size_t p = 0; p < simulation.plants.size(); ++p) {
    const SimulatedPlant& plant = simulation.plants[p];
    const auto reaches = [&](const Vec3& center, double radius) {
      return length(center - point_world) <= radius + least;
    };
    visit_near(plant, reaches, [&](Index i, const Vec3& base, const Vec3& axis) {
      const Segment& s = segment_at(plant.model->plant, i);
      const double height = std::clamp(dot(point_world - base, axis), 0.0, s.length);
      const Vec3 on_axis = base + axis * height, out = point_world - on_axis;
      const double radius = largest_radius(s), away = length(out);
      const double distance = std::max(0.0, away - radius);
      if (distance > least || (met && distance == least)) return;
      least = distance;
      const Vec3 surface = away > radius ? on_axis + out * (radius / away) : point_world;
      met = Met{p, i, height / s.length, surface, distance};
    });
  }
  return met;
}

}  // namespace thigmo
