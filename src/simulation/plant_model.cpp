#include "simulation/plant_model.h"

#include "mechanics/compile/compile_mechanism.h"
#include "plant/reach.h"

namespace thigmo {
namespace {

// Turns the joints of given bodies by the angles that they start with, away from where they are.
void turn_to_start_angles(const Plant& plant, State& state) {
  for (std::size_t i = 0; i < plant.segments.size(); ++i) {
    const Index given = plant.segments[i].given;
    if (given == no_index) continue;
    const Quat turned =
        state.rest_from_body[i] * exp_rotation(at(plant.given_bodies, given).start_angles);
    state.rest_from_body.set(i, normalized(turned));
  }
}

}  // namespace

MadeModel make_model(Plant plant, const ModelOptions& options) {
  auto model = std::make_shared<PlantModel>();
  MadeModel made;
  model->gravity_plant = options.gravity_plant;
  model->mechanism = compile_mechanism(plant, options.drag, options.gravity_plant);
  model->mechanism.pot_mass = options.pot_mass;
  model->mechanism.pot_radius = options.pot_radius;
  model->start = rest_state(model->mechanism);
  if (options.start == StartPose::modelled) {
    made.standing = make_pose_equilibrium({.gravity_world = options.gravity_plant},
                                          model->mechanism, model->start);
  }
  if (options.start != StartPose::equilibrium) turn_to_start_angles(plant, model->start);
  model->step_model = make_step_model(model->mechanism);
  arrange(model->start, model->step_model->schedule);
  model->reach = reaches_of(plant);
  model->plant = std::move(plant);
  made.model = std::move(model);
  return made;
}

std::shared_ptr<const PlantModel> with_drag(const PlantModel& model, const DragModel& drag) {
  auto changed = std::make_shared<PlantModel>(model);
  const Mechanism in_air = compile_mechanism(model.plant, drag);
  for (std::size_t i = 0; i < in_air.body.size(); ++i) {
    Body& body = changed->mechanism.body[i];
    body.drag_point = in_air.body[i].drag_point;
    body.drag_across = in_air.body[i].drag_across;
    body.drag_around = in_air.body[i].drag_around;
  }
  changed->mechanism.streamlining_speed = in_air.streamlining_speed;
  changed->step_model = make_step_model(changed->mechanism);
  return changed;
}

}  // namespace thigmo
