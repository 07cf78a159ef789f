#pragma once

// The sweeps of a step over packs of bodies: written once, compiled for any number of lanes and for
// each kind of processor. step.cpp has the equations. All of it is templates over the lanes, whose Target
// names the processor, so that none runs what was compiled for another.

#include "mechanics/kernel/pack_constants.h"
#include "mechanics/kernel/sweep_gather.h"
#include "mechanics/kernel/sweep_predict.h"
#include "mechanics/kernel/sweep_solve.h"

namespace thigmo {

template <class Real>
StepKernel kernel_of() {
  return {.width = Real::width,
          .body_bytes = sizeof(PackConstants<Real>),
          .kept_bytes = sizeof(PackKept<Real>),
          .kept_tension_bytes = sizeof(PackKeptTension<Real>),
          .scratch_bytes = sizeof(PackScratch<Real>),
          .swing_bytes = sizeof(PackSwing<Real>),
          .outbox_bytes = sizeof(Inertia<Real>),
          .flat_spring_bytes = sizeof(FlatSprings<Real>),
          .contact_bytes = sizeof(Contact<Real>),
          .pack_bodies = pack_bodies<Real>,
          .pack_springs = pack_springs<Real>,
          .pack_flat_springs = pack_flat_springs<Real>,
          .predict = predict<Real>,
          .gather = gather<Real>,
          .take_outbox = take_outbox<Real>,
          .solve = solve<Real>,
          .fastest_body = fastest_body<Real>,
          .ground_force = ground_force<Real>};
}

}  // namespace thigmo
