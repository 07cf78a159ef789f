#pragma once

#include <memory>

#include "mechanics/statics/inverse_statics.h"
#include "mechanics/step/step.h"

namespace thigmo {

// What plants that are alike share. Nothing of it changes once it is made: who needs another plant, other
// joints or other drag makes another model.
struct PlantModel {
  Plant plant;
  Mechanism mechanism;
  std::shared_ptr<const StepModel> step_model;  // of the mechanism
  State start;                                  // still, its root in the origin of the world
  std::vector<float> reach;  // of each segment and what stands on it; see pick.h [m]
  Vec3 gravity_plant;  // that rest shape and dampers are made for, in the plant's frame [m/s²]
};

// How a plant stands at the start.
enum class StartPose {
  rest,         // every joint at rest: it sags from there
  modelled,     // as modelled, its rest shape chosen such that it stands like that under gravity
  equilibrium,  // as it settles under gravity and the forces that act from the start
};

struct ModelOptions {
  StartPose start = StartPose::rest;
  DragModel drag = {};
  Vec3 gravity_plant = {};  // in the plant's frame [m/s²]
  double pot_mass = 0;      // [kg]
  double pot_radius = 0;    // [m]
};

// A plant's model, and how well its joints hold it where it is to stand as modelled. Where they cannot it
// rests there without its weight.
struct MadeModel {
  std::shared_ptr<const PlantModel> model;
  InverseReport standing = {};
};
MadeModel make_model(Plant plant, const ModelOptions& options);

// The same in other air; its rest shape stays.
std::shared_ptr<const PlantModel> with_drag(const PlantModel& model, const DragModel& drag);

}  // namespace thigmo
