#pragma once

// What a cut leaves of a plant of particles (Li 2012, section 3.5).

#include <span>

#include "mechanics/kinematics/walk.h"
#include "particles/particle_graph.h"
#include "particles/particle_plant.h"

namespace thigmo {

// A plant of particles while it is taken apart.
struct ParticleSplit {
  ParticlePlant before;
  Quat world_from_plant;
  std::vector<BodyMotion> motions;  // of its segments
  ParticleGraph graph;
  std::vector<int> tree;  // that each particle is in by now: 0 is what stands on the root
  int trees = 1;
};
ParticleSplit begin_split(const Plant& plant, const ParticlePlant& particles,
                          const RootState& root);

// Algorithm 3 at a segment: what is beyond becomes the next tree. The segment itself is in neither.
void split_at(Index segment, ParticleSplit& split);

// The segment that another was, or was a part of.
struct CameFrom {
  Index segment = 0;
  double base = 0, tip = 1;  // where its ends are on that one, of its length
};

// A plant of one of the trees. Particles that are still there go on as they were; what was destroyed with the segment
// that was cut is made anew where the cut left wood.
ParticlePlant carry_on(const ParticleSplit& split, int tree, std::span<const CameFrom> came_from,
                       const Plant& plant, const Mechanism& mechanism, const RootState& root);

}  // namespace thigmo
