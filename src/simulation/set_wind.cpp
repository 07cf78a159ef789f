#include "simulation/set_wind.h"

#include <map>

namespace thigmo {
namespace {

// Brings air to plants that were compiled without any.
void add_air(Simulation& simulation) {
  simulation.drag = DragModel{};
  std::map<std::shared_ptr<const PlantModel>, std::shared_ptr<const PlantModel>> in_air;
  for (SimulatedPlant& plant : simulation.plants) {
    std::shared_ptr<const PlantModel>& changed = in_air[plant.model];
    if (!changed) changed = with_drag(*plant.model, simulation.drag);
    plant.model = changed;
    // The workspace holds the mechanism's drag too; an account that is kept goes on.
    std::optional<Works> works = std::move(plant.workspace.works);
    plant.workspace = make_workspace(plant.model->step_model, std::move(plant.workspace));
    plant.workspace.works = std::move(works);
  }
}

}  // namespace

void set_wind(const Wind& wind, double ease, Simulation& simulation) {
  simulation.wind = wind;
  simulation.keyed.uniform_wind = {};
  simulation.keyed.gust_speed = {};
  const bool at_once = simulation.steps == 0 || !(ease > 0);
  if (!(simulation.drag.air_density > 0)) add_air(simulation);
  for (SimulatedPlant& plant : simulation.plants) {
    plant.wind_model = wind;
    const Plant& modelled = plant.model->plant;
    const AirLattice before = air_around(plant);
    plant.wind = make_wind_sampler(wind, bounding_box(modelled, rest_pose(modelled, plant.stands)));
    plant.wind_ease.reset();
    plant.keyed_air = {};
    if (!at_once) {
      plant.wind_ease =
          make_wind_ease(before, plant.wind.air, simulation.time, simulation.time + ease);
    }
    wake(plant);
  }
}

}  // namespace thigmo
