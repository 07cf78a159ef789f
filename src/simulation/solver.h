#pragma once

// One interface for all methods that move plants: a step, where segments are and how they move, energies. Whoever
// wants one of these of a plant asks here, so that a method is added in this file alone. Edits and snapshots go
// through edit.h and snapshot.h, which know what each method can do.

#include <span>

#include "mechanics/kinematics/energy.h"
#include "mechanics/kinematics/momentum.h"
#include "simulation/simulation.h"

namespace thigmo {

// Lets particles move a plant that was just added, from where it stands.
Result<Done> use_particles(const ParticleSettings& settings, SimulatedPlant& plant);

// Puts a plant's particles where its root now has them at rest, moving with it.
void place_particles(SimulatedPlant& plant);

inline Method method_of(const SimulatedPlant& plant) {
  return plant.particles ? Method::particles : Method::articulated;
}

// Moves a plant by dt, its root included, and says what was done; whether it touches the ground is in `touches`.
StepReport step_plant(const Loads& loads, const StepOptions& options, double dt, int threads,
                      SimulatedPlant& plant);

Pose pose_of(const SimulatedPlant& plant);
BodyMotion body_motion(const SimulatedPlant& plant, Index segment);
void find_motions(const SimulatedPlant& plant, std::span<BodyMotion> motions);
PointMotion point_motion(const SimulatedPlant& plant, Index segment, const Vec3& point_in_segment);
Energy energy_of(const SimulatedPlant& plant, const Vec3& gravity_world);
PlantMomentum momentum_of(const SimulatedPlant& plant);

// What a plant of particles is made of; of one with joints nothing.
ParticleCounts counts_of(const SimulatedPlant& plant);

// Refuses what only joints can do, where a plant has none.
Result<Done> needs_joints(const SimulatedPlant& plant, const char* what);
// Refuses to let the roots of a plant go that would fall into several.
Result<Done> check_free(const SimulatedPlant& plant);
// Refuses moments on particles, which have no orientation.
Result<Done> check_moment(const SimulatedPlant& plant, const Vec3& moment);

}  // namespace thigmo
