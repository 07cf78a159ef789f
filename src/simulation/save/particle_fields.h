#pragma once

// Particles of a plant, field by field. What constrains them is made of the plant again.

#include "simulation/save/fields.h"
#include "simulation/simulation.h"

namespace thigmo {

template <class Archive, class AnySettings>
void visit_particle_settings(Archive& archive, AnySettings& settings) {
  archive.number("number of supports", settings.supports);
  archive.number("number of iterations", settings.iterations);
  archive.number("power of constraints", settings.power);
  archive.number("kept velocity", settings.velocity_kept);
  archive.truth("truth of held twists", settings.twist);
}

template <class Archive, class AnyState>
void visit_particle_state(Archive& archive, AnyState& state) {
  archive.number("step of particles", state.previous_step, Must::be_positive);
  for (auto* places : {&state.position_world, &state.previous_world}) {
    for (auto& place : *places) archive.number("place of a particle", place);
  }
}

// Particles as they were saved, of a plant whose model and root were read; what cannot be is refused.
void make_saved_particles(const ParticleSettings& settings, const Vec3& normal_in_plant,
                          SimulatedPlant& plant, FieldReader& reader);

template <class Archive, class AnyPlant>
void visit_particles(Archive& archive, AnyPlant& plant) {
  bool there = plant.particles.has_value();
  archive.truth("truth of particles", there);
  if (!there) return;
  ParticleSettings settings;
  Vec3 normal;
  if constexpr (!Archive::reads) {
    settings = plant.particles->model->settings;
    normal = plant.particles->model->normal_in_plant;
  }
  visit_particle_settings(archive, settings);
  archive.number("plane of particles", normal);
  if constexpr (Archive::reads) {
    make_saved_particles(settings, normal, plant, archive);
    if (!archive.sound()) return;
  }
  visit_particle_state(archive, plant.particles->state);
}

}  // namespace thigmo
