#include "simulation/save/load_fields.h"

namespace thigmo {

Result<Done> check_path(const RootPath& path) {
  if (path.time.size() < 2) return error("a path has a single time");
  for (std::size_t i = 1; i < path.time.size(); ++i) {
    if (!(path.time[i] > path.time[i - 1])) return error("the times of a path do not ascend");
  }
  return Done{};
}

std::size_t bodies_of(const Simulation& simulation, std::size_t plant) {
  if (plant >= simulation.plants.size() || !simulation.plants[plant].model) return 0;
  return simulation.plants[plant].model->mechanism.body.size();
}

}  // namespace thigmo
