#pragma once

// Where segments of a plant of particles are and how they move: all that others want to know of it.

#include <optional>
#include <span>

#include "mechanics/kinematics/energy.h"
#include "mechanics/kinematics/momentum.h"
#include "particles/particle_plant.h"

namespace thigmo {

// Where particles put the frame of every segment: its origin at the base node, y towards the tip node, turned about
// it as the supports of its angular constraint are. Where these do not tell, it is turned from a segment below by the
// smallest rotation.
Pose pose_of(const Plant& plant, const ParticleModel& model, const RootState& root,
             std::span<const Vec3> position_world);

// How segments move: velocities of their base nodes, and of their frames.
void find_motions(const Plant& plant, const ParticlePlant& particles, const RootState& root,
                  std::span<BodyMotion> motions);

// How one segment is turned.
Quat world_from_segment(const Plant& plant, const ParticlePlant& particles, const RootState& root,
                        Index segment);

BodyMotion segment_motion(const Plant& plant, const ParticlePlant& particles, const RootState& root,
                          Index segment);

// A point given in a segment's frame; between its nodes it stretches as they do.
PointMotion point_motion(const Plant& plant, const ParticlePlant& particles, const RootState& root,
                         Index segment, const Vec3& point_in_segment);

// Of what moves; constraints store no energy.
Energy energy_of(const ParticlePlant& particles, const Vec3& gravity_world);
PlantMomentum momentum_of(const ParticlePlant& particles);

// The frame of a free plant, which goes with its first segment.
RootState root_with_first(const Plant& plant, const ParticlePlant& particles,
                          const RootState& root);

}  // namespace thigmo
