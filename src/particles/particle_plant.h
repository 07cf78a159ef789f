#pragma once

#include <memory>

#include "base/hash.h"
#include "mechanics/model/root_motion.h"
#include "particles/particle_model.h"

namespace thigmo {

// All that must be saved of a plant of particles, besides its root and its time: where particles are, and where they
// were one step before. Their velocities are the difference over that step (Verlet).
struct ParticleState {
  std::vector<Vec3> position_world;  // [m]
  std::vector<Vec3> previous_world;  // [m]
  double previous_step = 1;          // [s]
};

// What each end of a constraint gets of its correction.
struct EndShares {
  double tail = 0, head = 0;
};

// Room to work in, of which nothing is kept from step to step but what follows from the model.
struct ParticleScratch {
  std::vector<Vec3> begin_world;     // where particles were before the step [m]
  std::vector<Vec3> velocity_gain;   // of nodes, by forces and air in the step [m/s]
  std::vector<double> inverse_mass;  // 0: held [1/kg]
  std::vector<EndShares> shares, anchor_shares;
  std::vector<Vec3> grab_pull;           // of each grab so far, force × step² [kg m]
  bool touches = false;                  // the ground, in the last step
  bool ready = false, for_held = false;  // whether masses and shares are made, and for which root
};

struct ParticlePlant {
  std::shared_ptr<const ParticleModel> model;
  ParticleState state;
  ParticleScratch scratch;
};

// A plant at rest where its root is, moving with it.
ParticlePlant make_particle_plant(std::shared_ptr<const ParticleModel> model,
                                  const RootState& root);

// Puts all particles where the root's frame has them at rest, moving as it does.
void place_at_rest(const ParticleModel& model, const RootState& root, ParticleState& state);

// Masses and shares as they are while the root is held, or while it is free.
void prepare(const ParticleModel& model, bool held, ParticleScratch& scratch);

inline Vec3 velocity_of(const ParticleState& state, Index particle) {
  return (at(state.position_world, particle) - at(state.previous_world, particle)) /
         state.previous_step;
}

// Whether all places, and the squares of their distances, are numbers.
bool is_finite(const ParticleState& state);
void add_to_hash(const ParticleState& state, Hasher& hasher);

}  // namespace thigmo
