#include "particles/particle_loads.h"

#include <algorithm>
#include <cmath>

#include "particles/particle_motion.h"

namespace thigmo {
namespace {

// Forces on a segment, shared by its ends as by a lever's.
void add_points(const Plant& plant, const Loads& loads, const RootState& root, double dt,
                ParticlePlant& particles) {
  for (const PointLoad& load : loads.points) {
    const ParticleStem& stem = at(particles.model->stems, load.body);
    Vec3 force = load.force;
    if (load.follower) {
      force = rotate(world_from_segment(plant, particles, root, load.body), force);
    }
    const double part = load.point_in_body.y / segment_at(plant, load.body).length;
    const Vec3 push = force * dt;
    std::vector<Vec3>& gain = particles.scratch.velocity_gain;
    at(gain, stem.base) += push * ((1 - part) / at(particles.model->node_mass, stem.base));
    at(gain, stem.tip) += push * (part / at(particles.model->node_mass, stem.tip));
  }
}

// The part of the wind that what it drags takes on in dt: 1 - exp(-b dt/m) (Li 2012, appendix B.1), which never is
// more than all of it.
double taken_on(double drag, double dt, double mass) { return -std::expm1(-drag * dt / mass); }

// The air pushes a stem along the part of the wind that is across it (Li 2012, section 4.3), and its leaves along
// all of it. Li leaves the strength open; here F = b u, b = k |u|, with the k of the articulated plant.
void add_air(const Mechanism& mechanism, const AirLattice& air, double dt,
             ParticlePlant& particles) {
  const ParticleModel& model = *particles.model;
  const ParticleState& state = particles.state;
  std::vector<Vec3>& gain = particles.scratch.velocity_gain;
  for (std::size_t i = 0; i < model.stems.size(); ++i) {
    const ParticleStem& stem = model.stems[i];
    const Body& body = mechanism.body[i];
    const Vec3 base = at(state.position_world, stem.base), tip = at(state.position_world, stem.tip);
    const double part = std::clamp(static_cast<double>(body.drag_point.y / body.length), 0.0, 1.0);
    const Vec3 velocity =
        velocity_of(state, stem.base) * (1 - part) + velocity_of(state, stem.tip) * part;
    const Vec3 u = air_velocity(air, base + (tip - base) * part) - velocity;
    const Vec3 along = normalized(tip - base), across = u - along * dot(u, along);
    const double speed = length(u);
    double around = static_cast<double>(body.drag_around) * speed;
    if (mechanism.streamlining_speed > 0) around /= 1 + speed / mechanism.streamlining_speed;
    // Neither end takes on more than the wind, of the mass that is its part of the node.
    const double mass =
        std::min(stem.base_share / std::max(1 - part, 1e-9), stem.tip_share / std::max(part, 1e-9));
    const double stem_drag = static_cast<double>(body.drag_across) * length(across);
    const double total = stem_drag + around;
    if (!(total > 0)) continue;
    const Vec3 pull = (across * stem_drag + u * around) / total;
    const Vec3 push = pull * (mass * taken_on(total, dt, mass));
    at(gain, stem.base) += push * ((1 - part) / at(model.node_mass, stem.base));
    at(gain, stem.tip) += push * (part / at(model.node_mass, stem.tip));
  }
}

}  // namespace

void find_velocity_gains(const Plant& plant, const Mechanism& mechanism, const Loads& loads,
                         const RootState& root, double dt, ParticlePlant& particles) {
  std::vector<Vec3>& gain = particles.scratch.velocity_gain;
  std::fill(gain.begin(), gain.end(), loads.gravity_world * dt);
  add_points(plant, loads, root, dt, particles);
  if (loads.air != nullptr) add_air(mechanism, *loads.air, dt, particles);
  // Supports go with their node.
  const ParticleModel& model = *particles.model;
  for (const ParticleStem& stem : model.stems) {
    if (stem.first_support == no_index) continue;
    for (Index k = 0; k < model.settings.supports; ++k) {
      at(gain, stem.first_support + k) = at(gain, stem.base);
    }
  }
}

}  // namespace thigmo
