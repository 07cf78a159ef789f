#pragma once

#include <cstddef>
#include <cstdint>

namespace thigmo {

// Numbers segments, organs, axes, materials. -1 means none.
using Index = std::int32_t;
inline constexpr Index no_index = -1;

// The element with this index: an Index has a sign, the containers of the standard library count
// without one.
template <class Container>
constexpr decltype(auto) at(Container&& container, Index index) {
  return container[static_cast<std::size_t>(index)];
}

}  // namespace thigmo
