#include "particles/relax.h"

#include <algorithm>
#include <cmath>

namespace thigmo {
namespace {

// Moves both ends of each constraint along it until they are as far from each other as they should be, or a part of
// the way; in inverse proportion to their masses.
void relax_distances(const std::vector<DistanceConstraint>& constraints,
                     const std::vector<EndShares>& shares, IndexRange range,
                     std::vector<Vec3>& place) {
  for (Index i = range.first; i < range.first + range.count; ++i) {
    const DistanceConstraint& c = at(constraints, i);
    Vec3& tail = at(place, c.tail);
    Vec3& head = at(place, c.head);
    const Vec3 way = head - tail;
    const double square = dot(way, way);
    if (!(square > 0)) continue;  // no direction is better than another
    const double factor = 1 - c.length / std::sqrt(square);
    const EndShares& share = at(shares, i);
    tail += way * (factor * share.tail);
    head -= way * (factor * share.head);
  }
}

// A grab as a constraint that gives way: with K = k + c/dt, its pull over the step is K dt² times what is left of the
// way to x = (k target + c/dt (begin + dt target's velocity)) / K, whatever the number of iterations. `pull` sums it
// (extended position-based dynamics, Macklin, Müller and Chentanez 2016).
void relax_grab(const Plant& plant, const GrabLoad& grab, double dt, ParticlePlant& particles,
                Vec3& pull) {
  const ParticleStem& stem = at(particles.model->stems, grab.body);
  const double part = grab.point_in_body.y / segment_at(plant, grab.body).length;
  const ParticleScratch& scratch = particles.scratch;
  const double w_base = at(scratch.inverse_mass, stem.base),
               w_tip = at(scratch.inverse_mass, stem.tip);
  const double w = (1 - part) * (1 - part) * w_base + part * part * w_tip;
  const double stiffness = grab.stiffness + grab.damping / dt;
  if (!(w > 0 && stiffness > 0)) return;
  std::vector<Vec3>& place = particles.state.position_world;
  const auto point = [&](const std::vector<Vec3>& at_time) {
    return at(at_time, stem.base) * (1 - part) + at(at_time, stem.tip) * part;
  };
  const Vec3 dragged = point(scratch.begin_world) + grab.target_velocity_world * dt;
  const Vec3 target =
      (grab.target_world * grab.stiffness + dragged * (grab.damping / dt)) / stiffness;
  const double give = 1 / (stiffness * dt * dt);
  const Vec3 more = (target - point(place) - pull * give) / (w + give);
  at(place, stem.base) += more * ((1 - part) * w_base);
  at(place, stem.tip) += more * (part * w_tip);
  pull += more;
}

// A node below the ground is put on it (Li 2012, appendix A.2), and slides against friction: by as much less as it was
// below, times the coefficient.
void relax_contact(const Ground& ground, Index node, ParticlePlant& particles) {
  Vec3& place = at(particles.state.position_world, node);
  const double depth = ground.height - place.y;
  if (!(depth > 0) || at(particles.scratch.inverse_mass, node) == 0) return;
  place.y = ground.height;
  particles.scratch.touches = true;
  const Vec3 begin = at(particles.scratch.begin_world, node);
  const Vec3 slide{place.x - begin.x, 0, place.z - begin.z};
  const double way = length(slide);
  if (way > 0) place -= slide * std::min(1.0, ground.friction * depth / way);
}

// Two dimensions: what leaves the plant's plane is put back.
void relax_plane(const ParticleModel& model, const RootState& root, std::vector<Vec3>& place) {
  const Vec3 normal = rotate(root.world_from_plant, model.normal_in_plant);
  for (Vec3& p : place) p -= normal * dot(p - root.position_world, normal);
}

}  // namespace

void relax(const Plant& plant, const Loads& loads, const RootState& root, double dt,
           ParticlePlant& particles) {
  const ParticleModel& model = *particles.model;
  ParticleScratch& scratch = particles.scratch;
  std::vector<Vec3>& place = particles.state.position_world;
  if (model.settings.supports == 2) relax_plane(model, root, place);
  // Asks for memory only where there are more grabs than ever before.
  scratch.touches = false;
  scratch.grab_pull.assign(loads.grabs.size(), {});
  for (const Component& component : model.components) {
    const Index end = component.stems.first + component.stems.count;
    for (int k = 0; k < component.iterations; ++k) {
      if (!is_free(root))
        relax_distances(model.anchors, scratch.anchor_shares, component.anchors, place);
      relax_distances(model.constraints, scratch.shares, component.constraints, place);
      for (std::size_t g = 0; g < loads.grabs.size(); ++g) {
        const Index stem = loads.grabs[g].body;
        if (stem < component.stems.first || stem >= end) continue;
        relax_grab(plant, loads.grabs[g], dt, particles, scratch.grab_pull[g]);
      }
      if (loads.ground == nullptr) continue;
      relax_contact(*loads.ground, at(model.stems, component.stems.first).base, particles);
      for (Index i = component.stems.first; i < end; ++i) {
        relax_contact(*loads.ground, at(model.stems, i).tip, particles);
      }
    }
  }
  if (model.settings.supports == 2) relax_plane(model, root, place);
}

}  // namespace thigmo
