#include "mechanics/step_sweeps.h"

namespace thigmo {
namespace {

struct Generic {};

}  // namespace

StepKernel generic_kernel() { return Sweeps<Lanes<Generic, 4>>::kernel(); }

}  // namespace thigmo
