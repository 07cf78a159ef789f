#pragma once

#include <cstddef>
#include <cstdint>

namespace thigmo {

// Numbers segments, organs, axes, materials. -1 means none.
using Index = std::int32_t;
inline constexpr Index no_index = -1;

// An index as the containers of the standard library count: without a sign.
constexpr std::size_t as_size(Index index) { return static_cast<std::size_t>(index); }

// The element with this index.
template <class Container>
constexpr decltype(auto) at(Container&& container, Index index) {
  return container[as_size(index)];
}

}  // namespace thigmo
