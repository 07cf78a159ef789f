#include "mechanics/step_sweeps.h"

namespace thigmo {
namespace {

struct Avx512 {};

}  // namespace

StepKernel avx512_kernel(int width) {
  if (width == 8) return Sweeps<Lanes<Avx512, 8>>::kernel();
  return width == 1 ? Sweeps<Single<Avx512>>::kernel() : Sweeps<Lanes<Avx512, 4>>::kernel();
}

}  // namespace thigmo
