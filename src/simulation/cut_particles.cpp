#include "simulation/cut_particles.h"

#include <map>

namespace thigmo {

std::optional<CutParticles> cut_particles(const FoundSegment& found, double along,
                                          const SimulatedPlant& plant) {
  if (!plant.particles) return std::nullopt;
  CutParticles cut{.split = begin_split(plant.model->plant, *plant.particles, plant.state.root),
                   .ids = segment_ids(plant)};
  if (!(along > 1 - nearest_cut)) {
    split_at(found.segment, cut.split);
    return cut;
  }
  const std::vector<Index>& sizes = plant.model->mechanism.subtree_size;
  const Index end = found.segment + at(sizes, found.segment);
  for (Index child = found.segment + 1; child < end; child += at(sizes, child)) {
    split_at(child, cut.split);
  }
  return cut;
}

void carry_particles(const std::optional<CutParticles>& cut, int tree,
                     std::span<const SegmentSplit> splits, SimulatedPlant& plant) {
  if (!cut) return;
  std::map<SegmentId, CameFrom> known;
  for (std::size_t i = 0; i < cut->ids.size(); ++i) {
    known[cut->ids[i]] = {.segment = static_cast<Index>(i)};
  }
  for (const SegmentSplit& split : splits) {
    known[split.upper] = {.segment = known[split.lower].segment, .base = split.along};
    known[split.lower].tip = split.along;
  }
  std::vector<CameFrom> came_from;
  for (const SegmentId id : segment_ids(plant)) came_from.push_back(known.at(id));
  plant.particles = carry_on(cut->split, tree, came_from, plant.model->plant,
                             plant.model->mechanism, plant.state.root);
}

}  // namespace thigmo
