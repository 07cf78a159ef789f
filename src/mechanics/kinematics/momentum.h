#pragma once

#include "mechanics/kinematics/state.h"

namespace thigmo {

// A force and a moment on a body, about its joint; world axes. Of a momentum: that and the angular one.
struct Wrench {
  Vec3 torque;  // [N m], [N m s]
  Vec3 force;   // [N], [N s]
};
Wrench momentum_of(const Body& body, const BodyMotion& motion);

// What a plant has of mass and momentum, its pot included.
struct PlantMomentum {
  double mass = 0;     // [kg]
  Vec3 center_world;   // of mass [m]
  Vec3 linear_world;   // [kg m/s]
  Vec3 angular_world;  // about the origin of the world [kg m²/s]
  Sym3 inertia_world;  // about the centre of mass [kg m²]
};
PlantMomentum momentum_of(const Mechanism& mechanism, const State& state);

}  // namespace thigmo
