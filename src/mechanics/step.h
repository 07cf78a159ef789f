#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "mechanics/loads.h"
#include "mechanics/mechanism.h"
#include "mechanics/state.h"
#include "mechanics/works.h"

namespace thigmo {

struct StepOptions {
  // How much of a motion too fast for the step is taken out in each step: 0 nothing (the implicit
  // midpoint rule), 1 all. Motions that the step resolves hardly feel it: at 0.2 a mode with 60
  // steps a period loses 8e-7 of critical damping.
  double numerical_damping = 0.2;
  // Passes over the plant that a step may take before it is too violent; most steps take one. What is
  // left of the step is then taken coarsely: in long pieces, with brakes for what turns too fast for
  // them, and where those do not help with all joints held.
  int most_passes = 1000;
  bool stop_when_violent = false;  // rather than go on coarsely
};

// Where within a step of length 1 the scheme takes the forces.
double force_time(const StepOptions& options);

// How fast a vibration of ω dt is in steps of dt, over how fast it is: below 1, a step slows it.
double frequency_ratio(const StepOptions& options, double omega_dt);

// The longest step that slows a vibration of ω by at most a part of its frequency [s].
double step_for_frequency(const StepOptions& options, double omega, double part);

// What a step did.
struct StepReport {
  int substeps = 0;     // accepted pieces the step was taken in
  int corrections = 0;  // passes repeated with better places and velocities
  int rejected = 0;     // pieces undone and retaken smaller
  int braked = 0;       // joints braked because no piece was short enough, in each piece anew
  bool coarse = false;  // its passes did not last: see StepOptions::most_passes
  // Of a plant that no load works on: how far its energy is above the lowest before, over the largest
  // kinetic energy. Looked at in every eighth step, and in all that were not taken in one pass.
  double energy_gain = 0;
  double worst_turn = 0;        // largest rotation of a body within one piece [rad]
  Index worst_body = no_index;  // the fastest, where pieces were repeated or undone; -1: none was
  // False: even the smallest piece failed, or the step was too violent and was to stop then; the state
  // is the last good one, within the step.
  bool finite = true;
};

// What the sweeps are compiled for. The same bits come out for any number of threads, but not on
// different processors: they round and add in different orders.
enum class Processor { generic, avx2, avx512 };
Processor best_processor();

// A mechanism as the sweeps want it, as it was when this was made. Plants that are alike share it.
struct StepModel {
  Processor processor = Processor::generic;
  std::shared_ptr<const Schedule> schedule;
  AlignedVector<std::byte> bodies;        // packed constants
  AlignedVector<std::byte> flat_springs;  // none where all sections are round
  bool with_tension = false;  // the pull along bodies is felt beside the stiffness of joints
};

std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism,
                                                 Processor processor = best_processor());
std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism, Processor processor,
                                                 std::shared_ptr<const Schedule> schedule);

// What can be recomputed from the mechanism and the state: sized once, so that a step allocates
// nothing.
struct Workspace {
  std::shared_ptr<const StepModel> model;
  AlignedVector<std::byte> kept, kept_pulls, trunk, trunk_swing, outbox;
  AlignedVector<std::byte> contacts;  // sized by the first step with a ground
  std::optional<Works> works;         // of the loads, where somebody wants to know
  std::size_t local_bytes = 0;        // of the scratch that a thread needs for one block
  State next;                         // what the piece at work makes of the state
  std::vector<double> block_speed, block_coriolis, block_place,
      block_contact;  // of each block, last sweep
};

Workspace make_workspace(const Mechanism& mechanism, std::shared_ptr<const StepModel> model);
Workspace make_workspace(const Mechanism& mechanism, Processor processor = best_processor());

// Moves the state by dt. A piece whose result is not finite, in which a body turns too far, whose
// places and velocities do not converge, or that gains energy where no load works, is undone and
// retaken as two halves; in the smallest ones what whirls is braked.
StepReport step(const Mechanism& mechanism, const Loads& loads, const StepOptions& options,
                double dt, State& state, Workspace& workspace, int threads = 1);

}  // namespace thigmo
