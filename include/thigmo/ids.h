#pragma once

// Names of things in a world. A thing keeps its name whatever happens around it: a segment that was cut off
// has the one it had on the tree. A name whose thing is gone is an error to use, never another thing.

#include <compare>
#include <cstdint>

namespace thigmo {

struct PlantId {
  std::uint32_t slot = UINT32_MAX;
  std::uint32_t generation = 0;  // how many plants had the slot before
  friend auto operator<=>(const PlantId&, const PlantId&) = default;
};

struct SegmentId {
  std::uint32_t number = UINT32_MAX;  // among the segments that came into the world together
  std::uint32_t birth = 0;            // with which ones
  friend auto operator<=>(const SegmentId&, const SegmentId&) = default;
};

struct GrabId {
  std::uint32_t number = UINT32_MAX;
  friend auto operator<=>(const GrabId&, const GrabId&) = default;
};

struct ForceId {
  std::uint32_t number = UINT32_MAX;
  friend auto operator<=>(const ForceId&, const ForceId&) = default;
};

}  // namespace thigmo
