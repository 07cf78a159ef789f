#include "particles/particle_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "mechanics/compile/compile_mechanism.h"
#include "particles/particle_plant.h"
#include "simulation/add_plant.h"
#include "support/gallery.h"

namespace thigmo::particle_graph_test {
namespace {

Plant grown(const std::string& name) {
  Diagnostics notes;
  const std::string file = (support::gallery_folder() / "plants" / name).string();
  Result<Plant> plant = grow_from_file({.file = file, .parameters = support::small_settings(name)},
                                       support::read_text, notes);
  EXPECT_TRUE(plant) << to_string(plant.diagnostics());
  return std::move(*plant);
}

ParticleModel model_of(const Plant& plant, const ParticleSettings& settings) {
  return make_particle_model(plant, compile_mechanism(plant, {}, {}), settings);
}

bool there(const ParticleGraph& graph, IndexRange range) {
  return std::all_of(graph.distances.begin() + range.first,
                     graph.distances.begin() + range.first + range.count,
                     [](const GraphDistance& distance) { return distance.there; });
}

// Li (2012), sections 3.3.3 and 5.1: eight further constraints with two supports, nineteen with four.
TEST(ParticleModel, AngularConstraintsHaveAsManyConstraintsAsLiCounts) {
  const Plant tree = grown("soft_tree_exact.sbt");
  const auto inner = [&](const ParticleSettings& settings) {
    const ParticleModel model = model_of(tree, settings);
    return model.stems.back().constraints.count - 1;
  };
  EXPECT_EQ(inner({.supports = 2}), 8);
  EXPECT_EQ(inner({.supports = 4, .twist = false}), 19);
  EXPECT_EQ(inner({.supports = 4}), 19 + 4);
}

// All particles together weigh what the wood does, but for what a held root has no use for.
TEST(ParticleModel, ParticlesHaveTheMassOfTheWood) {
  const Plant tree = grown("soft_tree_exact.sbt");
  const Mechanism mechanism = compile_mechanism(tree, {}, {});
  for (const int supports : {2, 4}) {
    const ParticleModel model = make_particle_model(tree, mechanism, {.supports = supports});
    double wood = 0, particles = 0;
    for (const Body& body : mechanism.body) wood += body.mass;
    for (const double mass : model.mass) particles += mass;
    EXPECT_NEAR(particles, wood, 1e-12 * wood);
  }
}

// Every stem of a plant with many is a component of its own, with ⌈√n⌉ iterations of its own; found in another way.
TEST(ParticleModel, ComponentsAreWhatIsConnected) {
  const Plant plant = grown("cattail.lsys");
  const ParticleModel model = model_of(plant, {});
  const ParticleGraph graph = graph_of(model);
  ASSERT_GT(model.components.size(), 3u);
  EXPECT_EQ(model.components.size(), model.roots.size());
  std::set<Index> met;
  for (const Component& component : model.components) {
    const std::vector<Index> particles =
        connected(at(model.stems, component.stems.first).base, graph);
    for (const Index particle : particles) EXPECT_TRUE(met.insert(particle).second);
    for (Index i = 0; i < component.constraints.count; ++i) {
      const Index head = at(model.constraints, component.constraints.first + i).head;
      EXPECT_EQ(std::count(particles.begin(), particles.end(), head), 1);
    }
    const double n = component.constraints.count + component.anchors.count;
    EXPECT_EQ(component.iterations, std::ceil(std::sqrt(n)));
  }
  EXPECT_EQ(met.size(), particle_count(model));
}

// Algorithm 2: a segment takes its angular constraints with it, their particles and constraints, and no other's.
TEST(ParticleGraph, SegmentsTakeTheirAngularConstraintsAlong) {
  const Plant tree = grown("soft_tree_exact.sbt");
  const ParticleModel model = model_of(tree, {.supports = 2});
  const Index cut = segment_count(tree) / 2;
  ParticleGraph graph = graph_of(model);
  destroy_distance(along(model, cut), graph);
  for (Index i = 1; i < segment_count(tree); ++i) {
    const bool depends = i == cut || segment_at(tree, i).parent == cut;
    const ParticleStem& stem = at(model.stems, i);
    EXPECT_EQ(at(graph.angulars, i).there, !depends) << i;
    EXPECT_EQ(at(graph.distances, stem.constraints.first).there, i != cut) << i;
    const IndexRange inner{stem.constraints.first + 1, stem.constraints.count - 1};
    EXPECT_EQ(there(graph, inner), !depends) << i;
    for (Index k = 0; k < 2; ++k) {
      EXPECT_EQ(at(graph.particles, stem.first_support + k).there, !depends) << i;
    }
    EXPECT_TRUE(at(graph.particles, stem.tip).there);
  }
}

// Algorithm 1: no constraint outlives one of its particles.
TEST(ParticleGraph, ParticlesTakeTheirConstraintsAlong) {
  const Plant tree = grown("soft_tree_exact.sbt");
  const ParticleModel model = model_of(tree, {.supports = 4});
  ParticleGraph graph = graph_of(model);
  destroy_particle(at(model.stems, 5).tip, graph);
  destroy_particle(at(model.stems, 9).first_support, graph);
  for (const GraphDistance& distance : graph.distances) {
    if (!distance.there) continue;
    EXPECT_TRUE(at(graph.particles, distance.tail).there);
    EXPECT_TRUE(at(graph.particles, distance.head).there);
  }
  EXPECT_FALSE(at(graph.distances, along(model, 5)).there);
}

// Algorithm 3: wherever a tree is split, the new tree is what stood on the segment.
TEST(ParticleGraph, SplitTreesAreSubtrees) {
  const Plant tree = grown("soft_tree_exact.sbt");
  const std::vector<Index> sizes = subtree_sizes(tree);
  for (const int supports : {2, 4}) {
    const ParticleModel model = model_of(tree, {.supports = supports});
    for (Index cut = 0; cut < segment_count(tree); ++cut) {
      ParticleGraph graph = graph_of(model);
      const std::vector<Index> found = split_tree(along(model, cut), graph);
      const std::set<Index> particles(found.begin(), found.end());
      for (Index i = 0; i < segment_count(tree); ++i) {
        const bool beyond = i >= cut && i < cut + at(sizes, cut);
        EXPECT_EQ(particles.count(at(model.stems, i).tip) == 1, beyond) << cut << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace thigmo::particle_graph_test
