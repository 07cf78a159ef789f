#pragma once

#include "mechanics/step/scheme.h"
#include "mechanics/step/step_model.h"

namespace thigmo {

// What a step did.
struct StepReport {
  int substeps = 0;     // accepted ones the step was taken in
  int corrections = 0;  // passes repeated with better places and velocities
  int rejected = 0;     // substeps undone and retaken smaller
  int braked = 0;       // joints braked because no substep was short enough, in each substep anew
  bool coarse = false;  // its passes did not last: see StepOptions::most_passes
  // Of a plant that no load works on: how far its energy is above the lowest before, over the largest
  // kinetic energy. Looked at in every eighth step, and in all that were not taken in one pass.
  double energy_gain = 0;
  double worst_turn = 0;        // largest rotation of a body within one substep [rad]
  Index worst_body = no_index;  // the fastest, where substeps were repeated or undone; -1: none was
  // False: even the smallest substep failed, or the step was too violent and was to stop then; the state
  // is the last good one, within the step.
  bool finite = true;
};

// Moves the state by dt. A substep whose result is not finite, in which a body turns too far, whose
// places and velocities do not converge, or that gains energy where no load works, is undone and
// retaken as two halves; in the smallest ones what whirls is braked.
StepReport step(const Mechanism& mechanism, const Loads& loads, const StepOptions& options,
                double dt, State& state, Workspace& workspace, int threads = 1);

}  // namespace thigmo
