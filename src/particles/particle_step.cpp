#include "particles/particle_step.h"

#include <algorithm>
#include <cmath>

#include "particles/particle_loads.h"
#include "particles/particle_motion.h"
#include "particles/relax.h"

namespace thigmo {
namespace {

// x₊ = x + (x - x₋) dt/dt₋ q + Δv dt, where Δv is what forces and the air add in the step and q what is kept of
// velocities.
void predict(double dt, ParticlePlant& particles) {
  const double kept = std::pow(particles.model->settings.velocity_kept, dt);
  const double going_on = kept * dt / particles.state.previous_step;
  ParticleState& state = particles.state;
  ParticleScratch& scratch = particles.scratch;
  for (std::size_t i = 0; i < state.position_world.size(); ++i) {
    const Vec3 begin = state.position_world[i];
    scratch.begin_world[i] = begin;
    if (scratch.inverse_mass[i] == 0) continue;
    state.position_world[i] =
        begin + (begin - state.previous_world[i]) * going_on + scratch.velocity_gain[i] * dt;
  }
}

// What is held goes where the root is.
void place_held(const RootState& root, ParticlePlant& particles) {
  const ParticleModel& model = *particles.model;
  const auto put = [&](Index i) {
    at(particles.state.position_world, i) =
        root.position_world + rotate(root.world_from_plant, at(model.rest_in_plant, i));
  };
  for (const ParticleRoot& held : model.roots) {
    put(held.below);
    for (Index k = 0; k < model.settings.supports; ++k) put(held.first_support + k);
    if (!is_free(root)) put(at(model.stems, held.stem).base);
  }
}

// The farthest that anything went in the last step [m].
double largest_way(const ParticlePlant& particles) {
  double largest = 0;
  for (std::size_t i = 0; i < particles.state.position_world.size(); ++i) {
    if (particles.scratch.inverse_mass[i] == 0) continue;
    const Vec3 way = particles.state.position_world[i] - particles.state.previous_world[i];
    largest = std::max(largest, dot(way, way));
  }
  return std::sqrt(largest);
}

}  // namespace

StepReport step_particles(const Plant& plant, const Mechanism& mechanism, const Loads& loads,
                          double dt, State& state, ParticlePlant& particles) {
  StepReport report{.substeps = 1};
  prepare(*particles.model, !is_free(state.root), particles.scratch);
  find_velocity_gains(plant, mechanism, loads, state.root, dt, particles);
  const RootState before = state.root;
  if (state.root.hold == RootHold::on_path && loads.root_path != nullptr) {
    state.root = root_at(*loads.root_path, state.time + dt);
  }
  predict(dt, particles);
  place_held(state.root, particles);
  relax(plant, loads, state.root, dt, particles);
  if (!is_finite(particles.state)) {
    particles.state.position_world.swap(particles.scratch.begin_world);
    state.root = before;
    report.finite = false;
    return report;
  }
  particles.state.previous_world.swap(particles.scratch.begin_world);
  particles.state.previous_step = dt;
  state.time += dt;
  if (is_free(state.root)) state.root = root_with_first(plant, particles, state.root);
  report.worst_turn = largest_way(particles);
  return report;
}

}  // namespace thigmo
