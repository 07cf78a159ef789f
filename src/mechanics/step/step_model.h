#pragma once

// What a step needs of a mechanism, made once: which processor, packed constants, room to work in.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mechanics/kernel/step_kernel.h"
#include "mechanics/kinematics/state.h"
#include "mechanics/step/works.h"

namespace thigmo {

// A mechanism as the sweeps want it, as it was when this was made. Plants that are alike share it.
struct StepModel {
  StepKernel kernel{};
  std::shared_ptr<const Schedule> schedule;
  AlignedVector<std::byte> bodies;        // packed constants
  AlignedVector<std::byte> flat_springs;  // none where all sections are round
  bool with_tension = false;  // the tension along bodies is felt beside the stiffness of joints
  // How much more of it, beside that stiffness, would be felt: a bound where bodies were changed since.
  double tension_margin = 0;
};

std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism,
                                                 Processor processor = best_processor());
std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism, Processor processor,
                                                 std::shared_ptr<const Schedule> schedule);
std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism,
                                                 const StepKernel& kernel,
                                                 std::shared_ptr<const Schedule> schedule);

// What steps of a mechanism go into. It was so when the model was made, or became so by changes since.
struct StepForm {
  bool with_tension = false;
  double tension_margin = 0;
  bool with_flat_springs = false;
};
StepForm form_of(const StepModel& model);
// As one that has gone through changes is.
std::shared_ptr<const StepModel> make_step_model(const Mechanism& mechanism, const StepForm& form);

// Takes over what has changed of some bodies' constants: of all, or of their joints alone.
enum class Repack { all, joints };
void repack(const Mechanism& mechanism, std::span<const Index> bodies, Repack what,
            StepModel& model);

// The least factor by which tensions must grow, or springs soften, until the tension along bodies is worth
// finding (StepModel::with_tension); below 1 it is.
double tension_margin(const Mechanism& mechanism);

// Bytes of what the sweeps of a substep hand on.
struct ScratchSizes {
  std::size_t kept = 0, kept_tensions = 0, trunk = 0, trunk_swing = 0, outbox = 0, contacts = 0;
};
ScratchSizes scratch_sizes(const StepModel& model);

// Whether a plant has no scratch of its own: all but a trunk is one block.
inline bool shares_scratch(const Schedule& schedule) { return schedule.blocks.size() <= 2; }

// What can be recomputed from the mechanism and the state: sized once, so that a step allocates
// nothing.
struct Workspace {
  std::shared_ptr<const StepModel> model;
  // What the sweeps of a substep hand on. None of a plant of one block: it is moved by one thread in one go, and
  // plants that are moved one after the other share that thread's.
  AlignedVector<std::byte> kept, kept_tensions, trunk, trunk_swing, outbox;
  AlignedVector<std::byte> contacts;  // sized by the first step with a ground
  std::optional<Works> works;         // of the loads, where somebody wants to know
  std::size_t local_bytes = 0;        // of the scratch that a thread needs for one block
  State next;                         // what the substep at work makes of the state
  std::vector<double> block_speed, block_coriolis, block_place, block_contact,
      block_touched;  // of each block, last sweep
};

// In the memory of one that is no longer needed, where it is given.
Workspace make_workspace(std::shared_ptr<const StepModel> model, Workspace memory = {});
Workspace make_workspace(const Mechanism& mechanism, Processor processor = best_processor());

}  // namespace thigmo
