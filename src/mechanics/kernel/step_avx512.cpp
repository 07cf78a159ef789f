#include "mechanics/kernel/step_sweeps.h"

namespace thigmo {
namespace {

struct Avx512 {};

}  // namespace

StepKernel avx512_kernel(int width) {
  return width == 8 ? kernel_of<Lanes<double, 8, Avx512>>() : kernel_of<Lanes<double, 4, Avx512>>();
}

}  // namespace thigmo
