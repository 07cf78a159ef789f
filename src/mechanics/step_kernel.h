#pragma once

#include <cstddef>
#include <span>

#include "mechanics/schedule.h"
#include "mechanics/step.h"

namespace thigmo {

// Constants of the generalized-alpha scheme for one step length; see step.cpp.
struct Scheme {
  double alpha_m = 0, alpha_f = 0, beta = 0, gamma = 0;
  double h = 0;    // [s]
  double c_v = 0;  // dwf / dā [s]
  double c_x = 0;  // dθf / dā [s²]
};

// Everything the sweeps of one piece of a step read and write.
struct KernelTask {
  const Mechanism* mechanism;
  const Schedule* schedule;
  const Loads* loads;
  const Scheme* scheme;
  const State* state;
  std::byte* bodies;   // packed constants
  std::byte* scratch;  // packed scratch
  std::byte* outbox;   // what each root of a block hands to its parent
  bool corrected;      // velocities come from the last sweep's accelerations, not the state's
  bool with_tension;   // the pull along bodies is felt beside the stiffness of joints
};

// How fast the fastest body turns, and how wrong the predicted velocities were; NaN where anything
// is not finite.
struct SweepResult {
  double fastest_squared = 0;        // ω² [rad²/s²]
  double worst_product_squared = 0;  // ω² Δω² [rad⁴/s⁴]
};

// The sweeps, compiled for one kind of processor and one number of lanes.
struct StepKernel {
  std::size_t body_bytes, scratch_bytes, outbox_bytes;  // of one pack, of one root
  void (*pack_bodies)(const Mechanism& mechanism, const Schedule& schedule, std::byte* bodies);
  void (*place)(const KernelTask& task, const Block& block);
  void (*gather)(const KernelTask& task, const Block& block);
  void (*take_outbox)(const KernelTask& task);
  SweepResult (*solve)(const KernelTask& task, const Block& block);
  void (*commit)(const KernelTask& task, const Block& block, State& state);
};

StepKernel generic_kernel(int width);
StepKernel avx2_kernel(int width);
StepKernel avx512_kernel(int width);

// The fastest that this processor runs, and how many lanes it has.
StepKernel best_kernel(int width);
int most_lanes_here();

}  // namespace thigmo
