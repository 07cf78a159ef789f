#pragma once

#include <cstdint>

namespace thigmo {

// Numbers segments, organs, axes, materials. -1 means none.
using Index = std::int32_t;
inline constexpr Index no_index = -1;

}  // namespace thigmo
