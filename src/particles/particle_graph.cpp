#include "particles/particle_graph.h"

#include <algorithm>

namespace thigmo {
namespace {

Index add_distance(Index tail, Index head, ParticleGraph& graph) {
  const auto number = static_cast<Index>(graph.distances.size());
  graph.distances.push_back({tail, head});
  at(graph.particles, tail).distances.push_back(number);
  at(graph.particles, head).distances.push_back(number);
  return number;
}

void remove_from(std::vector<Index>& edges, Index edge) {
  edges.erase(std::remove(edges.begin(), edges.end(), edge), edges.end());
}

void add_angular(Index number, Index below, Index above, ParticleGraph& graph) {
  GraphAngular& angular = at(graph.angulars, number);
  angular.below = below;
  angular.above = above;
  at(graph.distances, below).angulars.push_back(number);
  at(graph.distances, above).angulars.push_back(number);
}

}  // namespace

ParticleGraph graph_of(const ParticleModel& model) {
  ParticleGraph graph;
  graph.particles.resize(particle_count(model));
  graph.angulars.resize(model.stems.size());
  for (const DistanceConstraint& c : model.constraints) add_distance(c.tail, c.head, graph);
  const auto anchors = static_cast<Index>(graph.distances.size());
  for (const DistanceConstraint& c : model.anchors) add_distance(c.tail, c.head, graph);

  std::vector<Index> along_to(particle_count(model),
                              no_index);  // the constraint that ends in a node
  for (const ParticleStem& stem : model.stems) at(along_to, stem.tip) = stem.constraints.first;
  const auto own = [&](Index i, Index first_support) {
    for (Index k = 0; k < model.settings.supports; ++k) {
      at(graph.angulars, i).particles.push_back(first_support + k);
    }
  };
  for (std::size_t k = 0; k < model.roots.size(); ++k) {
    const ParticleRoot& root = model.roots[k];
    const Index base = at(model.stems, root.stem).base;
    add_angular(root.stem, add_distance(root.below, base, graph), along(model, root.stem), graph);
    own(root.stem, root.first_support);
    const IndexRange range = model.components[k].anchors;
    for (Index c = range.first; c < range.first + range.count; ++c) {
      at(graph.angulars, root.stem).distances.push_back(anchors + c);
    }
  }
  for (std::size_t i = 0; i < model.stems.size(); ++i) {
    const ParticleStem& stem = model.stems[i];
    if (stem.first_support == no_index) continue;
    const auto number = static_cast<Index>(i);
    add_angular(number, at(along_to, stem.base), stem.constraints.first, graph);
    own(number, stem.first_support);
    for (Index c = 1; c < stem.constraints.count; ++c) {
      graph.angulars[i].distances.push_back(stem.constraints.first + c);
    }
  }
  return graph;
}

void destroy_angular(Index number, ParticleGraph& graph) {
  GraphAngular& angular = at(graph.angulars, number);
  if (!angular.there) return;
  angular.there = false;
  for (const Index distance : angular.distances) destroy_distance(distance, graph);
  for (const Index particle : angular.particles) destroy_particle(particle, graph);
  remove_from(at(graph.distances, angular.below).angulars, number);
  remove_from(at(graph.distances, angular.above).angulars, number);
}

void destroy_distance(Index number, ParticleGraph& graph) {
  GraphDistance& distance = at(graph.distances, number);
  if (!distance.there) return;
  distance.there = false;
  while (!distance.angulars.empty()) destroy_angular(distance.angulars.front(), graph);
  remove_from(at(graph.particles, distance.tail).distances, number);
  remove_from(at(graph.particles, distance.head).distances, number);
}

void destroy_particle(Index number, ParticleGraph& graph) {
  GraphParticle& particle = at(graph.particles, number);
  if (!particle.there) return;
  particle.there = false;
  while (!particle.distances.empty()) destroy_distance(particle.distances.front(), graph);
}

std::vector<Index> connected(Index particle, const ParticleGraph& graph) {
  std::vector<bool> met(graph.particles.size());
  std::vector<Index> found{particle};
  at(met, particle) = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Index number : at(graph.particles, found[i]).distances) {
      const GraphDistance& distance = at(graph.distances, number);
      const Index other = distance.tail == found[i] ? distance.head : distance.tail;
      if (at(met, other)) continue;
      at(met, other) = true;
      found.push_back(other);
    }
  }
  return found;
}

std::vector<Index> split_tree(Index distance, ParticleGraph& graph) {
  const Index branch_side = at(graph.distances, distance).head;
  destroy_distance(distance, graph);
  return connected(branch_side, graph);
}

}  // namespace thigmo
