#include "mechanics/kernel/step_sweeps.h"

namespace thigmo {
namespace {

struct Avx2 {};

}  // namespace

StepKernel avx2_kernel() { return kernel_of<Lanes<double, 4, Avx2>>(); }

}  // namespace thigmo
