#include "simulation/set_wind.h"

#include <set>

namespace thigmo {
namespace {

// Gives the mechanism of a plant another drag; its rest shape stays.
void set_drag(const Plant& plant, const DragModel& drag, Mechanism& mechanism) {
  const Mechanism with_drag = compile_mechanism(plant, drag);
  for (std::size_t i = 0; i < mechanism.body.size(); ++i) {
    mechanism.body[i].drag_point = with_drag.body[i].drag_point;
    mechanism.body[i].drag_across = with_drag.body[i].drag_across;
    mechanism.body[i].drag_around = with_drag.body[i].drag_around;
  }
  mechanism.streamlining_speed = with_drag.streamlining_speed;
}

// Brings air to plants that were compiled without any.
void add_air(Simulation& simulation) {
  simulation.drag = DragModel{};
  std::set<const PlantModel*> done;  // equal plants share theirs
  for (SimulatedPlant& plant : simulation.plants) {
    std::shared_ptr<const StepModel>& shared = plant.model->step_model;
    if (done.insert(plant.model.get()).second) {
      set_drag(plant.plant, simulation.drag, plant.mechanism);
      if (shared) shared = make_step_model(plant.mechanism);
    }
    // The workspace holds the mechanism's drag too; an account that is kept goes on.
    std::optional<Works> works = std::move(plant.workspace.works);
    plant.workspace =
        shared ? make_workspace(plant.mechanism, shared) : make_workspace(plant.mechanism);
    plant.workspace.works = std::move(works);
  }
}

}  // namespace

void set_wind(const Wind& wind, Simulation& simulation) {
  simulation.wind = wind;
  if (!(simulation.drag.air_density > 0)) add_air(simulation);
  for (SimulatedPlant& plant : simulation.plants) {
    plant.wind_model = wind;
    plant.wind =
        make_wind_sampler(wind, bounding_box(plant.plant, rest_pose(plant.plant, plant.placement)));
    plant.asleep = false;
    plant.quiet_time = 0;
    // Accelerations jump with the wind: those of before are none to go on with.
    plant.state.started = false;
  }
}

}  // namespace thigmo
