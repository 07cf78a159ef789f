#pragma once

// The two graphs of a plant of particles (Li 2012, section 3.4): particles joined by distance constraints, and
// distance constraints joined by angular constraints. Edges point away from the root.

#include <vector>

#include "particles/particle_model.h"

namespace thigmo {

// A distance constraint as an edge of the first graph and a vertex of the second.
struct GraphDistance {
  Index tail = no_index, head = no_index;
  std::vector<Index> angulars = {};  // edge list
  bool there = true;
};

// An angular constraint, and the particles and distance constraints that it is made of.
struct GraphAngular {
  Index below = no_index, above = no_index;  // distance constraints that it joins
  std::vector<Index> distances = {}, particles = {};
  bool there = true;
};

struct GraphParticle {
  std::vector<Index> distances = {};  // edge list
  bool there = true;
};

// Numbers are those of the model: particles; its constraints and then its anchors; angular constraints as the segments
// above them. Behind the anchors stand, for each root, the constraints from the particles below them.
struct ParticleGraph {
  std::vector<GraphParticle> particles;
  std::vector<GraphDistance> distances;
  std::vector<GraphAngular> angulars;
};
ParticleGraph graph_of(const ParticleModel& model);

// The distance constraint along a segment.
inline Index along(const ParticleModel& model, Index segment) {
  return at(model.stems, segment).constraints.first;
}

// Algorithm 2: what depends on what is destroyed is destroyed with it.
void destroy_angular(Index angular, ParticleGraph& graph);
void destroy_distance(Index distance, ParticleGraph& graph);
void destroy_particle(Index particle, ParticleGraph& graph);

// All particles that constraints lead to from this one.
std::vector<Index> connected(Index particle, const ParticleGraph& graph);

// Algorithm 3: takes the distance constraint along a segment out; the particles of the new tree, which is what was
// beyond it.
std::vector<Index> split_tree(Index distance, ParticleGraph& graph);

}  // namespace thigmo
