#include "mechanics/step_sweeps.h"

namespace thigmo {
namespace {

struct Avx2 {};

}  // namespace

StepKernel avx2_kernel(int width) {
  return width == 1 ? Sweeps<Single<Avx2>>::kernel() : Sweeps<Lanes<Avx2, 4>>::kernel();
}

}  // namespace thigmo
