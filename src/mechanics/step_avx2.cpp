#include "mechanics/step_sweeps.h"

namespace thigmo {
namespace {

struct Avx2 {};

}  // namespace

StepKernel avx2_kernel() { return Sweeps<Lanes<Avx2, 4>>::kernel(); }

}  // namespace thigmo
