// A target of libFuzzer for all readers of foreign files:
//   cmake -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DTHIGMO_SANITIZE=ON -DTHIGMO_FUZZ=ON
//   cmake --build build-fuzz --target readers_fuzz
//   build-fuzz/readers_fuzz -max_len=65536 -rss_limit_mb=2048 -timeout=10 CORPUS_FOLDER
#include <cstdint>
#include <cstdlib>

#include "fuzz/hostile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (!thigmo::testing::answers_well({reinterpret_cast<const char*>(data), size})) std::abort();
  return 0;
}
