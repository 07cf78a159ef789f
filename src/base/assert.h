#pragma once

#include <cstdio>
#include <cstdlib>

// For our own bugs only: the message names the broken promise, the program stops at once.
// Stays on in release builds; a check inside a step's inner loop uses THIGMO_DEBUG_ASSERT.
#define THIGMO_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::thigmo::assertion_failed(#condition, __FILE__, __LINE__))

#ifdef NDEBUG
#define THIGMO_DEBUG_ASSERT(condition) static_cast<void>(0)
#else
#define THIGMO_DEBUG_ASSERT(condition) THIGMO_ASSERT(condition)
#endif

namespace thigmo {

[[noreturn]] inline void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "thigmo: internal error: %s is false at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace thigmo
