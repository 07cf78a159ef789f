// The laws of lanes as a program of its own, for any compiler and processor; check_lanes builds and runs it.

#include <cstdio>

#include "math/lanes_laws.h"

namespace {

// Whether this machine has what the program was compiled for.
bool runs_here() {
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq");
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#elif defined(__SSE4_1__)
  return __builtin_cpu_supports("sse4.1");
#else
  return true;
#endif
}

}  // namespace

int main() {
  if (!runs_here()) {
    std::puts("compiled; this processor cannot run it");
    return 0;
  }
  const auto wrong = thigmo::lanes_laws::broken_laws();
  for (const std::string& law : wrong) std::printf("%s\n", law.c_str());
  std::printf("%zu laws broken\n", wrong.size());
  return wrong.empty() ? 0 : 1;
}
