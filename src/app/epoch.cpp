#include "app/epoch.h"

#include <algorithm>

namespace thigmo {
namespace {

bool same_shape(const Plant& a, const Plant& b) {
  return a.organs.size() == b.organs.size() &&
         std::equal(a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(),
                    [](const Segment& x, const Segment& y) {
                      return x.parent == y.parent && x.length == y.length &&
                             x.radius_base == y.radius_base && x.radius_tip == y.radius_tip &&
                             x.height_base == y.height_base && x.height_tip == y.height_tip;
                    });
}

}  // namespace

Epoch epoch_of(const Simulation& simulation, std::size_t first_frame) {
  Epoch epoch{.first_frame = first_frame, .plants = {}, .gravity_world = simulation.gravity_world};
  for (std::size_t i = 0; i < simulation.plants.size(); ++i) {
    const SimulatedPlant& plant = simulation.plants[i];
    epoch.plants.push_back({.id = plant_id(simulation, i),
                            .name = plant.name,
                            .model = plant.model,
                            .ids = segment_ids(plant),
                            .stands = plant.stands});
  }
  return epoch;
}

bool goes_on(const Epoch& epoch, const Simulation& simulation, bool exactly) {
  if (epoch.plants.size() != simulation.plants.size()) return false;
  for (std::size_t i = 0; i < epoch.plants.size(); ++i) {
    const EpochPlant& before = epoch.plants[i];
    const SimulatedPlant& now = simulation.plants[i];
    if (before.id != plant_id(simulation, i)) return false;
    if (before.model == now.model) continue;
    if (exactly || !same_shape(before.model->plant, now.model->plant) ||
        before.ids != segment_ids(now)) {
      return false;
    }
  }
  return true;
}

}  // namespace thigmo
