#include "mechanics/kernel/step_sweeps.h"

namespace thigmo {
namespace {

struct Generic {};

}  // namespace

StepKernel generic_kernel() { return kernel_of<Lanes<double, 4, Generic>>(); }

}  // namespace thigmo
