// One target of libFuzzer for each reader: THIGMO_FUZZ_READER is its number. tools/fuzz builds and
// runs them all.
#include <cstdint>
#include <cstdlib>

#include "fuzz/hostile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr auto reader = static_cast<thigmo::testing::Reader>(THIGMO_FUZZ_READER);
  if (!thigmo::testing::answers_well(reader, {reinterpret_cast<const char*>(data), size}))
    std::abort();
  return 0;
}
