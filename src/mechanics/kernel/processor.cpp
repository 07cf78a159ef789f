#include "mechanics/kernel/processor.h"

#include "base/assert.h"
#include "mechanics/kernel/step_kernel.h"

namespace thigmo {

// THIGMO_GENERIC_ONLY: the build leaves the others out.
#if defined(__x86_64__) && !defined(THIGMO_GENERIC_ONLY)

Processor best_processor() {
  const bool fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    return Processor::avx512;
  }
  return fma ? Processor::avx2 : Processor::generic;
}

StepKernel kernel_for(Processor processor, int width) {
  if (processor == Processor::avx512) return avx512_kernel(width);
  const StepKernel kernel = processor == Processor::avx2 ? avx2_kernel() : generic_kernel();
  THIGMO_ASSERT(width == kernel.width);
  return kernel;
}

#else

Processor best_processor() { return Processor::generic; }

StepKernel kernel_for(Processor, int width) {
  const StepKernel kernel = generic_kernel();
  THIGMO_ASSERT(width == kernel.width);
  return kernel;
}

#endif

std::string_view name_of(Processor processor) {
  switch (processor) {
    case Processor::avx2:
      return "AVX2";
    case Processor::avx512:
      return "AVX-512";
    default:
      return "generic";
  }
}

int widest_lanes(Processor processor) { return processor == Processor::avx512 ? 8 : 4; }

}  // namespace thigmo
