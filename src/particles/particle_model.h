#pragma once

// Plants as particles that distance constraints hold together, after Li (2012), sections 3.1 to 3.3: a particle at
// every node, a distance constraint along every segment, and an angular constraint between every segment and the
// one that it stands on. An angular constraint is made of particles and distance constraints too: support particles
// beside the node, tied to each other and to the three nodes of both segments.

#include <vector>

#include "mechanics/model/mechanism.h"
#include "plant/plant.h"
#include "thigmo/plant.h"

namespace thigmo {

// Two particles stay as far from each other as they were.
struct DistanceConstraint {
  Index tail = 0, head = 0;  // the tail is nearer to the root
  double length = 0;         // [m]
};

// A run of things in a list.
struct IndexRange {
  Index first = 0, count = 0;
};

// What a segment is made of. Its constraints stand together: the one along it, then those of its angular
// constraint with what it stands on.
struct ParticleStem {
  Index base = no_index, tip = no_index;  // nodes
  IndexRange constraints;
  Index first_support = no_index;  // of its angular constraint, around its base
  Vec3 across;                     // from the opposite support to the first, in its own frame [m]
  double base_part = 0, tip_part = 0;    // of its mass, at its ends [kg]
  double base_share = 0, tip_share = 0;  // the nodes' masses, divided among the segments there [kg]
};

// Particles that are connected, and relaxed together: all that stands on one root segment.
struct Component {
  IndexRange constraints, anchors, stems;
  int iterations = 0;
};

// What holds a first segment while the root is held, and how its frame is found while it is not: by the supports of
// a segment that stands on it.
struct ParticleRoot {
  Index stem = 0;
  Index below = no_index;          // a particle as far below its base as its tip is above
  Index first_support = no_index;  // around its base
  Index other_support = no_index;  // of a segment that stands on it; -1: none does
  Vec3 other_across;               // as ParticleStem::across, in the frame of this segment [m]
};

// What does not change while a plant of particles moves.
struct ParticleModel {
  ParticleSettings settings;
  std::vector<double> mass;       // of each particle; 0: it only holds [kg]
  std::vector<double> node_mass;  // of nodes, with their supports [kg]
  std::vector<Vec3> rest_in_plant;
  std::vector<DistanceConstraint> constraints;  // segment after segment, from the root
  std::vector<DistanceConstraint> anchors;      // act while the root is held
  std::vector<ParticleStem> stems;              // of each segment
  std::vector<ParticleRoot> roots;
  std::vector<Component> components;
  Vec3 normal_in_plant;  // of the plane of a flat plant, where supports = 2
};

// Why a plant cannot be made of particles, else nothing.
Result<Done> check_particles(const Plant& plant, const Mechanism& mechanism,
                             const ParticleSettings& settings);

// The model of a plant that was checked. A flat one stays in the plane with this normal, or in the one that it is in.
ParticleModel make_particle_model(const Plant& plant, const Mechanism& mechanism,
                                  const ParticleSettings& settings,
                                  const Vec3& normal_in_plant = {});

inline std::size_t particle_count(const ParticleModel& model) { return model.mass.size(); }

}  // namespace thigmo
