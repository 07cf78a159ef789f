#include "mechanics/step_sweeps.h"

namespace thigmo {
namespace {

struct Avx512 {};

}  // namespace

StepKernel avx512_kernel() { return Sweeps<Lanes<Avx512, 8>>::kernel(); }

}  // namespace thigmo
