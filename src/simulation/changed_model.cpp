#include "simulation/changed_model.h"

#include <algorithm>

namespace thigmo {
namespace {

// Made unconst, and the plant's own: model_to_change.
StepModel& packed(PlantModel& model) { return const_cast<StepModel&>(*model.step_model); }

// Finds the tension along bodies from now on, where it has come to be felt.
void watch_tension(double softer, double heavier, PlantModel& model, SimulatedPlant& plant) {
  StepModel& step_model = packed(model);
  step_model.tension_margin *= std::min(1.0, softer) / std::max(1.0, heavier);
  if (step_model.with_tension || step_model.tension_margin >= 1) return;
  step_model.tension_margin = tension_margin(model.mechanism);
  if (step_model.tension_margin >= 1) return;
  step_model.with_tension = true;
  std::optional<Works> works = std::move(plant.workspace.works);
  plant.workspace = make_workspace(model.step_model, std::move(plant.workspace));
  plant.workspace.works = std::move(works);
}

}  // namespace

PlantModel& model_to_change(SimulatedPlant& plant) {
  PlantModel& model = own_model(plant);
  plant.workspace.model.reset();
  if (model.step_model.use_count() > 1) {
    model.step_model = std::make_shared<StepModel>(*model.step_model);
  }
  plant.workspace.model = model.step_model;
  return model;
}

void take_over(std::span<const Index> bodies, double softer, double heavier, PlantModel& model,
               SimulatedPlant& plant) {
  repack(model.mechanism, bodies, Repack::all, packed(model));
  watch_tension(softer, heavier, model, plant);
}

void take_over_joints(std::span<const Index> bodies, double softer, PlantModel& model,
                      SimulatedPlant& plant) {
  repack(model.mechanism, bodies, Repack::joints, packed(model));
  watch_tension(softer, 1, model, plant);
}

}  // namespace thigmo
