#include "mechanics/step_sweeps.h"

namespace thigmo {
namespace {

struct Avx512 {};

}  // namespace

StepKernel avx512_kernel(int width) {
  return width == 8 ? Sweeps<Lanes<Avx512, 8>>::kernel() : Sweeps<Lanes<Avx512, 4>>::kernel();
}

}  // namespace thigmo
