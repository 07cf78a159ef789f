#include "mechanics/step_sweeps.h"

namespace thigmo {
namespace {

struct Generic {};

}  // namespace

StepKernel generic_kernel(int width) {
  return width == 1 ? Sweeps<Single<Generic>>::kernel() : Sweeps<Lanes<Generic, 4>>::kernel();
}

}  // namespace thigmo
