// A target of libFuzzer: extreme plants through the builder of meshes, the writers and the renderer.
// tools/fuzz builds and runs it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/extreme_plant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong =
      thigmo::testing::extreme_plant_error({reinterpret_cast<const char*>(data), size});
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "ERROR: %s\n", wrong.c_str());
  std::abort();
}
