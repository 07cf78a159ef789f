#include "particles/split_particles.h"

#include "base/assert.h"
#include "particles/particle_motion.h"

namespace thigmo {
namespace {

class Carrier {
 public:
  Carrier(const ParticleSplit& split, int tree, const ParticleModel& model, ParticleState& state)
      : split_(split), tree_(tree), model_(model), state_(state) {}

  void carry(Index i, const CameFrom& from, const Quat& segment_from_plant) {
    const ParticleStem& stem = at(model_.stems, i);
    const ParticleStem& old = at(split_.before.model->stems, from.segment);
    put_node(stem.tip, old, from.tip);
    if (stem.first_support == no_index) return put_node(stem.base, old, from.base);
    const bool there = from.base == 0 && at(split_.graph.angulars, from.segment).there;
    for (Index k = 0; k < model_.settings.supports; ++k) {
      if (there && old.first_support != no_index) {
        copy(old.first_support + k, stem.first_support + k);
      } else {
        put_support(stem, stem.first_support + k, segment_from_plant,
                    at(split_.motions, from.segment));
      }
    }
  }

 private:
  void copy(Index from, Index to) {
    THIGMO_ASSERT(at(split_.tree, from) == tree_ && at(split_.graph.particles, from).there);
    at(state_.position_world, to) = at(split_.before.state.position_world, from);
    at(state_.previous_world, to) = at(split_.before.state.previous_world, from);
  }

  // A node at a point of what was a segment; at its tip it is that one's.
  void put_node(Index node, const ParticleStem& old, double along) {
    if (along == 1) return copy(old.tip, node);
    const ParticleState& before = split_.before.state;
    const auto point = [&](const std::vector<Vec3>& places) {
      return at(places, old.base) * (1 - along) + at(places, old.tip) * along;
    };
    at(state_.position_world, node) = point(before.position_world);
    at(state_.previous_world, node) = point(before.previous_world);
  }

  // A support of its own goes with its segment as a rigid body would.
  void put_support(const ParticleStem& stem, Index support, const Quat& segment_from_plant,
                   const BodyMotion& motion) {
    const Vec3 rest = at(model_.rest_in_plant, support) - at(model_.rest_in_plant, stem.base);
    const Vec3 arm = rotate(motion.world_from_body, rotate(segment_from_plant, rest));
    const Vec3 base = at(state_.position_world, stem.base);
    const Vec3 way = base - at(state_.previous_world, stem.base);
    at(state_.position_world, support) = base + arm;
    at(state_.previous_world, support) =
        base + arm - way - cross(motion.omega, arm) * state_.previous_step;
  }

  const ParticleSplit& split_;
  int tree_;
  const ParticleModel& model_;
  ParticleState& state_;
};

}  // namespace

ParticleSplit begin_split(const Plant& plant, const ParticlePlant& particles,
                          const RootState& root) {
  ParticleSplit split{.before = particles,
                      .world_from_plant = root.world_from_plant,
                      .motions = std::vector<BodyMotion>(plant.segments.size()),
                      .graph = graph_of(*particles.model),
                      .tree = std::vector<int>(particle_count(*particles.model))};
  find_motions(plant, particles, root, split.motions);
  return split;
}

void split_at(Index segment, ParticleSplit& split) {
  for (const Index particle : split_tree(along(*split.before.model, segment), split.graph)) {
    at(split.tree, particle) = split.trees;
  }
  ++split.trees;
}

ParticlePlant carry_on(const ParticleSplit& split, int tree, std::span<const CameFrom> came_from,
                       const Plant& plant, const Mechanism& mechanism, const RootState& root) {
  const ParticleModel& old = *split.before.model;
  // A flat plant stays in its plane.
  const Vec3 normal_world = rotate(split.world_from_plant, old.normal_in_plant);
  const auto model = std::make_shared<const ParticleModel>(make_particle_model(
      plant, mechanism, old.settings, rotate(conjugate(root.world_from_plant), normal_world)));
  ParticlePlant made = make_particle_plant(model, root);
  made.state.previous_step = split.before.state.previous_step;
  for (std::size_t i = 0; i < made.state.position_world.size(); ++i) {
    const Vec3 velocity = made.state.position_world[i] - made.state.previous_world[i];
    made.state.previous_world[i] =
        made.state.position_world[i] - velocity * made.state.previous_step;
  }
  const Pose rest = rest_pose(plant);
  Carrier carrier(split, tree, *model, made.state);
  for (std::size_t i = 0; i < came_from.size(); ++i) {
    carrier.carry(static_cast<Index>(i), came_from[i], conjugate(rest.world_from_segment[i]));
  }
  return made;
}

}  // namespace thigmo
